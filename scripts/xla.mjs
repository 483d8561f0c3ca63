// pnpm test:xla [VITEST ARGUMENT …]: every case of core, forward and derivative, and the families' operations, exported and run by XLA through JAX. Uses the JAX of python3, else installs one into node_modules/.cache/xla.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'xla');
const own = join(folder, 'bin', 'python');

const runs = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
const hasJax = (python) => spawnSync(python, ['-c', 'import jax'], { stdio: 'ignore' }).status === 0;

/** A Python with JAX; undefined where there is no Python, or its registry is out of reach. */
function findPython() {
  if (hasJax('python3')) return 'python3';
  if (existsSync(own) && hasJax(own)) return own;
  if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  console.log(`installing JAX into ${folder}`);
  return runs('python3', '-m', 'venv', folder) && runs(own, '-m', 'pip', 'install', '--quiet', 'jax') && hasJax(own) ? own : undefined;
}

const python = findPython();
if (python === undefined) {
  const isRequired = (process.env.TF_REQUIRE ?? '').split(',').some((name) => name.trim() === 'xla');
  console.log(`xla is absent: python3 with venv and pip, and its registry, are needed to install JAX${isRequired ? '; it is required (TF_REQUIRE)' : ''}`);
  console.log(isRequired ? '0 passed, 1 failed, 0 skipped' : '0 passed, 0 failed, 1 skipped');
  process.exit(isRequired ? 1 : 0);
}
const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'packages/export-stablehlo', '--project', 'tests-integration/xla', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TF_XLA_PYTHON: python, TF_XLA_ALL: '1', TF_REQUIRE: [process.env.TF_REQUIRE, 'xla'].filter(Boolean).join(',') },
});
process.exit(status ?? 1);
