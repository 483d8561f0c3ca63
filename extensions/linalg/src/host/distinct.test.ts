import { type HostCall, type HostKernel, type TypedArray } from '@tf/core';
import { expect, test } from 'vitest';
import { distinctKernels } from './distinct.ts';

/** The first degenerate line of lines of equal length, and the copy. */
function run(lines: readonly (readonly number[])[], ulps: number, squares = 0, zeroUlps = -1): readonly [failed: number | void, copy: TypedArray] {
  const values = Float64Array.from(lines.flat());
  const copy = new Float64Array(values.length);
  const kernel = distinctKernels['tf.linalg.v1.distinct.float64'] as HostKernel;
  const call: HostCall = { inputs: [values], outputs: [copy], integers: [lines.length, lines[0]?.length ?? 0, ulps, squares, zeroUlps], tables: undefined, workspace: undefined };
  return [kernel.run(call), copy];
}

test('values pass through; the first line with two equal neighbours is named', () => {
  expect(run([[3, 2, 1], [3, 1, 1]], 24)).toEqual([1, Float64Array.of(3, 2, 1, 3, 1, 1)]);
  expect(run([[1, 1 + 2 ** -51]], 8)[0]).toBe(0);
  expect(run([[1, 1 + 2 ** -49]], 8)[0]).toBeUndefined();
});

test('squares of small values are equal where the values are not, and a zero counts where asked', () => {
  expect(run([[1, 2e-9, 1e-9]], 24)[0]).toBeUndefined();
  expect(run([[1, 2e-9, 1e-9]], 24, 1)[0]).toBe(0);
  expect(run([[1, 0]], 16)[0]).toBeUndefined();
  expect(run([[1, 0]], 16, 0, 1)[0]).toBe(0);
  expect(run([[0, 0]], 16)[0]).toBe(0);
  expect(run([[]], 0, 1, 0)[0]).toBeUndefined();
});
