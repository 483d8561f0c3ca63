import { readFileSync } from 'node:fs';
import { createCatalog } from '@tf/core';
import { expect, test } from 'vitest';
import { einsumExtension } from './extension.ts';
import { einsumVersion } from './version.ts';

test('the version is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  expect(einsumVersion).toBe(version);
});

test('the rules of one version refuse the operations of another', () => {
  const catalog = createCatalog([einsumExtension]);
  for (const operation of einsumExtension.operations) {
    expect(() => catalog.rule({ ...operation })).not.toThrow();
    expect(() => catalog.rule({ ...operation, version: '999.0.0' })).toThrow(`made by @tf/einsum 999.0.0, and the rules registered are those of @tf/einsum ${einsumVersion}`);
  }
});
