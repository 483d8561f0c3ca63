import { readFileSync } from 'node:fs';
import { createCatalog } from '@tf/core';
import { expect, test } from 'vitest';
import { fftExtension } from './extension.ts';
import { fftVersion } from './version.ts';

test('the version is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  expect(fftVersion).toBe(version);
});

test('the rules of one version refuse the operations of another', () => {
  const catalog = createCatalog([fftExtension]);
  for (const operation of fftExtension.operations) {
    expect(() => catalog.rule({ ...operation })).not.toThrow();
    expect(() => catalog.rule({ ...operation, version: '999.0.0' })).toThrow(`made by @tf/fft 999.0.0, and the rules registered are those of @tf/fft ${fftVersion}`);
  }
});
