import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { coreExtension } from '../primitives/extension.ts';
import { contractVersion, coreVersion } from './version.ts';

it('the version in the code is the version in package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(coreVersion).toBe(manifest.version);
  expect([coreExtension.version, coreExtension.contract]).toEqual([coreVersion, contractVersion]);
});
