import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../../..', import.meta.url));

/** A package that is published: its readme is a page. */
export interface PublishedPackage {
  readonly name: string;
  /** Of its page: `packages/linalg`. */
  readonly page: string;
  /** Its folder in the repository. */
  readonly folder: string;
  readonly description: string;
  /** What it exports, by the name after its own, and the source of each. */
  readonly entries: readonly { readonly name: string; readonly source: string }[];
}

/** The name that users import: `@tf/linalg/host` for the entry `./host`. */
export const importName = (name: string, entry: string): string => (entry === '.' ? name : `${name}/${entry.slice(2)}`);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
}

/** Every published package with a readme, in the order of its folder's name. */
export function publishedPackages(root: string = repository): readonly PublishedPackage[] {
  return ['packages', 'extensions', 'engines'].flatMap((room) => readdirSync(join(root, room)).map((folder) => `${room}/${folder}`)).flatMap((folder) => {
    if (!['package.json', 'README.md'].every((file) => existsSync(join(root, folder, file)))) return [];
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    if (manifest.private === true) return [];
    const entries = Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => (typeof target === 'object' && typeof target['@tf/source'] === 'string' ? [{ name, source: target['@tf/source'] }] : []));
    return [{ name: manifest.name, page: `packages/${manifest.name.slice(manifest.name.indexOf('/') + 1)}`, folder, description: manifest.description ?? '', entries }];
  });
}
