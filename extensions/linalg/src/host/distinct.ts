/** Whether singular or eigenvalues are told apart: what `onDegenerate: 'throw'` asks. */
import type { HostKernel, TypedArray } from '@tf/core';
import { failures } from '../failures.ts';
import { kernelSymbol } from '../family.ts';

/**
 * Copies ascending or descending values and finds the first line in which two neighbours are numerically equal (contracts.md §11):
 * |ĝ| ≤ `ulps`·u with the gap of the squares relative to the largest square (`squares`), or of the values to the largest value. A
 * value of at most `zeroUlps`·u of the largest counts too.
 */
function distinctKernel(unit: number): HostKernel {
  return {
    failureError: 'LinalgError',
    failure: failures.distinct,
    run({ inputs: [values], outputs: [copy], integers: [lines, length, ulps, squares, zeroUlps] }) {
      (copy as Float64Array).set(values as Float64Array);
      for (let line = 0; line < (lines as number); line++) {
        const at = line * (length as number);
        if (isDegenerate(values as TypedArray, at, length as number, (ulps as number) * unit, squares === 1, (zeroUlps as number) * unit)) return line;
      }
      return undefined;
    },
  };
}

function isDegenerate(values: TypedArray, at: number, length: number, tolerance: number, squares: boolean, zero: number): boolean {
  let largest = 0;
  for (let i = 0; i < length; i++) largest = Math.max(largest, Math.abs(values[at + i] as number));
  const measured = (i: number): number => {
    const relative = largest === 0 ? 0 : (values[at + i] as number) / largest;
    return squares ? relative * relative : relative;
  };
  for (let i = 1; i < length; i++) if (Math.abs(measured(i) - measured(i - 1)) <= tolerance) return true;
  return length > 0 && Math.abs(largest === 0 ? 0 : (values[at + length - 1] as number) / largest) <= zero;
}

export const distinctKernels: Readonly<Record<string, HostKernel>> = {
  [kernelSymbol('distinct', 'float32')]: distinctKernel(2 ** -24),
  [kernelSymbol('distinct', 'float64')]: distinctKernel(2 ** -53),
};
