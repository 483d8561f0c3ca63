import { Builder, symbolicDim, tensor, tensorType } from '@tf/core';
import { expect, test } from 'vitest';
import { svd, svdFull, svdvals } from '../index.ts';

const input = (dtype: 'float32' | 'complex64' | 'int32', shape: readonly (number | ReturnType<typeof symbolicDim>)[]) => new Builder().input(tensorType(dtype, shape), 'x');

test('parts have the types of k = min(m, n) values', () => {
  const { u, s, vh } = svd(input('complex64', [2, 3, 5]));
  expect([u, s, vh].map(({ type }) => type.key)).toEqual(['c64[2, 3, 3]', 'f32[2, 3]', 'c64[2, 3, 5]']);
  const full = svdFull(input('int32', [4, 2]));
  expect([full.u, full.s, full.vh].map(({ type }) => type.key)).toEqual(['f64[4, 4]', 'f64[2]', 'f64[2, 2]']);
  expect(svdvals(input('float32', [0, 3])).type.key).toBe('f32[0]');
  expect(Object.keys(svd(input('float32', [2, 2]), { vectors: 'left' }))).toEqual(['u', 's']);
  expect(Object.keys(svd(input('float32', [2, 2]), { vectors: 'right' }))).toEqual(['s', 'vh']);
});

test('symbolic extents, where it is known which is the smaller one', () => {
  const n = symbolicDim('n');
  expect(svd(input('float32', [n, n])).s.type.key).toBe('f32[n]');
  expect(() => svd(input('float32', [n, 3]))).toThrow(/svd: which of the extents n and 3 is the smaller one is not known/);
});

test('what is no matrix, and options that are none, are refused by name', () => {
  expect(() => svd(tensor([1, 2]))).toThrow(/svd: x has matrices in its last two axes, got f64\[2\]/);
  expect(() => svd(tensor([[1]]), { vectors: 'none' as 'left' })).toThrow(/svd: vectors is string none; it takes one of 'both', 'left', 'right'/);
  expect(() => svdvals(tensor([[1]]), { onDegenerate: 'ignore' as 'throw' })).toThrow(/svdvals: onDegenerate/);
});
