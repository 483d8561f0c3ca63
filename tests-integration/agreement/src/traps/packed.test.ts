import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: unknown;
}

function read(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** All files that an `exports` field names. */
function targets(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return [exports];
  return Object.values(exports as object).flatMap(targets);
}

const published = ['packages', 'engines', 'extensions']
  .filter((room) => existsSync(join(root, room)))
  .flatMap((room) => readdirSync(join(root, room)).map((name) => join(root, room, name)))
  .filter((folder) => existsSync(join(folder, 'package.json')) && read(folder).private !== true);

/** The manifest and the files of the packed tarball. */
function pack(folder: string): { readonly manifest: Manifest; readonly text: string; readonly files: readonly string[] } {
  const out = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs'), 'pack', '--pack-destination', out], { cwd: folder, stdio: 'pipe' });
    const tarball = join(out, readdirSync(out)[0] as string);
    const tar = (...args: readonly string[]): string => execFileSync('tar', args, { encoding: 'utf8' });
    const text = tar('-xzOf', tarball, 'package/package.json');
    return { text, manifest: JSON.parse(text) as Manifest, files: tar('-tzf', tarball).trim().split('\n').map((file) => file.replace(/^package/, '.')) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

test('there is something to publish', () => {
  expect(published.length).toBeGreaterThanOrEqual(4);
});

test.each(published.map((folder) => [read(folder).name, folder] as const))('%s, packed, installs anywhere: no workspace: version, no path into sources, no source', { timeout: 60_000 }, (_name, folder) => {
  const { manifest, text, files } = pack(folder);
  expect(text).not.toContain('workspace:');
  expect(text).not.toContain('@tf/source');
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (name.startsWith('@tf/')) expect(range).toMatch(/^[\^~]?\d+\.\d+\.\d+/);
  }
  const named = targets(manifest.exports);
  expect(named.every((target) => /^\.\/(package\.json|dist\/.*|[^/]+\.node)$/.test(target))).toBe(true);
  expect(files.filter((file) => /^\.\/(src|node_modules|\.cache)\//.test(file))).toEqual([]);
  expect(files).toContain('./LICENSE');
  // Files to be built are there after `pnpm build`, which `npm test` runs first.
  if (existsSync(join(folder, 'dist')) || named.every((target) => !target.startsWith('./dist/'))) expect(named.filter((target) => !files.includes(target))).toEqual([]);
});
