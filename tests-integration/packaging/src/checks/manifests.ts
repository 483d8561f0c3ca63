/** What lies in each tarball: all that its manifest and its code name, and nothing else. */
import { dirname, join } from 'node:path/posix';
import { builtinModules } from 'node:module';
import { type PackedPackage, targetsOf, textOf } from '../packed.ts';
import type { Section } from '../section.ts';
import type { Manifest } from '../workspace.ts';

/** What a tarball may hold. */
const expected = /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|tf\.node|dist\/.*\.(js|cjs|d\.ts|d\.cts)|wasm\/.*\.wasm(\.mjs)?|wasm\/LICENSE-[A-Z]+\.txt|native-build\/.*\.so|bin\/.*\.mjs|python\/.*\.py|dist\/template\/.*)$/;
const installScripts = ['preinstall', 'install', 'postinstall', 'prepare'];
/** Quoted names that code imports, statically or not. */
const importing = /(?:\bfrom\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|^import\s*)["']([^"'\n]+)["']\s*[);\n]/gm;
const asset = /new URL\(\s*["']([^"']+)["']\s*,\s*(?:import\.meta\.url|importMetaUrl)/g;

function manifestFaults({ name, manifest, files }: PackedPackage): readonly string[] {
  const text = JSON.stringify(manifest);
  const say = (isWrong: boolean, what: string): readonly string[] => (isWrong ? [`${name}: ${what}`] : []);
  return [
    ...say(/workspace:/.test(text), 'its manifest says workspace:, which no registry knows'),
    ...say(/@tf\/source/.test(text), 'its manifest names the source condition, and sources are not packed'),
    ...say(manifest.license !== 'MIT' || !files.includes('LICENSE'), 'no licence'),
    ...say(!files.includes('README.md'), 'no README.md: its page in a registry would be empty'),
    ...say(manifest.engines?.['node'] !== '>=20', 'engines.node is not >=20'),
    ...say(manifest.sideEffects !== false && files.some((file) => file.startsWith('dist/')), 'sideEffects is not false'),
    ...installScripts.flatMap((script) => say(manifest.scripts?.[script] !== undefined, `a script runs at installation: ${script}`)),
    ...files.filter((file) => !expected.test(file)).map((file) => `${name}: ${file} has no place in the package`),
    ...targetsOf(manifest).filter(({ path }) => !files.includes(path)).map(({ subpath, path }) => `${name}: exports ${subpath} names ${path}, which is not packed`),
  ];
}

/** Programs that do not read `exports` (Parcel as it comes, TypeScript's `node10`) find the main entry by these. */
function olderFaults({ name, manifest }: PackedPackage): readonly string[] {
  const main = targetsOf(manifest).filter(({ subpath }) => subpath === '.');
  if (main.length === 0) return [];
  const wanted = ([['main', 'require.default'], ['module', 'import.default'], ['types', 'import.types']] as const).map(([field, conditions]) => [field, `./${main.find((target) => target.conditions === conditions)?.path}`] as const);
  return wanted.filter(([field, path]) => manifest[field] !== path).map(([field, path]) => `${name}: ${field} is ${manifest[field] ?? 'absent'}, and exports has ${path}`);
}

/** Dependencies are tf's own; peers by a caret range; what is optional by the exact version. */
function dependencyFaults({ name, manifest }: PackedPackage, own: ReadonlyMap<string, Manifest>): readonly string[] {
  const wrong = (kind: keyof Manifest & `${string}ependencies`, shape: RegExp): readonly string[] =>
    Object.entries(manifest[kind] ?? {}).flatMap(([other, range]) => {
      if (!own.has(other)) return [`${name}: ${kind} names ${other}, which is not tf's own: the runtime tree is tf's alone`];
      return shape.test(range) ? [] : [`${name}: ${kind} ${other} has the range ${range}`];
    });
  return [...wrong('dependencies', /^\^\d+\.\d+\.\d+$/), ...wrong('peerDependencies', /^\^\d+\.\d+\.\d+$/), ...wrong('optionalDependencies', /^\d+\.\d+\.\d+$/)];
}

function packageOf(specifier: string): string {
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/** What code imports is there: beside it, in Node, or in a package that the manifest names. */
function importFaults(packed: PackedPackage, code: readonly string[]): readonly string[] {
  const { name, manifest, files } = packed;
  const declared = new Set([name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })]);
  const isThere = (file: string, specifier: string): boolean => {
    if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return true;
    if (!specifier.startsWith('.')) return declared.has(packageOf(specifier));
    const path = join(dirname(file), specifier);
    return files.includes(path) || files.includes(path.replace(/\.(c?)js$/, '.d.$1ts'));
  };
  return code.flatMap((file) => {
    const text = textOf(packed, file).replace(/\/\*[^]*?\*\//g, '');
    const assets = [...text.matchAll(asset)].map(([, path]) => join(dirname(file), path!)).filter((path) => !files.some((there) => there === path || (path.endsWith('/') && there.startsWith(path))) && !path.startsWith('build/'));
    const absent = [...text.matchAll(importing)].map(([, specifier]) => specifier!).filter((specifier) => !isThere(file, specifier));
    return [...new Set([...absent.map((specifier) => `${name}: ${file} imports ${specifier}, which is neither packed nor a dependency`), ...assets.map((path) => `${name}: ${file} names ${path}, which is not packed`)])];
  });
}

export function checkManifests(packages: readonly PackedPackage[]): Section {
  const own = new Map(packages.map(({ name, manifest }) => [name, manifest]));
  const code = new Map(packages.map((packed) => [packed, packed.files.filter((file) => /^dist\/(?!template\/).*\.(c?js|d\.c?ts)$/.test(file))]));
  return {
    name: 'tarballs',
    counted: { packages: packages.length, files: packages.reduce((sum, { files }) => sum + files.length, 0), exports: packages.reduce((sum, { manifest }) => sum + targetsOf(manifest).length, 0) },
    faults: packages.flatMap((packed) => [...manifestFaults(packed), ...olderFaults(packed), ...dependencyFaults(packed, own), ...importFaults(packed, code.get(packed) ?? [])]),
  };
}
