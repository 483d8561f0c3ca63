import { expect, it } from 'vitest';
import { evaluateScalar } from '../loop/evaluate.ts';
import type { DType } from '../types/dtype.ts';
import { leftShiftPrimitive, rightShiftPrimitive } from './bits.ts';
import type { Primitive } from './define.ts';

function shifted({ operation }: Primitive, dtype: DType, x: number, count: number): number {
  const [element] = operation.traits.elementwise!({}, [dtype, dtype]);
  const operands = [x, count].map((value) => (dtype === 'int64' ? BigInt(value) : value));
  return Number(evaluateScalar(element!, (input) => operands[input]!));
}

it.each([['int32', 32], ['int64', 64]] as const)('%s shifts everything out with a count from the width on or below 0', (dtype, width) => {
  expect([1, width - 1, width, width + 1, -1, 2 ** 31 - 1].map((count) => shifted(rightShiftPrimitive, dtype, -5, count))).toEqual([-3, -1, -1, -1, -1, -1]);
  expect([1, width - 1, width, width + 1, -1, 2 ** 31 - 1].map((count) => shifted(rightShiftPrimitive, dtype, 5, count))).toEqual([2, 0, 0, 0, 0, 0]);
  expect([0, 1, width - 1, width, width + 1, -1].map((count) => shifted(leftShiftPrimitive, dtype, -1, count))).toEqual([-1, -2, -(2 ** (width - 1)), 0, 0, 0]);
});
