import { createReferenceEngine } from '@tf/testkit';
import { describe, expect, test } from 'vitest';
import { operationsOf } from './coverage.ts';
import { fuzz } from './fuzz.ts';
import { mutants } from './mutants.testing.ts';
import { createSubject, type SubjectOptions } from './subject.ts';

describe('the quick tier', () => {
  test('80 programs agree in everything', { timeout: 120_000 }, async () => {
    const subject = createSubject();
    const { coverage, found, disagreements } = await fuzz(subject, { programs: 80, seed: 1 });
    expect(found).toEqual([]);
    expect(disagreements).toBe(0);
    expect(coverage.programs).toBe(80);
    // Nearly all operations are drawn even in so few; the full run wants each in one program of 40.
    expect(coverage.missing(subject.catalog, 1).length).toBeLessThanOrEqual(2);
    expect(coverage.checks.differences.of('agrees')).toBeGreaterThan(30);
    expect(coverage.checks.adjoint.of('agrees')).toBeGreaterThan(40);
    expect(coverage.checks['second order'].of('agrees')).toBeGreaterThan(20);
  });

  test('30 programs agree on the reference engine, whose tiles have three rows', { timeout: 120_000 }, async () => {
    const { found } = await fuzz(createSubject({ engine: createReferenceEngine() }), { programs: 30, seed: 2 });
    expect(found).toEqual([]);
  });

  test('every operation of the catalog is drawn', () => {
    const { catalog } = createSubject();
    const all = catalog.extensions.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(all.filter((id) => !operationsOf(catalog).includes(id))).toEqual([]);
  });
});

test('a disagreement is shrunk to the operation that is wrong', { timeout: 120_000 }, async () => {
  const { found } = await fuzz(createSubject((mutants[0] as (typeof mutants)[number]).subject()), { programs: 100, seed: 1, first: true, shrinkTime: 10_000 });
  const [one] = found;
  expect(one?.shrunk).toBe(true);
  expect(one?.program).toContain('tf.core.cos');
  expect(one?.program.split('\n').length).toBeLessThanOrEqual(6);
});

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
