import { afterAll, describe, expect, it } from 'vitest';
import { barriersLaw } from './laws/barriers.ts';
import { cacheLaw } from './laws/cache.ts';
import { casesLaw } from './laws/engine/cases.ts';
import { engineLaws } from './laws/engine/engine-laws.ts';
import { extensionLaws } from './laws/extension-laws.ts';
import { freshNodesLaw } from './laws/fresh-nodes.ts';
import { roundTripLaw } from './laws/round-trip.ts';
import { judgeTwin, type Twin, twins, twinSuite, type Verdict } from './twins.ts';

const verdicts: Verdict[] = [];
twinSuite({ describe, it }, twins, (verdict) => void verdicts.push(verdict));

afterAll(() => {
  const lines = verdicts.map(({ name, law, rejectedBy }) => `  ${law.padEnd(16)} rejects ${name}${rejectedBy.length > 1 ? ` (also ${rejectedBy.filter((other) => other !== law).join(', ')})` : ''}`);
  process.stdout.write(`${verdicts.length} wrong twins rejected, each by the law it breaks:\n${lines.join('\n')}\n`);
});

describe('twins', () => {
  it('there is one for every law', () => {
    const laws = [...extensionLaws, ...engineLaws, casesLaw, barriersLaw, cacheLaw, freshNodesLaw, roundTripLaw].map(({ name }) => name);
    expect([...new Set(twins.map(({ law }) => law))].sort()).toEqual([...new Set(laws)].sort());
  });

  it('a law that accepts the wrong one, or rejects the right one, fails the build', async () => {
    const [first] = twins as readonly [Twin];
    await expect(judgeTwin({ ...first, wrong: first.right })).rejects.toThrow('was accepted');
    await expect(judgeTwin({ ...first, right: first.wrong })).rejects.toThrow('was rejected');
    await expect(judgeTwin({ ...first, law: 'masks' })).rejects.toThrow('rejected only by derivative');
  });
});
