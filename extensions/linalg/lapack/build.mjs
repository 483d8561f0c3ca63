// LAPACK's routines and the kernels around them, from Fortran and C to wasm/linalg-DTYPE.wasm. Run by scripts/kernels.mjs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { closureOf, routinesOf, translate } from './fortran.mjs';
import { hot, modules, ownRoutines, rootsOf, unitsOf, unreached } from './modules.mjs';
import { withoutZeros } from './zeros.mjs';
import { cacheFolder, findToolchain, wanted } from './toolchain.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const outputs = fileURLToPath(new URL('../wasm/', import.meta.url));

/** Every operation rounds to its dtype: no contraction, no fast mathematics. Positions are relative: the modules live in the engine's memory. */
const flags = [
  '--target=wasm32', '-msimd128', '-mbulk-memory', '-fno-math-errno', '-fno-trapping-math', '-ffp-contract=off', '-fno-strict-aliasing', '-fPIC', '-fvisibility=hidden', '-nostdlib', '-Wno-pass-failed',
];
const strict = ['-Wall', '-Wextra', '-Werror'];
/** What f2c writes: declarations without prototypes, unused labels, dangling elses. */
const lenient = ['-w'];
const linking = ['-shared', '--experimental-pic', '--no-entry', '--import-memory', '--gc-sections', '--strip-all', '-O2', '--fatal-warnings'];

const digest = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
};

const finished = (command, args, env) =>
  new Promise((settle, refuse) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    child.stdout.on('data', (bytes) => said.push(bytes));
    child.stderr.on('data', (bytes) => said.push(bytes));
    child.on('error', refuse);
    child.on('close', (code) => (code === 0 ? settle() : refuse(new Error(`${command} ${args.join(' ')}\n${Buffer.concat(said).toString()}`))));
  });

/** C of all routines of all modules; kept until Fortran, edits or what is ours change. */
const translated = (toolchain, say) => {
  const routines = routinesOf(toolchain.source);
  const names = [...new Set(modules.flatMap((module) => closureOf(routines, [...rootsOf(module), 'iparmq'], ownRoutines, unreached)))].sort();
  const folder = join(cacheFolder, `c-${digest(readFileSync(join(here, 'fortran.mjs')), names.join(), [...unreached].join()).slice(0, 16)}`);
  if (existsSync(folder)) return new Map(names.map((name) => [name, readFileSync(join(folder, `${name}.c`), 'utf8')]));
  say(`f2c: ${names.length} routines`);
  const partial = `${folder}.${process.pid}`;
  const texts = translate(toolchain.f2c, routines, names, unreached, partial);
  rmSync(partial, { recursive: true });
  mkdirSync(partial);
  for (const [name, text] of texts) writeFileSync(join(partial, `${name}.c`), text);
  if (!existsSync(folder)) renameSync(partial, folder);
  return texts;
};

/** One object per text, found again by what it is made of. */
const objectJob = (toolchain, source, text, extra) => {
  const path = join(cacheFolder, 'objects', `${digest(toolchain.version, text, flags.join(), extra.join()).slice(0, 32)}.o`);
  const compile = () => {
    const partial = `${path}.${process.pid}`;
    return finished(toolchain.clang, [...flags, ...extra, `-I${join(here, 'c')}`, '-c', source, '-o', partial], toolchain.env).then(() => renameSync(partial, path));
  };
  return { path, compile };
};

const compileAll = async (jobs, say) => {
  const missing = [...new Map(jobs.filter(({ path }) => !existsSync(path)).map((job) => [job.path, job])).values()];
  let done = 0;
  const next = missing[Symbol.iterator]();
  const worker = async () => {
    for (const job of next) {
      await job.compile();
      if (++done % 50 === 0 || done === missing.length) say(`compiled ${done} of ${missing.length}`);
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.TF_LAPACK_JOBS ?? availableParallelism()) }, worker));
};

const routineJobs = (toolchain, texts) => {
  const folder = join(cacheFolder, 'sources');
  mkdirSync(folder, { recursive: true });
  const header = readFileSync(join(here, 'c', 'f2c.h'), 'utf8');
  return new Map([...texts].map(([name, text]) => {
    const path = join(folder, `${name}.${digest(text).slice(0, 16)}.c`);
    if (!existsSync(path)) writeFileSync(path, text);
    return [name, objectJob(toolchain, path, header + text, [hot.has(name) ? '-O3' : '-Os', ...lenient])];
  }));
};

const unitJob = (toolchain, unit, { precision, complex }) => {
  const all = readdirSync(join(here, 'c')).filter((name) => name.endsWith('.h') || name === unit).sort().map((name) => readFileSync(join(here, 'c', name), 'utf8')).join('\n');
  return objectJob(toolchain, join(here, 'c', unit), all, [unit === 'kernels.c' ? '-O2' : '-O3', ...strict, `-DPRECISION=${precision}`, `-DCOMPLEX=${complex === undefined ? 0 : 1}`]);
};

const link = async (toolchain, { dtype }, objects, say) => {
  const path = join(outputs, `linalg-${dtype}.wasm`);
  const partial = `${path}.${process.pid}`;
  await finished(toolchain.linker, [...linking, ...objects, '-o', partial], toolchain.env);
  const code = withoutZeros(readFileSync(partial));
  writeFileSync(partial, code);
  const foreign = WebAssembly.Module.imports(new WebAssembly.Module(code)).filter(({ module }) => module !== 'env');
  if (foreign.length > 0) throw new Error(`linalg-${dtype}.wasm imports ${foreign.map(({ module, name }) => `${module}.${name}`).join(', ')}`);
  renameSync(partial, path);
  say(`linalg-${dtype}.wasm, ${code.length} bytes, ${gzipSync(code).length} compressed`);
};

/** Gives whether the modules were built: not where the tools are missing. */
export const build = async (report = console.log) => {
  const say = (text) => report(`linalg: ${text}`);
  mkdirSync(join(cacheFolder, 'objects'), { recursive: true });
  const toolchain = findToolchain(say);
  if (toolchain === undefined) {
    say(`its kernels in WebAssembly are absent, everything else works. They need ${wanted}`);
    return false;
  }
  const texts = translated(toolchain, say);
  const routines = routineJobs(toolchain, texts);
  const sources = routinesOf(toolchain.source);
  const plans = modules.map((module) => ({
    module,
    jobs: [...closureOf(sources, [...rootsOf(module), 'iparmq'], ownRoutines, unreached).map((name) => routines.get(name)), ...unitsOf(module).map((unit) => unitJob(toolchain, unit, module))],
  }));
  await compileAll(plans.flatMap(({ jobs }) => jobs), say);
  mkdirSync(outputs, { recursive: true });
  for (const { module, jobs } of plans) await link(toolchain, module, jobs.map(({ path }) => path), say);
  copyFileSync(join(toolchain.source, 'LICENSE'), join(outputs, 'LICENSE-LAPACK.txt'));
  return true;
};
