// node scripts/native-kernels.mjs [FOLDER …]: compiles the kernels of extensions for the machine itself, to native-build/NAME.so; again only when something changed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isSanitized, withSanitizers } from './sanitizers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What an extension's library and the engine know of each other: tf_native.h. */
const boundary = join(root, 'engines', 'cpu-blas-native', 'native');

/** No contraction: every operation rounds to its dtype. Only what is exported is seen. */
const flags = withSanitizers(['-std=gnu17', '-O3', '-fPIC', '-fvisibility=hidden', '-ffp-contract=off', '-fno-math-errno', '-fno-trapping-math', '-Wall', '-Wextra', '-Werror']);

/** How an extension says what its library is made of. */
const recipe = (folder) => join(folder, 'native.mjs');

export const nativeFolders = () => {
  const extensions = join(root, 'extensions');
  if (!existsSync(extensions)) return [];
  return readdirSync(extensions).map((name) => join(extensions, name)).filter((folder) => existsSync(recipe(folder)));
};

/** The first compiler that is there, with its version: code depends on both. */
const findCompiler = () => {
  for (const command of [process.env.CC, 'gcc', 'clang', 'cc'].filter(Boolean)) {
    const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
    if (status === 0) return { command, version: stdout.split('\n')[0] };
  }
  return undefined;
};

const isWanted = process.platform === 'linux' || process.platform === 'darwin';

const stampOf = (folder, { library, folders, units }, compiler) => {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url))).update(JSON.stringify([library, flags, units(process.arch), compiler, process.platform]));
  hash.update(readFileSync(join(boundary, 'tf_native.h')));
  for (const from of folders.map((name) => join(folder, name))) {
    for (const name of readdirSync(from).filter((file) => /\.[ch]$/.test(file)).sort()) hash.update(name).update(readFileSync(join(from, name)));
  }
  return hash.digest('hex');
};

const outputs = (folder) => join(folder, 'native-build', ...(isSanitized ? ['sanitized'] : []));
const outputOf = (folder, { library }) => join(outputs(folder), `${library}.so`);
const stampPath = (folder) => join(outputs(folder), 'stamp');

const isCurrent = (folder, made, stamp) => existsSync(outputOf(folder, made)) && existsSync(stampPath(folder)) && readFileSync(stampPath(folder), 'utf8') === stamp;

/** Whether the library of a folder was compiled from the sources that are there. */
export const hasNativeKernels = async (folder) => {
  const compiler = findCompiler();
  const made = await import(pathToFileURL(recipe(folder)).href);
  return compiler !== undefined && isCurrent(folder, made, stampOf(folder, made, compiler));
};

const finished = (command, args) =>
  new Promise((settle, refuse) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
    child.on('error', refuse);
    child.on('close', (code) => (code === 0 ? settle() : refuse(new Error(`${command} ${args.join(' ')}\n${Buffer.concat(said).toString()}`))));
  });

const compileFolder = async (folder, made, { command }) => {
  const work = mkdtempSync(join(tmpdir(), 'tf-native-'));
  try {
    const objects = made.units(process.arch).map(({ source, flags: own }, at) => ({ source, own, object: join(work, `${at}.o`) }));
    await Promise.all(objects.map(({ source, own, object }) => finished(command, [...flags, ...own, `-I${boundary}`, '-c', join(folder, source), '-o', object])));
    // Others may be reading the file that was there.
    const output = outputOf(folder, made);
    mkdirSync(outputs(folder), { recursive: true });
    await finished(command, ['-shared', ...withSanitizers([]), ...objects.map(({ object }) => object), '-o', `${output}.${process.pid}`]);
    renameSync(`${output}.${process.pid}`, output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/** Compiles what is not up to date. Gives whether all libraries are there. */
export const buildNativeKernels = async (folders = nativeFolders(), say = console.log) => {
  if (folders.length === 0) return true;
  const compiler = isWanted ? findCompiler() : undefined;
  if (compiler === undefined) {
    say(isWanted ? 'kernels of the machine\'s own code are absent, everything else works. They need a C compiler: `apt-get install gcc`, or CC names one' : `kernels of the machine's own code are absent: none are made on ${process.platform}`);
    return false;
  }
  for (const folder of folders) {
    const made = await import(pathToFileURL(recipe(folder)).href);
    const stamp = stampOf(folder, made, compiler);
    if (isCurrent(folder, made, stamp)) continue;
    await compileFolder(folder, made, compiler);
    writeFileSync(stampPath(folder), stamp);
    say(`${basename(folder)}: ${relative(folder, outputOf(folder, made))} by ${compiler.version}`);
  }
  return true;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.slice(2).map((folder) => resolve(folder));
  await buildNativeKernels(folders.length > 0 ? folders : undefined);
}
