/** What users and authors do with a registry: install, run, make a family of their own, take releases one by one. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CleanFolder } from '../clean-folder.ts';
import { required } from '../program.ts';
import type { Section } from '../section.ts';
import type { Staged } from '../staged.ts';
import { nodes, others } from '../tools.ts';
import { Findings, jsonOf } from './findings.ts';

function installedNames(folder: CleanFolder): readonly string[] {
  return readdirSync(join(folder.path, 'node_modules')).flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder.path, 'node_modules', name)).map((sub) => `${name}/${sub}`) : name.startsWith('.') ? [] : [name])).sort();
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Everything is published, once. */
export async function publishAll(staged: Staged): Promise<Section> {
  const found = new Findings();
  const { raised, published } = await staged.release();
  found.expect('the first release of each is 1.0.0', raised.filter(({ to }) => to !== '1.0.0').map(({ name, to }) => `${name} ${to}`), []);
  found.expect('what is raised is published', [...published].sort(), raised.map(({ name, to }) => `${name}@${to}`).sort());
  found.expect('a second run publishes nothing', (await staged.release()).published, []);
  return { ...found.section('published to a registry'), counted: { packages: published.length } };
}

/** (a) core, traced and an engine: nothing else is installed, and every JavaScript engine runs it. */
export async function checkSmallApp(staged: Staged): Promise<Section> {
  const found = new Findings();
  const folder = new CleanFolder('traced');
  const names = ['@tf/core', '@tf/engine-cpu-wasm', '@tf/traced'];
  await folder.npm(staged.registry.url, 'install', ...names);
  found.expect('what is installed', installedNames(folder), names);
  found.notes.push(`installed: ${(bytesOf(join(folder.path, 'node_modules')) / 1e6).toFixed(2)} MB in ${names.length} packages`);
  for (const runtime of [...nodes, ...others]) for (const file of ['app.mjs', 'app.cjs']) found.expect(`${file}, ${runtime.name}`, await jsonOf(folder, runtime, file), [2, 4, 6]);
  const permission = process.versions.node.startsWith('20.') ? '--experimental-permission' : '--permission';
  found.expect('with nothing but its own folder to read', await jsonOf(folder, { name: 'confined', program: process.execPath, before: [permission, `--allow-fs-read=${folder.path}/*`, '--no-warnings'] }, 'app.mjs'), [2, 4, 6]);
  folder.remove();
  return found.section('(a) core, traced, engine-cpu-wasm');
}

interface NativeApp {
  readonly slope?: unknown;
  readonly versions?: readonly string[];
  readonly absent?: string;
}

const nativeNames: readonly string[] = ['@tf/core', '@tf/eager', '@tf/linalg', '@tf/engine-cpu-blas-native'];
const slope = [[-0.25, -0.125], [-0.125, -0.0625]];

/** (b) eager and linalg on the native engine, then (d) a patch of linalg alone. */
export async function checkNativeApp(staged: Staged): Promise<Section> {
  const found = new Findings();
  const folder = new CleanFolder('native-eager');
  await folder.npm(staged.registry.url, 'install', ...nativeNames);
  found.expect('what is installed', installedNames(folder), [...nativeNames, '@tf/engine-cpu-blas-native-linux-x64'].sort());
  for (const runtime of nodes) {
    const said = (await jsonOf(folder, runtime, 'app.mjs')) as NativeApp;
    if (said.absent === undefined) found.expect(`the gradient of a sum of an inverse, ${runtime.name}`, [said.slope, said.versions], [slope, ['1.0.0', '1.0.0', '1.0.0', '1.0.0']]);
    else found.matches(`why there is no engine, ${runtime.name}`, said.absent, /no BLAS and LAPACK/);
  }
  staged.change('@tf/linalg', 'patch');
  const { raised, published } = await staged.release();
  found.expect('a patch of linalg raises', raised, [{ name: '@tf/linalg', from: '1.0.0', to: '1.0.1' }]);
  found.expect('and publishes', published, ['@tf/linalg@1.0.1']);
  const lockOf = (): Readonly<Record<string, { readonly version: string }>> => (JSON.parse(readFileSync(join(folder.path, 'package-lock.json'), 'utf8')) as { readonly packages: Readonly<Record<string, { readonly version: string }>> }).packages;
  const before = lockOf();
  await folder.npm(staged.registry.url, 'update', '@tf/linalg');
  const after = lockOf();
  found.expect('what the update touches', Object.keys(after).filter((path) => path !== '' && after[path]?.version !== before[path]?.version).map((path) => `${path} ${after[path]?.version}`), ['node_modules/@tf/linalg 1.0.1']);
  const said = (await jsonOf(folder, nodes[0]!, 'app.mjs')) as NativeApp;
  if (said.absent === undefined) found.expect('the same app with it', [said.slope, said.versions], [slope, ['1.0.0', '1.0.0', '1.0.1', '1.0.0']]);
  folder.remove();
  return found.section('(b) eager, linalg, blas-native; (d) a patch');
}

/** (c) A family that `npm create` makes: its laws, its build, published, and used by another app in both modes, with types. */
export async function checkOwnFamily(staged: Staged): Promise<Section> {
  const found = new Findings();
  const { url, userconfig } = staged.registry;
  const author = new CleanFolder();
  await author.npm(url, 'create', '--yes', '@tf/extension', '@you/tf-waves');
  const family = join(author.path, 'tf-waves');
  // The tools that authors use come from where they always do.
  writeFileSync(join(family, '.npmrc'), `@tf:registry=${url}\n`);
  await required('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: family });
  found.matches('its suite', await required('npm', ['test'], { cwd: family, environment: { CI: 'true', NO_COLOR: '1' } }), /Tests +(1[5-9]|[2-9]\d) passed/);
  await required('npm', ['publish', '--access=public', `--registry=${url}`, `--userconfig=${userconfig}`], { cwd: family });
  author.remove();
  await useFamily(found, staged, '1.0.0', '1.0.0');
  return found.section('(c) a family made by npm create');
}

/** An app with the published family and core of a version. */
async function useFamily(found: Findings, staged: Staged, core: string, others: string): Promise<void> {
  const user = new CleanFolder('third-party');
  await user.npm(staged.registry.url, 'install', '@you/tf-waves@1.0.0', `@tf/core@${core}`, ...['traced', 'eager', 'testkit', 'engine-cpu-wasm'].map((name) => `@tf/${name}@${others}`));
  for (const file of ['app.mts', 'suite.mjs']) writeFileSync(join(user.path, file), readFileSync(join(user.path, file), 'utf8').replaceAll('@acme/tf-logcosh', '@you/tf-waves'));
  found.expect(`one copy of core ${core}`, installedNames(user).filter((name) => name === '@tf/core').length, 1);
  found.expect(`types with core ${core}`, await user.types(), { code: 0, output: '' });
  const said = (await jsonOf(user, nodes[0]!, 'app.mjs')) as { readonly traced?: readonly number[]; readonly eager?: readonly number[]; readonly refusal?: string };
  found.expect(`both modes with core ${core}`, said.eager, said.traced);
  found.expect(`the slope with core ${core}`, said.traced?.map((value) => value.toFixed(9)), [0, 1, -2].map((x) => Math.tanh(x).toFixed(9)));
  found.matches(`the refusal with core ${core}`, said.refusal ?? '', /you\.waves\.v1/);
  found.matches(`its laws with core ${core}`, (await user.node('--test', '--test-reporter=tap', 'suite.mjs')).output, /^# pass (1[5-9]|[2-9]\d)\n# fail 0$/m);
  user.remove();
}

/** (f) an old family with a newer minor of core, and (e) two versions of core side by side. */
export async function checkNewerCore(staged: Staged): Promise<Section> {
  const found = new Findings();
  staged.change('@tf/core', 'minor');
  found.expect('a minor of core raises', (await staged.release()).raised, [{ name: '@tf/core', from: '1.0.0', to: '1.1.0' }]);
  await useFamily(found, staged, '1.1.0', '1.0.0');
  const both = new CleanFolder('two-cores');
  await both.npm(staged.registry.url, 'install', '@tf/core@1.0.0', 'core-next@npm:@tf/core@1.1.0', '@tf/traced', '@tf/eager', '@tf/engine-cpu-wasm');
  const app = join(both.path, 'app.mjs');
  writeFileSync(app, readFileSync(app, 'utf8').replace("next from '@tf/core'", "next from 'core-next'"));
  const said = (await jsonOf(both, nodes[0]!, 'app.mjs')) as Readonly<Record<string, unknown>>;
  found.checked += Object.keys(said).length;
  for (const [what, outcome] of Object.entries(said)) if (outcome !== 'works' && !(typeof outcome === 'string' && /^\w+Error: .*1\.0\.0.*1\.1\.0|^\w+Error: .*1\.1\.0.*1\.0\.0/.test(outcome))) found.faults.push(`two cores: ${what}: ${JSON.stringify(outcome)} neither works nor names both versions`);
  if (Object.keys(said).length < 5) found.faults.push(`two cores: ${JSON.stringify(said)}`);
  found.notes.push(...Object.entries(said).map(([what, outcome]) => `two cores: ${what}: ${String(outcome).slice(0, 160)}`));
  both.remove();
  return found.section('(e) two cores; (f) an old family, a newer core');
}

