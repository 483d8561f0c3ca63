import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkApi } from './checks/api.ts';
import { checkImports } from './checks/imports.ts';
import { checkManifests } from './checks/manifests.ts';
import { checkSizes } from './checks/sizes.ts';
import { checkSupply } from './checks/supply.ts';
import { checkTypes } from './checks/types.ts';
import { type Installed, installPublished } from './installed.ts';
import type { Section } from './section.ts';
import { nodes } from './tools.ts';

describe('the packages as they are published', { timeout: 300_000 }, () => {
  let installed: Installed;

  beforeAll(async () => {
    installed = await installPublished();
  }, 300_000);

  afterAll(() => {
    installed?.remove();
  });

  function expectSound({ faults, counted }: Section, least: Readonly<Record<string, number>>): void {
    expect(faults).toEqual([]);
    for (const [what, count] of Object.entries(least)) expect(counted[what], what).toBeGreaterThanOrEqual(count);
  }

  test('hold all that they name, and nothing else', () => {
    expectSound(checkManifests(installed.packages), { packages: 12, exports: 60 });
  });

  test('please publint and attw', async () => {
    expectSound(await checkTypes(installed.packages), { linted: 12, 'entries typed': 19 });
  });

  test('are imported and required, and change nothing outside themselves', async () => {
    expectSound(await checkImports(installed.folder, installed.packages, nodes[0]!), { entries: 19 });
  });

  test('stay within their budgets and leave nothing in a bundle that does not use them', async () => {
    expectSound(await checkSizes(installed.folder, installed.packages), { programs: 4, entries: 19, 'empty bundles': 19 });
  });

  test('reach for nothing, bring the notices of what is compiled in, and are built by what lock files pin', () => {
    expectSound(checkSupply(installed.packages), { packages: 13, 'pinned by lock files': 500 });
  });

  test('have the public types that were reviewed', () => {
    expectSound(checkApi(installed.folder, installed.packages), { entries: 19 });
  });
});
