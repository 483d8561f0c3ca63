import { AdContext, createCatalog } from '@tf/core';
import { expect, it } from 'vitest';
import { cacheLaw } from './cache.ts';
import { brokenLaws } from './law.ts';

it('the context of core tells derivatives apart by equality, under a constant hash', async () => {
  expect(await brokenLaws([cacheLaw], { name: 'AdContext', create: (hash) => new AdContext({ catalog: createCatalog(), hash }) })).toEqual([]);
});
