// node native/build.mjs [PROGRAM]: compiles the engine's library to build/tf.node with the machine's C compiler, again only what changed. Without a compiler it says what is missing.
// PROGRAM: one of the tests', a bench or `guard` in test/, to build/PROGRAM. TF_SANITIZE=1: with sanitizers, to build/sanitized (pnpm test:native-sanitized).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isSanitized, withSanitizers } from './sanitizers.mjs';

const native = fileURLToPath(new URL('.', import.meta.url));
const engine = dirname(native.replace(/\/$/, ''));
const build = join(engine, 'build', ...(isSanitized ? ['sanitized'] : []));
const generated = join(build, 'generated');
const objects = join(build, 'objects');

/** No contraction: every operation rounds to its dtype. Traps and errno are nobody's concern, which lets loops become vectors. Integers wrap. */
const flags = withSanitizers(['-std=gnu11', '-O3', '-fPIC', '-fvisibility=hidden', '-ffp-contract=off', '-fno-math-errno', '-fno-trapping-math', '-fwrapv', '-fno-strict-aliasing', '-Wall', '-Wextra', '-Werror']);

/**
 * Functions are long and have selects, which gcc makes branches of: it computes what follows once for each way through them, and orders what was written side by side one
 * after the other. 66 functions take 13 % less time (AVX-512 10, SSE 14) without both.
 */
const flagsOfFunctions = (version) => (version.includes('Free Software Foundation') ? ['-fno-thread-jumps', '-fno-tree-pre'] : []);

/** Flags of the instruction sets for which the files in isa/ and the generated functions are compiled; isa.c asks the machine for just these. */
const levels = process.arch === 'x64'
  ? [[], ['-mavx2'], ['-mavx2', '-mavx512f', '-mavx512dq', '-mavx512bw', '-mavx512vl', '-mprefer-vector-width=512']]
  : [[]];

const hash = (...parts) => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
};

const filesOf = (folder, pattern) => (existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)).sort().map((name) => join(folder, name)) : []);

/** The compiler that CC names, else gcc, else clang; undefined where there is none. */
export const compiler = () => [process.env.CC, 'gcc', 'clang'].find((name) => name !== undefined && name !== '' && spawnSync(name, ['--version']).status === 0);

/** Writes what generate.ts says, again only when core's loop language or the generator changed. */
const generateFunctions = async () => {
  const core = join(engine, '../../packages/core/src');
  const sources = ['loop', 'loop/functions'].flatMap((folder) => filesOf(join(core, folder), /(?<!\.test|\.testing)\.ts$/));
  const stamp = hash(...[...sources, join(native, 'generate.ts')].map((file) => readFileSync(file)));
  const stampFile = join(generated, 'stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const { createServer, createServerModuleRunner, defaultServerConditions } = await import('vite');
  const conditions = ['@tf/source', ...defaultServerConditions];
  const server = await createServer({
    root: engine, configFile: false, logLevel: 'error', appType: 'custom', server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true }, resolve: { conditions }, ssr: { resolve: { conditions }, noExternal: [/^@tf\//] },
  });
  try {
    const { generate } = await createServerModuleRunner(server.environments.ssr, { hmr: false }).import('/native/generate.ts');
    rmSync(generated, { recursive: true, force: true });
    mkdirSync(generated, { recursive: true });
    for (const [name, text] of Object.entries(generate())) writeFileSync(join(generated, name), text);
    writeFileSync(stampFile, stamp);
  } finally {
    await server.close();
  }
};

const nodeHeaders = () => createRequire(import.meta.url)('node-api-headers').include_dir;

/** Sources and their objects: those of the instruction sets once for each. */
const unitsOf = (version = '', folder = native) => {
  const include = ['-I', nodeHeaders(), '-I', generated, '-I', join(native, 'isa'), '-I', native];
  const plain = filesOf(folder, /\.c$/).map((file) => ({ file, object: basename(file, '.c'), args: [`-DTF_LEVELS=${levels.length}`, ...include] }));
  const everyLevel = [...filesOf(generated, /\.c$/), ...filesOf(join(native, 'isa'), /\.c$/)];
  const leveled = everyLevel.flatMap((file) => levels.map((level, i) => ({ file, object: `${basename(file, '.c')}_${i}`, args: [`-DTF_LEVEL=${i}`, ...level, ...(dirname(file) === generated ? flagsOfFunctions(version) : []), ...include] })));
  return [...leveled, ...plain];
};

/** A source and what it includes of ours. */
const textsOf = (file, seen = new Set()) => {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const included = [...text.matchAll(/^#include "(.+)"/gm)].flatMap(([, name]) => [dirname(file), generated, join(native, 'isa'), native].map((folder) => join(folder, name)).filter((path) => existsSync(path)).slice(0, 1));
  return [text, ...included.flatMap((path) => textsOf(path, seen))];
};

const run = (command, args) => new Promise((resolve, reject) => {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('error', reject);
  child.on('exit', (status) => (status === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')}: status ${status}`))));
});

/** Each task by the next worker that is free. */
const inParallel = async (tasks, workers) => {
  const left = [...tasks];
  await Promise.all(Array.from({ length: workers }, async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  }));
};

const compileLibrary = async (quiet) => {
  const cc = compiler();
  if (cc === undefined) {
    rmSync(join(build, 'tf.node'), { force: true });
    console.log('engine-cpu-blas-native: there is no C compiler, so the engine is not built. Install gcc or clang (Debian: apt-get install gcc libc6-dev; macOS: xcode-select --install), or name one in CC.');
    return false;
  }
  await generateFunctions();
  mkdirSync(objects, { recursive: true });
  const version = spawnSync(cc, ['--version'], { encoding: 'utf8' }).stdout;
  const units = unitsOf(version).map((unit) => ({ ...unit, stamp: hash(version, JSON.stringify([cc, flags, unit.args]), ...textsOf(unit.file)) }));
  const stampOf = ({ object }) => join(objects, `${object}.stamp`);
  const isStale = (unit) => !existsSync(stampOf(unit)) || readFileSync(stampOf(unit), 'utf8') !== unit.stamp;
  const stale = units.filter(isStale);
  await inParallel(stale.map((unit) => async () => {
    await run(cc, [...flags, ...unit.args, '-c', unit.file, '-o', join(objects, `${unit.object}.o`)]);
    writeFileSync(stampOf(unit), unit.stamp);
  }), availableParallelism());
  const library = join(build, 'tf.node');
  const linked = hash(...units.map(({ stamp }) => stamp));
  const linkStamp = join(build, 'stamp');
  if (existsSync(library) && existsSync(linkStamp) && readFileSync(linkStamp, 'utf8') === linked) return true;
  const loose = `${library}.${process.pid}`;
  const undefinedSymbols = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
  await run(cc, ['-shared', '-fPIC', ...undefinedSymbols, ...withSanitizers([]), '-o', loose, ...units.map(({ object }) => join(objects, `${object}.o`)), '-lm', '-ldl']);
  renameSync(loose, library);
  writeFileSync(linkStamp, linked);
  if (!quiet) console.log(`engine-cpu-blas-native: ${stale.length} of ${units.length} files compiled by ${cc}`);
  return true;
};

/** One process at a time: test files ask for programs side by side. What a process that died has left is taken over. */
const alone = async (work) => {
  mkdirSync(build, { recursive: true });
  const lock = join(build, 'lock');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
      await setTimeout(100);
    } catch {
      rmSync(lock, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
};

/** Compiles and links; true if there is a library now. */
export const buildLibrary = ({ quiet = false } = {}) => alone(() => compileLibrary(quiet));

/** Programs of tests, test/NAME.c, and what they need beyond the files of all instruction sets. */
const programs = { harness: ['isa'], calls_test: ['calls'], data_test: ['sort', 'indexed', 'iota'], contract_test: ['blas', 'contract', 'products'], contract_bench: ['blas', 'contract', 'products'] };

/** The path of a program of tests, or undefined without a compiler. */
export const buildProgram = (name) => alone(async () => {
  if (!(await compileLibrary(true))) return undefined;
  const program = join(build, name);
  const parts = [...unitsOf().filter(({ args }) => args[0].startsWith('-DTF_LEVEL=')).map(({ object }) => object), ...programs[name]].map((object) => join(objects, `${object}.o`));
  await run(compiler(), [...flags, join(native, 'test', `${name}.c`), ...parts, '-o', `${program}.${process.pid}`, '-lm', '-ldl', '-lpthread']);
  renameSync(`${program}.${process.pid}`, program);
  return program;
});

/** What tests with sanitizers call from JavaScript: test/guard.c. */
const buildGuard = () => alone(async () => {
  mkdirSync(build, { recursive: true });
  await run(compiler(), [...flags, '-shared', '-I', nodeHeaders(), join(native, 'test', 'guard.c'), '-o', join(build, 'guard.node')]);
});

if (process.argv[1] === fileURLToPath(import.meta.url)) await (process.argv[2] === undefined ? buildLibrary() : process.argv[2] === 'guard' ? buildGuard() : buildProgram(process.argv[2]));
