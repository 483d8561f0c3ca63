import { applyOperation, Builder, tensorType } from '@tf/core';
import { expect, it } from 'vitest';
import { luSolveOperation } from './solve/operation.ts';
import { triangularSylvesterOperation } from './sylvester/operation.ts';

it('refuses operands of two dtypes, which a kernel would read as those of one', () => {
  const builder = new Builder();
  const [double, single, order] = [builder.input(tensorType('complex128', [2, 2])), builder.input(tensorType('complex64', [2, 2])), builder.input(tensorType('int32', [2]))];
  expect(() => applyOperation(triangularSylvesterOperation, [double, double, single], { adjoint: false })).toThrow(/triangularSylvester: takes operands of one dtype, got c128\[2, 2\] and c128\[2, 2\] and c64\[2, 2\]\. Convert them first: convert\(x, 'complex128'\)/);
  expect(applyOperation(luSolveOperation, [double, double, order, double], { of: 'matrix' })).toHaveLength(1);
});
