import { add, arange, complex, conj, convert, div, exp, eye, flip, full, type HostTensor, less, linspace, mul, ones, reshape, select, sin, tensor, transpose, triu, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate } from '@tf/traced';
import { expect, test } from 'vitest';
import { bitsOf, type Readable } from './bits.ts';

const engine = await createEngine();
const matrix = tensor([[1, -0, 3], [NaN, 5, Infinity]]);
const single = linspace(-2, 3, 7, { dtype: 'float32' });

const cases: readonly (readonly [string, unknown])[] = [
  ['zeros', zeros([2, 3])],
  ['full of bool', full([2], true)],
  ['arange', arange(5)],
  ['arange with a step', arange(0.1, 2, 0.3)],
  ['integers', arange(2, 9, 3, { dtype: 'int32' })],
  ['eye', eye(3)],
  ['linspace', linspace(0, 1, 11)],
  ['linspace in single precision', single],
  ['functions in single precision', sin(exp(single))],
  ['a transposed sum with broadcasting', transpose(add(matrix, tensor([10, 20, 30])))],
  ['a triangle', triu(ones([3, 4]))],
  ['flipped', flip(matrix)],
  ['reshaped', reshape(mul(matrix, 2), [3, 2])],
  ['complex', mul(conj(complex(matrix, 2)), complex(0, matrix))],
  ['int64', mul(tensor([2n ** 62n, -3n]), tensor([3n]))],
  ['a choice', select(less(matrix, 2), matrix, div(1, matrix))],
  ['converted', convert(arange(4), 'float32')],
  ['nothing', add(zeros([0, 3]), 1)],
];

test.each(cases)('on the host and on the engine, to the bit: %s', async (_name, x) => {
  expect(await bitsOf(x as Readable)).toBe(await bitsOf(evaluate(x as HostTensor, engine) as unknown as Readable));
});
