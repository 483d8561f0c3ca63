/** Packages as they are published: packed, and opened again to be looked at. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { required } from './program.ts';
import { type Manifest, publishedFolders, readManifest, repository } from './workspace.ts';

export interface PackedPackage {
  readonly name: string;
  readonly manifest: Manifest;
  readonly tarball: string;
  /** Where it lies opened. */
  readonly folder: string;
  /** What is in it, by paths from `folder`. */
  readonly files: readonly string[];
}

export interface Packed {
  readonly packages: readonly PackedPackage[];
  remove(): void;
}

/** Packs what is built of `folders` (`npm test` and `pnpm packaging` build first) and opens it, somewhere outside the repository. */
export async function pack(folders: readonly string[] = publishedFolders()): Promise<Packed> {
  const filters = folders.map((folder) => `--filter=./${folder}`);
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'tf-packed-'));
  await required(join(repository, 'node_modules/.bin/pnpm'), ['--recursive', ...filters, 'pack', '--pack-destination', place], { cwd: repository });
  const tarballs = readdirSync(place).filter((name) => name.endsWith('.tgz'));
  if (tarballs.length !== folders.length) throw new Error(`packed ${folders.length} packages, got ${tarballs.join(', ')}`);
  const packages = await Promise.all(tarballs.map((name) => open(join(place, name))));
  return { packages, remove: () => void rmSync(place, { recursive: true, force: true }) };
}

/** Opens a tarball beside itself. */
export async function open(tarball: string): Promise<PackedPackage> {
  const into = tarball.replace(/\.tgz$/, '');
  mkdirSync(into);
  await required('tar', ['-xzf', tarball, '-C', into], { cwd: into });
  const folder = join(into, 'package');
  const manifest = readManifest(folder);
  return { name: manifest.name, manifest, tarball, folder, files: filesOf(folder) };
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** What `exports` names: by subpath and conditions (`import.types`), a path from the package's folder. */
export function targetsOf(manifest: Manifest): readonly { readonly subpath: string; readonly conditions: string; readonly path: string }[] {
  const walk = (subpath: string, conditions: readonly string[], target: unknown): readonly { readonly subpath: string; readonly conditions: string; readonly path: string }[] => {
    if (typeof target === 'string') return [{ subpath, conditions: conditions.join('.'), path: target.replace(/^\.\//, '') }];
    return Object.entries(target as Readonly<Record<string, unknown>>).flatMap(([condition, next]) => walk(subpath, [...conditions, condition], next));
  };
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => walk(subpath, [], target));
}

/** The names under which a package's JavaScript is imported. */
export function entriesOf({ name, manifest }: PackedPackage): readonly string[] {
  const isScript = (path: string): boolean => /\.[cm]?js$/.test(path);
  return [...new Set(targetsOf(manifest).filter(({ path }) => isScript(path)).map(({ subpath }) => name + subpath.slice(1)))];
}

export function textOf(packed: PackedPackage, file: string): string {
  return readFileSync(join(packed.folder, file), 'utf8');
}
