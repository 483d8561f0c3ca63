import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomProgram } from '../program/random-program.testing.ts';
import { liveInstructions } from '../program/walk.ts';
import { prune } from './prune.ts';

it('leaves what the outputs need, and the very program where that is everything', () => {
  let whole = 0;
  fc.assert(fc.property(randomProgram({ maximumSteps: 6, symbolic: true }), (program) => {
    const pruned = prune(program);
    expect(pruned.instructions).toEqual(liveInstructions(program));
    expect(prune(pruned)).toBe(pruned);
    if (pruned === program) whole++;
  }), { numRuns: 300, seed: 1 });
  expect(whole).toBeGreaterThan(20);
  expect(whole).toBeLessThan(280);
});
