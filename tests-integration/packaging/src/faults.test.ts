/** Each check finds the fault that it is there for: small packages with one fault each, beside their right twin. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkApi } from './checks/api.ts';
import { checkImports } from './checks/imports.ts';
import { checkManifests } from './checks/manifests.ts';
import { checkSizes } from './checks/sizes.ts';
import { checkSupply } from './checks/supply.ts';
import { checkTypes } from './checks/types.ts';
import { CleanFolder } from './clean-folder.ts';
import { open, type PackedPackage } from './packed.ts';
import { required } from './program.ts';
import { nodes } from './tools.ts';

const place = mkdtempSync(join(realpathSync(tmpdir()), 'tf-faults-'));

const right = {
  name: '@tf/small',
  version: '1.0.0',
  description: 'One function',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  files: ['dist'],
  main: './dist/index.cjs',
  module: './dist/index.js',
  types: './dist/index.d.ts',
  exports: { '.': { import: { types: './dist/index.d.ts', default: './dist/index.js' }, require: { types: './dist/index.d.cts', default: './dist/index.cjs' } } },
};

const code = {
  'README.md': '# small',
  LICENSE: 'MIT',
  'dist/index.js': 'export function one() {\n  return 1;\n}\n',
  'dist/index.cjs': 'Object.defineProperty(exports, "__esModule", { value: true });\nexports.one = () => 1;\n',
  'dist/index.d.ts': 'export declare function one(): number;\n',
  'dist/index.d.cts': 'export declare function one(): number;\n',
};

/** Packs a package that is right but for what is said here. */
async function packSmall(label: string, manifest: Readonly<Record<string, unknown>> = {}, files: Readonly<Record<string, string>> = {}): Promise<PackedPackage> {
  const folder = join(place, label);
  for (const [file, text] of Object.entries({ ...code, ...files, 'package.json': JSON.stringify({ ...right, ...manifest }) })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  await required('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: folder });
  return open(join(folder, 'tf-small-1.0.0.tgz'));
}

/** A folder where it is installed, as far as that matters. */
function installed(packed: PackedPackage): CleanFolder {
  const folder = new CleanFolder('imports');
  cpSync(packed.folder, join(folder.path, 'node_modules', packed.name), { recursive: true });
  return folder;
}

describe('a planted fault is found', { timeout: 60_000 }, () => {
  let sound: PackedPackage;
  let folder: CleanFolder;

  beforeAll(async () => {
    sound = await packSmall('sound');
    folder = installed(sound);
  }, 60_000);

  afterAll(() => {
    folder?.remove();
    rmSync(place, { recursive: true });
  });

  test('and a package without one passes every check', async () => {
    const kept = join(place, 'api');
    checkApi(folder, [sound], { write: true, kept });
    const sections = [
      checkManifests([sound]),
      await checkTypes([sound]),
      await checkImports(folder, [sound], nodes[0]!),
      await checkSizes(folder, [sound], { programs: {}, entries: { '@tf/small': 60 } }),
      checkApi(folder, [sound], { kept }),
    ];
    expect(sections.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test.each([
    ['a file that `files` leaves out', { files: ['dist/*.js', 'dist/*.cjs', 'dist/*.d.ts'] }, {}, /exports \. names dist\/index\.d\.cts, which is not packed/],
    ['a script at installation', { scripts: { postinstall: 'node fetch.js' } }, {}, /a script runs at installation: postinstall/],
    ['a dependency that is not tf\'s own', { dependencies: { 'left-pad': '^1.0.0' } }, {}, /dependencies names left-pad/],
    ['a workspace range', { peerDependencies: { '@tf/small': 'workspace:^' } }, {}, /workspace:, which no registry knows/],
    ['a range that promises too much', { peerDependencies: { '@tf/small': '>=1' } }, {}, /peerDependencies @tf\/small has the range >=1/],
    ['an import that no manifest names', {}, { 'dist/index.js': "import { x } from 'undeclared';\nexport const one = () => x;\n" }, /dist\/index\.js imports undeclared/],
    ['an asset that is not packed', {}, { 'dist/index.js': "export const one = () => new URL('../wasm/one.wasm', import.meta.url);\n" }, /dist\/index\.js names wasm\/one\.wasm, which is not packed/],
    ['no licence', { license: undefined }, {}, /no licence/],
    ['no entry for programs that do not read exports', { module: undefined, main: './dist/index.js' }, {}, /main is \.\/dist\/index\.js, and exports has \.\/dist\/index\.cjs/],
    ['a source that was packed', { files: ['dist', 'src'] }, { 'src/index.ts': 'export const one = 1;' }, /src\/index\.ts has no place/],
  ])('%s', async (label, manifest, files, said) => {
    const { faults } = checkManifests([await packSmall(label.replace(/\W/g, '-'), manifest, files)]);
    expect(faults).toContainEqual(expect.stringMatching(said));
  });

  test('types of the wrong kind, by attw, and a condition in the wrong place, by publint', async () => {
    const masked = await packSmall('masked', { exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js', require: './dist/index.cjs' } } });
    expect((await checkTypes([masked])).faults).toContainEqual(expect.stringMatching(/attw: FalseESM/));
    const late = await packSmall('late', { exports: { '.': { import: { default: './dist/index.js', types: './dist/index.d.ts' }, require: { types: './dist/index.d.cts', default: './dist/index.cjs' } } } });
    expect((await checkTypes([late])).faults).toContainEqual(expect.stringMatching(/publint: .*types/));
  });

  test('a side effect on import, and a name that CommonJS lacks', async () => {
    const loud = await packSmall('loud', {}, { 'dist/index.js': "globalThis.small = 1;\nfetch('http://127.0.0.1:1/');\nexport function one() {}\nexport function two() {}\n" });
    const there = installed(loud);
    const { faults } = await checkImports(there, [loud], nodes[0]!);
    there.remove();
    expect(faults).toEqual(['@tf/small: import and require give different names', 'imports add to globalThis: small', expect.stringMatching(/^imports reach for the network: http:\/\/127/)]);
  });

  test('a budget that is exceeded, one that is missing, and what a bundle keeps without using it', async () => {
    const kept = await packSmall('kept', { sideEffects: true }, { 'dist/index.js': 'globalThis.small = 1;\nexport function one() {\n  return 1;\n}\n' });
    const there = installed(kept);
    const { faults } = await checkSizes(there, [kept], { programs: { program: { code: "import { one } from '@tf/small'; console.log(one());", gzip: 10, without: ['globalThis.small'] } }, entries: {} });
    there.remove();
    expect(faults).toEqual([
      expect.stringMatching(/^program: \d+ bytes of gzip, \d+ over its budget$/),
      'program: "globalThis.small" is in it and is not used',
      expect.stringMatching(/^@tf\/small: no budget in budgets\.json; it has \d+ bytes$/),
      expect.stringMatching(/^@tf\/small: imported and not used, it leaves \d+ bytes: globalThis\.small/),
    ]);
  });

  test('code that reaches for the network, and a kernel without the notice that its licence asks for', async () => {
    const reaching = await packSmall('reaching', { files: ['dist', 'wasm'] }, { 'dist/index.js': "export const one = () => fetch('/one');\n", 'wasm/linalg-float64.wasm': '' });
    expect(checkSupply([reaching]).faults).toEqual(['@tf/small: dist/index.js has fetch(', '@tf/small: what is compiled in asks for wasm/LICENSE-LAPACK.txt']);
  });

  test('a public type that changed', () => {
    const kept = join(place, 'changed');
    checkApi(folder, [sound], { write: true, kept });
    const file = join(kept, 'small.api.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('one(): number', 'one(): string'));
    writeFileSync(join(kept, 'gone.api.md'), '');
    expect(checkApi(folder, [sound], { kept }).faults).toEqual([expect.stringMatching(/^api\/small\.api\.md: the public types changed, line \d+: "export function one\(\): string;" → "export function one\(\): number;"/), 'api/gone.api.md is of an entry that there is no more']);
  });
});
