import { createReferenceEngine } from '@tf/testkit';
import { describe, expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { mutants } from './mutants.testing.ts';
import { createSubject } from './subject.ts';

describe('the quick tier', () => {
  test('500 programs agree in everything', { timeout: 900_000 }, async () => {
    const subject = createSubject();
    const { coverage, found, disagreements } = await fuzz(subject, { programs: 500, seed: 1 });
    expect(found).toEqual([]);
    expect(disagreements).toBe(0);
    expect(coverage.programs).toBe(500);
    // Nearly all operations are drawn even in so few; what a run demands grows with its length.
    expect(coverage.missing(subject.catalog, 1).length).toBeLessThanOrEqual(2);
    expect(coverage.checks.differences.of('agrees')).toBeGreaterThan(250);
    expect(coverage.checks.adjoint.of('agrees')).toBeGreaterThan(300);
    expect(coverage.checks['second order'].of('agrees')).toBeGreaterThan(150);
  });

  test('30 programs agree on the reference engine, whose tiles have three rows', { timeout: 120_000 }, async () => {
    const { found } = await fuzz(createSubject({ engine: createReferenceEngine() }), { programs: 30, seed: 2 });
    expect(found).toEqual([]);
  });
});

test('a disagreement is shrunk to the operation that is wrong', { timeout: 120_000 }, async () => {
  const { found } = await fuzz(createSubject((mutants[0] as (typeof mutants)[number]).subject()), { programs: 100, seed: 1, first: true, shrinkTime: 10_000 });
  const [one] = found;
  expect(one?.shrunk).toBe(true);
  // The slope of cos is wrong: in first order, or in second order as that of sin.
  expect(one?.program).toMatch(/tf\.core\.(cos|sin)\(/);
  expect(one?.program.split('\n').length).toBeLessThanOrEqual(6);
});

test('an instruction that is wrong by itself is shown alone, unshrunk as well', { timeout: 120_000 }, async () => {
  const gather = mutants.find(({ name }) => name === 'gather ignores negative indices') as (typeof mutants)[number];
  const { found } = await fuzz(createSubject(gather.subject()), { programs: 100, seed: 1, first: true, shrinkTime: 0 });
  expect(found.map(({ check, shrunk, program }) => [check, shrunk, program.match(/tf\.core\.\w+/g)])).toEqual([['reference', true, ['tf.core.gather']]]);
  expect(found[0]?.inputs.length).toBeGreaterThan(0);
});

/** One of each kind, with the wrong derivative that is shrunk above; `pnpm fuzz:mutants` looks for all of them, as far as it takes. */
const quick: readonly string[] = ['the pullback of sub exchanges its operands', 'a pass regroups additions', 'maximum drops NaN and the sign of zero'];

describe('a mutant is found within 400 programs', () => {
  test.each(mutants.filter(({ name }) => quick.includes(name)))('$name', { timeout: 240_000 }, async ({ subject }) => {
    const { found } = await fuzz(createSubject(subject()), { programs: 400, seed: 1, first: true, shrinkTime: 0 });
    expect(found).toHaveLength(1);
  });

  test('all of the quick ones are there', () => {
    expect(mutants.filter(({ name }) => quick.includes(name))).toHaveLength(quick.length);
  });
});
