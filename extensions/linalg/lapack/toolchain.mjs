// The source of LAPACK, f2c and a compiler: what is installed, else Debian's packages, unpacked into a cache. Nothing is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Shared by all checkouts: sources, tools and objects are named by what they are made of. */
export const cacheFolder = process.env.TF_LAPACK_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tf-lapack');

const lapack = { package: 'lapack', version: '3.11.0-2', archive: 'lapack_3.11.0.orig.tar.gz', folder: 'lapack-3.11.0', sha256: '4b9ba79bfd4921ca820e83979db76ab3363155709444a787979e81c22285ffa9' };
const compilerPackages = ['clang-19', 'lld-19', 'libclang-common-19-dev', 'libclang-cpp19', 'libllvm19'];

export const wanted = 'Debian 12 (or a machine with apt-get, dpkg-deb and its package registry): the source package lapack 3.11, f2c, clang-19 and lld-19. Installed f2c, clang-19 and wasm-ld-19 are used where they are there; the source may lie in $TF_LAPACK_SOURCE.';

const run = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
  return stdout;
};

const works = (command, args = ['--version'], env = process.env) => spawnSync(command, args, { env, stdio: 'ignore' }).status === 0;

/** apt-get with lists, archives and sources of its own: the machine's stay as they are. */
const aptGet = (say) => {
  const folder = join(cacheFolder, 'apt');
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, name), { recursive: true });
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, ['deb', 'deb-src'].map((kind) => `${kind} http://deb.debian.org/debian bookworm main\n`).join(''));
  const options = ['Dir::Etc::sourcelist=' + sources, 'Dir::Etc::sourceparts=-', `Dir::State::lists=${folder}/lists`, `Dir::Cache=${folder}`, `Dir::Cache::archives=${folder}/archives`, 'APT::Sandbox::User='].flatMap((option) => ['-o', option]);
  const call = (...args) => run('apt-get', [...options, '-q', ...args], { cwd: folder });
  say('lists of packages');
  call('update');
  return { folder, call };
};

/** Done once: a folder appears whole or not at all. */
const unpacked = (folder, fill) => {
  const path = join(cacheFolder, folder);
  if (existsSync(path)) return path;
  const partial = `${path}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  fill(partial);
  if (existsSync(path)) rmSync(partial, { recursive: true });
  else renameSync(partial, path);
  return path;
};

const unpackPackages = (apt, names, into, say) => {
  say(names.join(', '));
  apt().call('download', ...names);
  for (const file of readdirSync(apt().folder).filter((name) => names.some((one) => name.startsWith(`${one}_`) && name.endsWith('.deb')))) {
    run('dpkg-deb', ['-x', join(apt().folder, file), into]);
    rmSync(join(apt().folder, file));
  }
};

const findSource = (apt, say) => {
  if (process.env.TF_LAPACK_SOURCE !== undefined) return process.env.TF_LAPACK_SOURCE;
  return join(unpacked(`source-${lapack.version}`, (into) => {
    say(`source of LAPACK, ${lapack.version}`);
    apt().call('source', '--download-only', `${lapack.package}=${lapack.version}`);
    const archive = join(apt().folder, lapack.archive);
    const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (sum !== lapack.sha256) throw new Error(`${lapack.archive} has sha256 ${sum}, not ${lapack.sha256}`);
    run('tar', ['xzf', archive, '-C', into]);
  }), lapack.folder);
};

const findF2c = (apt, say) => {
  // Without a file it reads Fortran from standard input, which is empty.
  if (works('f2c', ['-v'])) return { path: 'f2c', env: process.env };
  const folder = unpacked('f2c', (into) => unpackPackages(apt, ['f2c'], into, say));
  return { path: join(folder, 'usr/bin/f2c'), env: process.env };
};

/** Objects of one version are not taken for those of another. */
const withVersion = (compiler) => ({ ...compiler, version: run(compiler.clang, ['--version'], { env: compiler.env }).split('\n')[0] });

const findCompiler = (apt, say) => {
  if (works('clang-19') && works('wasm-ld-19')) return withVersion({ clang: 'clang-19', linker: 'wasm-ld-19', env: process.env });
  const folder = unpacked('clang-19', (into) => unpackPackages(apt, compilerPackages, into, say));
  const libraries = readdirSync(join(folder, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu')).map((name) => join(folder, 'usr/lib', name));
  const env = { ...process.env, LD_LIBRARY_PATH: [...libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
  const tool = (name) => join(folder, 'usr/lib/llvm-19/bin', name);
  return withVersion({ clang: tool('clang'), linker: tool('wasm-ld'), env });
};

/** All of them, or undefined where this machine has not got them and cannot fetch them. */
export const findToolchain = (say) => {
  let opened;
  const apt = () => (opened ??= aptGet(say));
  try {
    return { source: findSource(apt, say), f2c: findF2c(apt, say), ...findCompiler(apt, say) };
  } catch (error) {
    say(String(error.message).split('\n').slice(0, 4).join('\n'));
    return undefined;
  }
};
