// Executes the documentation: every ts fence of README.md and docs/, every TSDoc example of packages, engines and
// extensions is typechecked and run against the built packages. A line `// → text` says what the block prints there.
//   node scripts/docs.mjs [--root DIR]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { collectBlocks } from './docs/blocks.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const flag = process.argv.indexOf('--root');
const root = flag === -1 ? repository : resolve(process.argv[flag + 1] ?? '.');
const timeout = 60_000;

/** Blocks run inside this package, which depends on every published one. */
const home = join(repository, 'tests-integration', 'docs', '.cache');

const compilerOptions = () => {
  const path = join(repository, 'tsconfig.leaf.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository);
  return { ...options, incremental: false, lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'], types: ['node'], typeRoots: [join(repository, 'node_modules', '@types')] };
};

const placed = (block, lineInBlock) => `${block.path}:${block.line + lineInBlock}`;

const typecheck = (blocks) => {
  const program = ts.createProgram(blocks.map(({ file }) => file), compilerOptions());
  return blocks.flatMap((block) => {
    const source = program.getSourceFile(block.file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((fault) => {
      const { line } = source.getLineAndCharacterOfPosition(fault.start ?? 0);
      return { block, text: `${placed(block, line)} TS${fault.code}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}` };
    });
  });
};

const execute = (file) =>
  new Promise((settle) => {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'], timeout });
    const out = [];
    const err = [];
    child.stdout.on('data', (part) => void out.push(part));
    child.stderr.on('data', (part) => void err.push(part));
    child.on('error', (error) => settle({ code: 127, out: '', err: error.message }));
    child.on('close', (code) => settle({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }));
  });

const promised = (code) => [...code.matchAll(/\/\/ → (.*)$/gm)].map(({ 1: text }) => text.trim());

const run = async (block) => {
  const { outputText } = ts.transpileModule(block.code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } });
  const file = block.file.replace(/\.ts$/, '.mjs');
  writeFileSync(file, outputText);
  const { code, out, err } = await execute(file);
  if (code !== 0) return [{ block, text: `${placed(block, 0)} ended with code ${code}\n${err.trim()}` }];
  const expected = promised(block.code);
  const printed = out.trimEnd().split('\n').map((line) => line.trim());
  if (expected.length === 0 || expected.join('\n') === printed.join('\n')) return [];
  return [{ block, text: `${placed(block, 0)} says it prints\n  ${expected.join('\n  ')}\nand prints\n  ${printed.join('\n  ')}` }];
};

/** A few at a time: each block has its own process. */
const runAll = async (blocks) => {
  const waiting = [...blocks];
  const faults = [];
  let executed = 0;
  const worker = async () => {
    for (let block = waiting.shift(); block !== undefined; block = waiting.shift()) {
      faults.push(...(await run(block)));
      executed += 1;
    }
  };
  await Promise.all([worker(), worker()]);
  return { faults, executed };
};

const main = async () => {
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'blocks-'));
  try {
    const blocks = collectBlocks(root).map((block, index) => ({ ...block, file: join(folder, `block-${index}.ts`) }));
    for (const { file, code } of blocks) writeFileSync(file, code);
    const wrongTypes = typecheck(blocks);
    const { faults, executed } = await runAll(blocks);
    for (const { text } of [...wrongTypes, ...faults]) console.log(text);
    const failed = new Set([...wrongTypes, ...faults].map(({ block }) => block)).size;
    console.log(`${blocks.length} blocks present, ${executed} executed, ${failed} failed`);
    process.exitCode = blocks.length > 0 && executed === blocks.length && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await main();
