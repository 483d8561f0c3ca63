/** Sizes that a run brings and that do not fit: the error is the called function's, whatever is computed from its results. */
import { AdContext, createCatalog, isTfError, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { inv, linalgExtension, lstsq, solve } from '@tf/linalg';
import { linalgHost } from '@tf/linalg/host';
import { compile, grad, input, type TracedTensor, vmap } from '@tf/traced';
import { expect, test } from 'vitest';

const engine = await createEngine({ modules: [linalgHost()] });
const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const a = input('a', { shape: ['m', 'n'] });
const b = input('b', { shape: ['p'] });
const square = tensor([[2, 0], [0, 4]]);

function message(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTfError(error, 'ConstraintError')) return error.message;
    throw error;
  }
  return '';
}

test('of a solution and of its gradient', () => {
  const loss = (x: TracedTensor<'float64'>, y: TracedTensor<'float64'>): TracedTensor<'float64'> => solve(x, y).sum() as TracedTensor<'float64'>;
  const run = compile({ x: solve(a, b), slope: grad(loss, { context })(a, b) }, { engine });
  expect(run({ a: square, b: tensor([1, 1]) }).x.toArray()).toEqual([0.5, 0.25]);
  expect(message(() => run({ a: tensor([[1, 2, 3], [4, 5, 6]]), b: tensor([1, 1]) }))).toBe('solve: rows and columns of a: m and n must be equal, and m is 2 and n is 3.');
  expect(message(() => run({ a: square, b: tensor([1, 1, 1]) }))).toBe('solve: rows of a and of b: m and p must be equal, and m is 2 and p is 3.');
});

test('of functions that go on with others, and inside vmap', () => {
  const inverse = compile(inv(a), { engine });
  expect(message(() => inverse({ a: tensor([[1, 2]]) }))).toBe('inv: rows and columns of x: m and n must be equal, and m is 1 and n is 2.');
  const least = compile(lstsq(input('c', { shape: ['m', 'm'] }), b).x, { engine });
  expect(message(() => least({ c: square, b: tensor([1, 1, 1]) }))).toBe('lstsq: rows of a and of b: m and p must be equal, and m is 2 and p is 3.');
  const each = compile(vmap((x: TracedTensor<'float64'>) => solve(x, b), { context })(input('d', { shape: [4, 'm', 'n'] })), { engine });
  expect(message(() => each({ d: tensor(Float64Array.from({ length: 24 }, (_, at) => at)).reshape([4, 2, 3]), b: tensor([1, 1]) }))).toMatch(/^solve: rows and columns of a: m and n must be equal/);
});
