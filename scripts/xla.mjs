// pnpm test:xla [VITEST ARGUMENT …]: every case of core, forward and derivative, the families' operations and the oracle's cases, exported and run by XLA through JAX. Uses the JAX of python3, else installs one into node_modules/.cache/xla.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'xla');
const installed = join(folder, 'bin', 'python');

const runs = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
const hasJax = (python) => spawnSync(python, ['-c', 'import jax'], { stdio: 'ignore' }).status === 0;

/** A Python with JAX: the one that TF_XLA_PYTHON names, python3, or one made here; undefined where there is no Python, or its registry is out of reach. */
function findPython() {
  const named = process.env.TF_XLA_PYTHON ?? 'python3';
  if (hasJax(named)) return named;
  if (existsSync(installed) && hasJax(installed)) return installed;
  if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  console.log(`installing JAX into ${folder}`);
  return runs('python3', '-m', 'venv', folder) && runs(installed, '-m', 'pip', 'install', '--quiet', 'jax') && hasJax(installed) ? installed : undefined;
}

const python = findPython();
if (python === undefined) {
  const isRequired = (process.env.TF_REQUIRE ?? '').split(',').some((name) => name.trim() === 'xla');
  console.log(`xla is absent: python3 with venv and pip, and its registry, are needed to install JAX${isRequired ? '; it is required (TF_REQUIRE)' : ''}`);
  console.log(isRequired ? '0 passed, 1 failed, 0 skipped' : '0 passed, 0 failed, 1 skipped');
  process.exit(isRequired ? 1 : 0);
}
const environment = { ...process.env, TF_XLA_PYTHON: python, TF_XLA_ALL: '1', TF_REQUIRE: [process.env.TF_REQUIRE, 'xla'].filter(Boolean).join(',') };
const test = (...args) => spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], { cwd: root, stdio: 'inherit', env: environment }).status ?? 1;
const own = process.argv.slice(2);
const statuses = [test('--project', 'packages/export-stablehlo', '--project', 'tests-integration/xla', ...own), ...(own.length > 0 ? [] : [test('--project', 'tests-integration/oracle', 'src/exported.test.ts')])];
process.exit(statuses.find((status) => status !== 0) ?? 0);
