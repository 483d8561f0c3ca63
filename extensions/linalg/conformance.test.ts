import { expect, it } from 'vitest';
import { linalgCases } from './src/cases.ts';
import { conformance, oneOfEachKind } from './suites.testing.ts';

const cases = oneOfEachKind(linalgCases);
conformance(cases);

it('the quick tier has a case of every kind in both dtypes, and every shape somewhere', () => {
  const partsOf = (part: RegExp, of: typeof cases): readonly string[] => [...new Set(of.map(({ name }) => part.exec(name)?.[0] ?? name))].sort();
  for (const part of [/^.*, (float64|complex128)(?= |$)/, /(float64|complex128)( \d+(x\d+)*)?$/]) expect(partsOf(part, cases)).toEqual(partsOf(part, linalgCases));
  expect(cases.length).toBeLessThan(0.6 * linalgCases.length);
});
