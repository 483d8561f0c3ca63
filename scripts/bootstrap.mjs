// From a clean clone with Node and npm alone to an installed, built workspace; in a moment when nothing changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, root, step } from './steps.mjs';

const stampPath = join(root, 'node_modules', '.cache', 'tf-bootstrap.json');

/** An install is as good as its lock file and the Node that ran it. */
const stampNow = () => {
  const lock = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml'))).digest('hex');
  return JSON.stringify({ lock, node: process.version });
};

const isInstalled = () =>
  existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stampNow() && existsSync(join(root, 'node_modules', '.bin', 'turbo'));

const checkNode = () => {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 20) return true;
  console.log(`✗ Node ${process.version} is too old: tf needs Node 20 or later`);
  return false;
};

const install = async () => {
  if (isInstalled()) {
    note('install', 'the lock file and Node are as they were: nothing to do');
    return true;
  }
  // corepack refuses pnpm's newer signing keys, so npm brings pnpm.
  const pnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
  const command = ['npx', '--yes', '--prefer-offline', pnpm, 'install', '--frozen-lockfile'];
  if (!(await step('install', `${pnpm}, exactly what the lock file says (about 15 s the first time)`, command, { held: true }))) return false;
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  writeFileSync(stampPath, stampNow());
  return true;
};

const build = () => step('build', 'every package that changed, by turbo (about 15 s the first time)', ['turbo', 'run', 'build'], { held: true });

/** Before the build, which shows nothing until it ends. */
const kernels = () => step('kernels', 'C and Fortran to WebAssembly where they changed (LAPACK: some minutes the first time)', ['node', 'scripts/kernels.mjs']);

/** An engine without its library is absent, which fails where it is required (scripts/test.mjs). */
const native = () => step('native', 'BLAS and LAPACK of the machine', ['node', 'scripts/native.mjs']);

/** Resolves to true when the workspace is installed. */
export const installWorkspace = async () => checkNode() && (await install());

/** Resolves to true when the workspace is installed and built. */
export const bootstrap = async () => (await installWorkspace()) && (await native()) && (await kernels()) && (await build());
