// npm test: everything that CI checks. The last line is `N passed, N failed, N skipped`.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap.mjs';
import { hasKernels, kernelFolders } from './kernels.mjs';
import { hasNativeKernels, nativeFolders } from './native-kernels.mjs';
import { root, step } from './steps.mjs';

const reportPath = join(root, 'node_modules', '.cache', 'tf-vitest.json');

/** An engine is present when its built package loads, and its library in C, if it has one, was compiled. */
const hasEngine = async (name) => {
  const entry = join(root, 'engines', name, 'dist', 'index.js');
  if (existsSync(join(root, 'engines', name, 'native')) && !existsSync(join(root, 'engines', name, 'build', 'tf.node'))) return false;
  return existsSync(entry) && Object.keys(await import(pathToFileURL(entry).href).catch(() => ({}))).length > 0;
};

/** Kernels, `fft-wasm` for instance, are present when they were compiled from the sources that are there. */
const kernels = new Map([
  ...kernelFolders().map((folder) => [`${basename(folder)}-wasm`, () => hasKernels(folder)]),
  ...nativeFolders().map((folder) => [`${basename(folder)}-native`, () => hasNativeKernels(folder)]),
]);

/** TF_REQUIRE names the engines and kernels that may not be absent. */
const checkEngines = async () => {
  const required = (process.env.TF_REQUIRE ?? '').split(',').map((name) => name.trim()).filter(Boolean);
  const known = existsSync(join(root, 'engines')) ? readdirSync(join(root, 'engines')) : [];
  let missing = 0;
  for (const name of new Set([...known, ...kernels.keys(), ...required])) {
    const isCurrent = kernels.get(name);
    const present = isCurrent === undefined ? await hasEngine(name) : await isCurrent();
    const needed = required.includes(name);
    console.log(`${isCurrent === undefined ? 'engine' : 'kernels'} ${name}: ${present ? 'present' : 'absent'}, ${needed ? 'required' : 'not required'}`);
    if (needed && !present) missing += 1;
  }
  return missing === 0;
};

/** A file that fails to load has no tests to count, so it counts as one failure itself. */
const countTests = () => {
  if (!existsSync(reportPath)) return { passed: 0, failed: 1, skipped: 0, absent: [] };
  const report = JSON.parse(readFileSync(reportPath, 'utf8'));
  const unloaded = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  const absent = report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status, title }) => status !== 'passed' && status !== 'failed' && / is absent: /.test(title)).map(({ title }) => title));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
    absent,
  };
};

const runTests = async () => {
  rmSync(reportPath, { force: true });
  const command = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
  const green = await step('test', 'vitest, every project', command);
  const counts = countTests();
  // Vitest also fails for what belongs to no test, an unhandled rejection for instance.
  if (!green && counts.failed === 0) counts.failed = 1;
  if (counts.passed === 0) counts.failed = Math.max(counts.failed, 1);
  return counts;
};

const checks = [
  ['rooms', 'who may import whom', ['node', 'scripts/rooms.mjs']],
  ['lint', 'few rules, all errors', ['eslint', '.', '--max-warnings', '0']],
  ['typecheck', 'every project reference', ['tsc', '-b']],
  ['docs', 'every fence and every example', ['node', 'scripts/docs.mjs']],
];

const main = async () => {
  const refused = [];
  if (!(await bootstrap())) refused.push('bootstrap');
  if (existsSync(join(root, 'node_modules', '.bin', 'vitest'))) {
    for (const check of checks) if (!(await step(...check))) refused.push(check[0]);
    if (!(await checkEngines())) refused.push('engines');
  }
  const { passed, failed, skipped, absent } = await runTests();
  if (refused.length > 0) console.log(`\nchecks that failed, each counted below as one: ${refused.join(', ')}`);
  // What tests could not run with, a column of its own: each of these stands for tests that are not among those counted.
  console.log(`\n${absent.length} absent${absent.length === 0 ? '' : `:\n  ${[...new Set(absent)].join('\n  ')}`}`);
  console.log(`\n${passed} passed, ${failed + refused.length} failed, ${skipped} skipped`);
  process.exitCode = failed + refused.length > 0 ? 1 : 0;
};

await main();
