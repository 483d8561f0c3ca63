// node scripts/kernels.mjs [FOLDER …]: compiles each kernels/*.c of an extension to wasm/*.wasm, or runs its lapack/build.mjs, and what native.mjs says for the machine itself; again only when something changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildNativeKernels, nativeFolders } from './native-kernels.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** No contraction: every operation rounds to its dtype. No library and no stack: what a kernel needs is in its folder and its workspace. */
const flags = [
  '--target=wasm32-wasip1', '-O3', '-msimd128', '-mbulk-memory', '-ffp-contract=off', '-fno-math-errno', '-nostdlib', '-Wall', '-Wextra', '-Werror', '-Wno-pass-failed',
  '-Wl,--no-entry,--import-memory,--gc-sections,--strip-all,-z,stack-size=0',
];

/** How an extension builds what is more than a few files of C. */
const ownBuild = (folder) => join(folder, 'lapack', 'build.mjs');

/** Extensions that have kernels, by folder. */
export const kernelFolders = () => {
  const extensions = join(root, 'extensions');
  if (!existsSync(extensions)) return [];
  return readdirSync(extensions).map((name) => join(extensions, name)).filter((folder) => existsSync(join(folder, 'kernels')) || existsSync(ownBuild(folder)));
};

const sourcesOf = (folder) => {
  if (existsSync(ownBuild(folder))) {
    const names = readdirSync(join(folder, 'lapack'), { recursive: true }).filter((name) => /\.(c|h|mjs)$/.test(name)).sort();
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, 'lapack', name), 'utf8')]));
  }
  const names = readdirSync(join(folder, 'kernels')).filter((name) => /\.[ch]$/.test(name)).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, 'kernels', name), 'utf8')]));
};

/** What the output depends on: sources, flags and this script. */
const stampOf = (sources) => createHash('sha256').update(JSON.stringify(sources)).update(readFileSync(fileURLToPath(import.meta.url))).digest('hex');

/** Whether the kernels of a folder were compiled from the sources that are there. */
export const hasKernels = (folder) => {
  const stamp = join(folder, 'wasm', 'stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(sourcesOf(folder));
};

/** Debian's compiler: a second instead of several. Undefined where it or its linker is not there. */
const nativeCompiler = () => {
  if (['clang-19', 'wasm-ld-19'].some((tool) => spawnSync(tool, ['--version']).status !== 0)) return undefined;
  return async (sources, name) => {
    const folder = mkdtempSync(join(tmpdir(), 'tf-kernels-'));
    try {
      for (const [file, text] of Object.entries(sources)) writeFileSync(join(folder, file), text);
      const { status, stderr } = spawnSync('clang-19', [...flags, '-o', 'out.wasm', name], { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return readFileSync(join(folder, 'out.wasm'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
};

/** clang compiled to WebAssembly, from npm: the same everywhere. */
const portableCompiler = async () => {
  const tool = await import('@yowasp/clang').catch(() => undefined);
  if (tool === undefined) return undefined;
  const quiet = { fetchProgress: () => undefined };
  await tool.runClang(null, {}, quiet);
  return async (sources, name) => {
    const said = [];
    try {
      const tree = await tool.runClang(['clang', ...flags, '-o', 'out.wasm', name], sources, { stderr: (bytes) => void (bytes && said.push(Buffer.from(bytes))), ...quiet });
      return tree['out.wasm'];
    } catch (error) {
      throw new Error(`${Buffer.concat(said).toString()}\n${error.message}`);
    }
  };
};

/** The engine gives a module its memory and nothing else that it would need. */
const checkCode = (code, name) => {
  const module = new WebAssembly.Module(code);
  const foreign = WebAssembly.Module.imports(module).filter((entry) => entry.module !== 'env');
  if (foreign.length > 0) throw new Error(`${name} imports ${foreign.map((entry) => `${entry.module}.${entry.name}`).join(', ')}: only env is there`);
  if (WebAssembly.Module.exports(module).length === 0) throw new Error(`${name} exports nothing`);
};

const absent = 'no compiler for kernels: `pnpm install` brings @yowasp/clang (an optional dependency), Debian has clang-19 with lld-19';

/** Others may be reading the file that was there. */
const replaceFile = (path, content) => {
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
};

/** A module that gives the code from a text: for bundlers that copy no files. */
const textModule = (name, code) => `// Made by scripts/kernels.mjs: the code of ${name}, compressed.
const text = '${gzipSync(code, { level: 9 }).toString('base64')}';
export const code = async () => {
  const packed = new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))]);
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
};
`;

/** Beside each name.wasm a name.wasm.mjs, and its type, which TypeScript asks for once the module is there. */
const writeTexts = (folder) => {
  const place = join(folder, 'wasm');
  for (const name of readdirSync(place).filter((file) => file.endsWith('.wasm'))) {
    replaceFile(join(place, `${name}.mjs`), textModule(name, readFileSync(join(place, name))));
    replaceFile(join(place, `${name}.d.mts`), 'export declare const code: () => Promise<Uint8Array>;\n');
  }
};

const compileFolder = async (folder, compile, say) => {
  const sources = sourcesOf(folder);
  for (const name of Object.keys(sources).filter((file) => file.endsWith('.c'))) {
    const code = await compile(sources, name);
    checkCode(code, name);
    replaceFile(join(folder, 'wasm', `${basename(name, '.c')}.wasm`), code);
    say(`${basename(folder)}: ${name}, ${code.length} bytes`);
  }
};

const finish = (folder, stamp) => {
  writeTexts(folder);
  writeFileSync(join(folder, 'wasm', 'stamp'), stamp);
};

/** Compiles what is not up to date. Gives whether all kernels are there. */
export const buildKernels = async (folders = kernelFolders(), say = console.log) => {
  let compile;
  let complete = true;
  for (const folder of folders.filter((one) => !hasKernels(one))) {
    const stamp = stampOf(sourcesOf(folder));
    mkdirSync(join(folder, 'wasm'), { recursive: true });
    if (existsSync(ownBuild(folder))) {
      const { build } = await import(pathToFileURL(ownBuild(folder)).href);
      if (await build(say)) finish(folder, stamp);
      else complete = false;
      continue;
    }
    compile ??= nativeCompiler() ?? (await portableCompiler());
    if (compile === undefined) {
      say(absent);
      complete = false;
      continue;
    }
    await compileFolder(folder, compile, say);
    finish(folder, stamp);
  }
  const native = await buildNativeKernels(nativeFolders().filter((folder) => folders.includes(folder)), say);
  return complete && native;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.slice(2).map((folder) => resolve(folder));
  await buildKernels(folders.length > 0 ? folders : undefined);
}
