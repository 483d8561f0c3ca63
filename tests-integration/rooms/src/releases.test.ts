import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './tree.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

/** What a changeset says of packages, between its two rules. */
function bumpsOf(text: string): ReadonlyMap<string, string> {
  const [, header = ''] = text.split(/^---$/m);
  return new Map([...header.matchAll(/^['"]?([^'":]+)['"]?: (major|minor|patch)$/gm)].map(([, name, bump]) => [name as string, bump as string]));
}

function manifests(): readonly (Manifest & { readonly folder: string })[] {
  return ['packages', 'engines', 'extensions'].flatMap((kind) => {
    if (!existsSync(join(repository, kind))) return [];
    return readdirSync(join(repository, kind)).flatMap((name) => {
      const file = join(repository, kind, name, 'package.json');
      return existsSync(file) ? [{ ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest), folder: dirname(file) }] : [];
    });
  });
}

it('the first release of every package is 1.0.0', () => {
  const changesets = readdirSync(join(repository, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const bumps = changesets.map((name) => bumpsOf(readFileSync(join(repository, '.changeset', name), 'utf8')));
  const unreleased = manifests().filter(({ folder, private: isPrivate = false }) => !isPrivate && !existsSync(join(folder, 'CHANGELOG.md')));
  const wrong = unreleased.filter(({ name, version }) => version !== '0.0.0' || !bumps.some((of) => of.get(name) === 'major'));
  expect(wrong.map(({ name, version }) => `${name} ${version}: give it version 0.0.0 and a line in .changeset/first-release.md`)).toEqual([]);
});

it('changesets name packages that there are', () => {
  const known = new Set(manifests().map(({ name }) => name));
  const changesets = readdirSync(join(repository, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const named = changesets.flatMap((name) => [...bumpsOf(readFileSync(join(repository, '.changeset', name), 'utf8')).keys()]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThanOrEqual(changesets.length);
});
