import { expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { reductionPlan } from '../testing/plans.ts';
import { randomSequence } from '../testing/values.ts';

const engine = createEngineSync();

/** The extremum of each row, through the engine and in plain JavaScript: NaN wins, and −0 is below 0. */
function check(monoid: 'max' | 'min', dtype: 'float32' | 'float64', rows: readonly (readonly number[])[]): void {
  const data = (dtype === 'float32' ? Float32Array : Float64Array).from(rows.flat());
  const width = rows[0]!.length;
  const shape = [rows.length, width];
  const [out] = engine.compile(reductionPlan({ monoid, dtype, shape, axes: 1 })).run([{ data, shape }]);
  const expected = rows.map((_, row) => [...data.subarray(row * width, (row + 1) * width)].reduce((a, b) => Math[monoid](a, b)));
  expect([...engine.read(out!)]).toEqual(expected);
  out!.dispose();
}

/** One value among others, at places of a row: in every vector, in what is left after them, and beyond a block. */
const placed = (width: number) => (value: number, others: (place: number) => number): readonly (readonly number[])[] =>
  Array.from({ length: 130 }, (_, row) => Array.from({ length: width }, (_, at) => (at === width - 1 - row ? value : others(at))));

test.each([['max', 'float32'], ['max', 'float64'], ['min', 'float32'], ['min', 'float64']] as const)('%s of %s minds NaN and the sign of zero wherever they are', (monoid, dtype) => {
  const away = monoid === 'max' ? -1 : 1;
  const random = randomSequence(7);
  for (const width of [130, 200, 1032, 1037]) {
    const everywhere = placed(width);
    check(monoid, dtype, everywhere(NaN, (at) => at - 60));
    check(monoid, dtype, everywhere(NaN, () => away * Infinity));
    check(monoid, dtype, everywhere(0, () => -0));
    check(monoid, dtype, everywhere(-0, () => 0));
    check(monoid, dtype, everywhere(0, (at) => (at % 2 === 0 ? -0 : away)));
    check(monoid, dtype, everywhere(-0, () => away));
    check(monoid, dtype, everywhere(-Infinity, () => -Infinity));
    check(monoid, dtype, everywhere(Infinity, () => Infinity));
    check(monoid, dtype, everywhere(-away * 3, random));
  }
});
