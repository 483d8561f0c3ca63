import { createRandom, type HostValue, randomValues } from '@tf/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { naiveEinsum } from './cases/naive.ts';
import { distance, einsumValue, valueOf } from './einsum.testing.ts';
import { einsum } from './einsum.ts';
import type { ListedLabel } from './equation.ts';

interface Drawn {
  /** Per operand: labels, and whether the axis has size 1 whatever the label's size. */
  readonly operands: readonly (readonly { readonly label: number; readonly isOne: boolean }[])[];
  readonly output: readonly number[];
  readonly sizes: readonly number[];
  /** Axes of the ellipsis in front, per operand; they broadcast. */
  readonly ellipses: readonly (readonly boolean[])[];
  readonly complex: boolean;
  readonly seed: number;
}

const labels = 5;

/** Equations with repeated labels, axes of size 1 and 0, ellipses that broadcast, and scalars. */
const drawn: fc.Arbitrary<Drawn> = fc.record({
  operands: fc.array(fc.array(fc.record({ label: fc.nat({ max: labels - 1 }), isOne: fc.nat({ max: 5 }).map((value) => value === 0) }), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  chosen: fc.shuffledSubarray(Array.from({ length: labels }, (_, at) => at)),
  sizes: fc.tuple(...Array.from({ length: labels + 2 }, () => fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 2, max: 3 }) }, { weight: 1, arbitrary: fc.constantFrom(0, 1) }))),
  ellipses: fc.oneof({ weight: 2, arbitrary: fc.constant<readonly (readonly boolean[])[]>([]) }, { weight: 1, arbitrary: fc.array(fc.array(fc.boolean(), { maxLength: 2 }), { minLength: 4, maxLength: 4 }) }),
  complex: fc.nat({ max: 3 }).map((value) => value === 0),
  seed: fc.nat(),
}).map(({ chosen, ...rest }): Drawn => ({ ...rest, output: chosen.filter((label) => rest.operands.flat().some((axis) => axis.label === label)) }));

/** The ellipsis's axes get labels after the letters, counted from the last. */
function widthOf({ ellipses }: Drawn, operand: number): number {
  return ellipses[operand]?.length ?? 0;
}

function spelled(case_: Drawn): { readonly inputs: readonly (readonly number[])[]; readonly output: readonly number[]; readonly shapes: readonly (readonly number[])[] } {
  const dots = (width: number): readonly number[] => Array.from({ length: width }, (_, at) => labels + width - 1 - at);
  const inputs = case_.operands.map((axes, at) => [...dots(widthOf(case_, at)), ...axes.map(({ label }) => label)]);
  const shapes = case_.operands.map((axes, at) => [
    ...dots(widthOf(case_, at)).map((label, place) => (case_.ellipses[at]?.[place] === true ? 1 : (case_.sizes[label] as number))),
    // All axes of one label of an operand are equal.
    ...axes.map(({ label }) => (axes.find((axis) => axis.label === label)?.isOne === true ? 1 : (case_.sizes[label] as number))),
  ]);
  const width = Math.max(0, ...case_.operands.map((_, at) => widthOf(case_, at)));
  return { inputs, output: [...dots(width), ...case_.output], shapes };
}

function valuesFor(case_: Drawn): readonly HostValue[] {
  const random = createRandom(case_.seed);
  return spelled(case_).shapes.map((shape) => randomValues(case_.complex ? 'complex128' : 'float64', shape, random));
}

function textOf(case_: Drawn): string {
  const hasDots = case_.ellipses.length > 0;
  const letters = (list: readonly number[]): string => list.map((label) => 'xaQbZ'[label]).join('');
  const terms = case_.operands.map((axes) => `${hasDots ? '...' : ''}${letters(axes.map(({ label }) => label))}`);
  return `${terms.join(' , ')} ->${hasDots ? '...' : ''}${letters(case_.output)}`;
}

it('is the sum of products that its definition says, for random equations', () => {
  fc.assert(fc.property(drawn, (case_) => {
    const values = valuesFor(case_);
    const { inputs, output } = spelled(case_);
    expect(distance(einsumValue(textOf(case_), values), naiveEinsum({ inputs, output }, values))).toBeLessThan(1e-12);
  }), { numRuns: 300, seed: 1 });
}, 60_000);

it('means the same in the list form', () => {
  fc.assert(fc.property(drawn, (case_) => {
    const values = valuesFor(case_);
    const hasDots = case_.ellipses.length > 0;
    const list = (own: readonly number[]): readonly ListedLabel[] => [...(hasDots ? ['...' as const] : []), ...own.map((label) => 7 * label + 3)];
    const listed = (...operands: readonly unknown[]): unknown => einsum(...(operands.flatMap((operand, at) => [operand, list((case_.operands[at] ?? []).map(({ label }) => label))]) as []), list(case_.output));
    expect(distance(valueOf(listed, values), einsumValue(textOf(case_), values))).toBe(0);
  }), { numRuns: 60, seed: 1 });
}, 60_000);

it('does not depend on the path, nor on loops that keep within a limit', () => {
  fc.assert(fc.property(drawn, fc.integer({ min: 1, max: 6 }), (case_, share) => {
    const values = valuesFor(case_);
    const whole = einsumValue(textOf(case_), values);
    expect(distance(einsumValue(textOf(case_), values, { path: 'greedy', restarts: 3 }), whole)).toBeLessThan(1e-12);
    for (const memoryLimit of [share * 48, share * 300]) {
      try {
        expect(distance(einsumValue(textOf(case_), values, { memoryLimit }), whole)).toBeLessThan(1e-12);
      } catch (error) {
        expect((error as Error).name).toBe('TooLargeError');
      }
    }
  }), { numRuns: 100, seed: 1 });
}, 60_000);
