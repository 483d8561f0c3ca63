// node native/test/run.mjs NAME [--sanitize] [ARGUMENT …]: compiles native/test/NAME_test.c with the sources that it tests, again only what changed, and runs it.
// Its status is the test's, or 3 where there is no C compiler. --sanitize: with AddressSanitizer and UndefinedBehaviorSanitizer.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const native = fileURLToPath(new URL('..', import.meta.url));
const flags = ['-std=gnu11', '-g', '-ffp-contract=off', '-fno-math-errno', '-fno-trapping-math', '-fwrapv', '-Wall', '-Wextra', '-Werror', '-I', native];
const levels = process.arch === 'x64' ? [[], ['-mavx2'], ['-mavx2', '-mavx512f', '-mavx512dq', '-mavx512bw', '-mavx512vl', '-mprefer-vector-width=512']] : [[]];

/** What each test links; files of isa/ once for every level. */
const sourcesOf = {
  contract: ['blas.c', 'contract.c', 'products.c', 'isa/product.c'],
  data: ['sort.c', 'indexed.c', 'iota.c'],
};

const compiler = () => [process.env.CC, 'gcc', 'clang'].find((name) => name !== undefined && name !== '' && spawnSync(name, ['--version']).status === 0);

const headersOf = () => [native, join(native, 'isa'), join(native, 'test')]
  .flatMap((folder) => readdirSync(folder).filter((name) => /\.(h|def)$/.test(name)).sort().map((name) => readFileSync(join(folder, name), 'utf8')));

const run = (command, args, options = {}) => new Promise((settle) => {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  child.on('error', () => settle(127));
  child.on('close', (code) => settle(code ?? 1));
});

/** Compiles one file where its object is not what it would become. Resolves to the status. */
const compile = async (cc, { file, object, args }, headers) => {
  const stamp = createHash('sha256').update(JSON.stringify([cc, args, headers, readFileSync(file, 'utf8')])).digest('hex');
  const stampFile = `${object}.stamp`;
  if (existsSync(object) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return 0;
  const loose = `${object}.${process.pid}`;
  const status = await run(cc, [...args, '-c', file, '-o', loose]);
  if (status !== 0) return status;
  renameSync(loose, object);
  writeFileSync(stampFile, stamp);
  return 0;
};

const unitsOf = (name, folder, extra) => [...sourcesOf[name], `test/${name}_test.c`].flatMap((source) => {
  const file = join(native, source);
  const unit = (suffix, args) => ({ file, object: join(folder, `${basename(source, '.c')}${suffix}.o`), args: [...flags, ...extra, ...args] });
  return source.startsWith('isa/') ? levels.map((level, at) => unit(`_${at}`, [`-DTF_LEVEL=${at}`, ...level])) : [unit('', [`-DTF_LEVELS=${levels.length}`])];
});

export const runTest = async (name, { sanitize = false, args = [] } = {}) => {
  const cc = compiler();
  if (cc === undefined) {
    console.log('no C compiler');
    return 3;
  }
  const folder = join(native, '../build/test', sanitize ? 'sanitized' : 'plain');
  mkdirSync(folder, { recursive: true });
  const extra = sanitize ? ['-O1', '-fsanitize=address,undefined', '-fno-sanitize=alignment', '-fno-sanitize-recover=undefined'] : ['-O2'];
  const units = unitsOf(name, folder, extra);
  const headers = headersOf();
  const left = [...units];
  const statuses = await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let unit = left.shift(); unit !== undefined; unit = left.shift()) {
      const status = await compile(cc, unit, headers);
      if (status !== 0) return status;
    }
    return 0;
  }));
  if (statuses.some((status) => status !== 0)) return 4;
  const program = join(folder, `${name}.${process.pid}`);
  const linked = await run(cc, [...extra, '-o', program, ...units.map(({ object }) => object), '-lm', '-ldl', '-lpthread']);
  if (linked !== 0) return 4;
  const kept = join(folder, name);
  renameSync(program, kept);
  return run(kept, args);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...rest] = process.argv.slice(2);
  process.exitCode = await runTest(name, { sanitize: rest.includes('--sanitize'), args: rest.filter((argument) => argument !== '--sanitize') });
}
