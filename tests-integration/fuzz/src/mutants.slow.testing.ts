/** What takes longer than every push can wait: `pnpm fuzz:mutants`. */
import { describe, expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { mutants } from './mutants.testing.ts';
import { createSubject, type SubjectOptions } from './subject.ts';

test('each failing check has an example, and each set of operations that it fails with', { timeout: 480_000 }, async () => {
  const named = (name: string): SubjectOptions => (mutants.find((mutant) => mutant.name === name) as (typeof mutants)[number]).subject();
  const subject = createSubject({ ...(mutants[0] as (typeof mutants)[number]).subject(), ...named('gather ignores negative indices'), ...named('a parser that loses the sign of zero') });
  const { found, disagreements } = await fuzz(subject, { programs: 120, seed: 1, shrinkTime: 300_000, shrinkPrograms: 60 });
  const kinds = found.map(({ check, program }) => `${check}: ${[...new Set(program.match(/tf\.core\.\w+/g))].sort().join(' ')}`);
  expect(new Set(kinds).size).toBe(found.length);
  expect(found.length).toBeLessThanOrEqual(5);
  expect(disagreements).toBeGreaterThan(found.length);
  expect(kinds.find((kind) => kind.startsWith('differences: '))).toContain('tf.core.cos');
  expect(kinds).toContain('reference: tf.core.gather');
  expect(kinds.some((kind) => kind.startsWith('text: '))).toBe(true);
});

/** A rule that is wrong to first order is wrong in each of these; which one meets it first depends on the programs drawn. */
const ofDerivatives: readonly string[] = ['differences', 'adjoint', 'second order'];

describe('a mutant is found within 2000 programs', () => {
  test.each(mutants)('$name', { timeout: 300_000 }, async ({ name, check, subject }) => {
    const { coverage, found } = await fuzz(createSubject(subject()), { programs: 2000, seed: 1, first: true, shrinkTime: 0 });
    console.log(`${name}: found after ${coverage.programs} programs`);
    expect(found).toHaveLength(1);
    expect(check === 'differences' || check === 'adjoint' ? ofDerivatives : [check]).toContain(found[0]?.check);
  });
});
