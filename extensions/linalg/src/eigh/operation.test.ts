import { Builder, symbolicDim, tensor, tensorType } from '@tf/core';
import { expect, test } from 'vitest';
import { eigh, eigvalsh } from '../index.ts';

const input = (dtype: 'float32' | 'complex128' | 'int32', shape: readonly (number | ReturnType<typeof symbolicDim>)[]) => new Builder().input(tensorType(dtype, shape), 'x');

test('values are real, vectors of the dtype of the matrix, in any batch and of symbolic size', () => {
  const { values, vectors } = eigh(input('complex128', [2, 0, symbolicDim('n'), symbolicDim('n')]));
  expect([values.type.key, vectors.type.key]).toEqual(['f64[2, 0, n]', 'c128[2, 0, n, n]']);
  expect(eigvalsh(input('float32', [3, 3])).type.key).toBe('f32[3]');
  expect(eigvalsh(input('int32', [0, 0])).type.key).toBe('f64[0]');
});

test('what is no square matrix, and options that are none, are refused by name', () => {
  expect(() => eigh(tensor([[1, 2, 3]]))).toThrow(/eigh: takes square matrices, got f64\[1, 3\]/);
  expect(() => eigvalsh(tensor([1, 2]))).toThrow(/eigvalsh: x has matrices in its last two axes, got f64\[2\]/);
  expect(() => eigh(tensor([[1]]), { uplo: 'lower' as 'L' })).toThrow(/eigh: uplo is string lower; it takes one of 'L', 'U'/);
  expect(() => eigh(tensor([[1]]), { derivativeEps: -1 })).toThrow(/derivativeEps is -1/);
});
