import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExtension, extensionNames } from './create-extension.ts';
import { main } from './main.ts';

const place = mkdtempSync(join(tmpdir(), 'tf-create-'));

beforeAll(() => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../template.mjs', import.meta.url))]);
});

afterAll(() => {
  rmSync(place, { recursive: true });
});

it.each([
  ['@you/tf-waves', 'you.waves.v1', 'tf-waves'],
  ['tf-waves', 'waves.waves.v1', 'tf-waves'],
  ['@7up/2.d', 'x7up.x2-d.v1', '2.d'],
])('%s owns %s', (name, family, folder) => {
  expect(extensionNames(name)).toEqual({ package: name, family, folder });
});

it('refuses what is no name of a package', () => {
  expect(() => extensionNames('No Name')).toThrow('"No Name" is no name of a package. Take one like @you/tf-waves.');
});

it('writes a package under its own names, without anything of this repository', () => {
  const folder = join(place, 'waves');
  const { files } = createExtension('@you/tf-waves', folder);
  expect(files).toEqual(['.gitignore', 'README.md', 'conformance.test.ts', 'package.json', 'src/cases.ts', 'src/index.ts', 'tsconfig.json']);
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(text).not.toMatch(/acme|workspace:|@tf\/source|\.\.\/\.\./);
  expect(text).toContain("const family = 'you.waves.v1';");
  expect(() => createExtension('@you/tf-waves', folder)).toThrow(/waves is not empty\. Name another folder\.$/);
});

it('says how it is used, what it did and what was wrong', () => {
  const said: string[] = [];
  const printer = { log: (text: string) => void said.push(text), error: (text: string) => void said.push(`error: ${text}`) };
  expect([main([], place, printer), main(['@you/tf-more'], place, printer), main(['@you/tf-more'], place, printer)]).toEqual([2, 0, 1]);
  expect(said).toEqual([expect.stringMatching(/^error: npm create @tf\/extension PACKAGE/), expect.stringMatching(/^@you\/tf-more, which owns the family you\.more\.v1: 7 files in tf-more/), expect.stringMatching(/^error: .*tf-more is not empty/)]);
});
