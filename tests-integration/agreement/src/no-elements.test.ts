import { all, any, argmax, argmin, dynamicTruncate, isTfError, logSumExp, mean, median, quantile, reduceMax, reduceMin, softmax, std, tensor, variance, vectorNorm, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { cond, matrixNorm } from '@tf/linalg';
import { linalgHost } from '@tf/linalg/host';
import { compile, input, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, it } from 'vitest';

const engine = await createEngine({ modules: [linalgHost()] });

type F64 = TracedTensor<'float64'>;
type Result = { readonly toArray: () => unknown };

/** f of n numbers, where n is known when the program runs. */
function symbolic(f: (x: F64) => unknown): (values: readonly number[]) => unknown {
  const run = compile(f(input('x', { shape: ['n'] }) as F64) as F64, { engine });
  return (values) => (run({ x: tensor(Float64Array.from(values), { shape: [values.length] }) }) as Result).toArray();
}

/** f of the first k numbers, where k is computed by the program. */
function decided(f: (x: F64) => unknown): (values: readonly number[]) => unknown {
  const [x, k] = [input('x', { shape: [5] }) as F64, input('k', { shape: [], dtype: 'int32' })];
  const run = compile(f(dynamicTruncate(x, k as never, 0) as F64) as F64, { engine });
  return (values) => (run({ x: tensor([...values, ...new Array<number>(5 - values.length).fill(99)]), k: tensor(values.length, { dtype: 'int32' }) }) as Result).toArray();
}

const message = (f: () => unknown): string => {
  try {
    return `gave ${String(f())}`;
  } catch (error) {
    if (isTfError(error)) return `${error.name} ${error.message}`;
    throw error;
  }
};

describe.each([['symbolic', symbolic], ['decided by the run', decided]] as const)('of a size that is %s', (_, of) => {
  it.each([
    ['reduceMax', (x: F64) => reduceMax(x)],
    ['reduceMin', (x: F64) => reduceMin(x, { axes: 0, keepdims: true })],
    ['argmax', (x: F64) => argmax(x)],
    ['argmin', (x: F64) => argmin(x, { axis: 0 })],
    ['vectorNorm', (x: F64) => vectorNorm(x, { ord: Infinity })],
    ['quantile', (x: F64) => quantile(x, 0.25)],
  ] as const)('%s of nothing is an error in its own name', (name, f) => {
    const run = of(f);
    expect(message(() => run([3, 4]))).toMatch(/^gave/);
    expect(message(() => run([]))).toMatch(new RegExp(`^ConstraintError .*${name}: f64\\[.*\\] must have elements along axis 0`));
  });

  it.each([
    ['variance, ddof 1', (x: F64) => variance(x, { ddof: 1 }), [[[], NaN], [[5], NaN], [[5, 6], 0.5]]],
    ['variance, ddof 3', (x: F64) => variance(x, { ddof: 3 }), [[[5, 6], Infinity], [[5, 5], NaN]]],
    ['std, ddof 1', (x: F64) => std(x, { ddof: 1 }), [[[], NaN], [[5], NaN]]],
    ['mean', (x: F64) => mean(x), [[[], NaN], [[5, 6], 5.5]]],
    ['median', (x: F64) => median(x), [[[], NaN], [[5], 5], [[7, 5], 6], [[9, 1, 2], 2]]],
    ['logSumExp', (x: F64) => logSumExp(x), [[[], -Infinity], [[0], 0]]],
    ['vectorNorm', (x: F64) => vectorNorm(x), [[[], 0], [[3, 4], 5]]],
    ['vectorNorm, ord 3', (x: F64) => vectorNorm(x, { ord: 3 }), [[[], 0], [[2], 2]]],
    ['any', (x: F64) => any(x), [[[], false], [[0, 1], true]]],
    ['all', (x: F64) => all(x), [[[], true], [[0, 1], false]]],
  ] as const)('%s is what NumPy says', (_name, f, cases) => {
    const run = of(f as (x: F64) => unknown);
    for (const [values, expected] of cases) expect(run(values)).toEqual(expected);
  });
});

it('softmax of no entries is no entries', () => {
  expect(symbolic((x) => softmax(x))([])).toEqual([]);
});

it('norms of matrices ask for what they take the largest of, in their own names', () => {
  const a = input('a', { shape: ['m', 'n'] });
  const asked = (f: (x: never) => unknown, rows: number, columns: number): string => {
    const run = compile(f(a as never) as F64, { engine });
    return message(() => (run({ a: zeros([rows, columns]) }) as Result).toArray());
  };
  expect(asked((x) => matrixNorm(x, { ord: 1 }), 3, 0)).toMatch(/^ConstraintError .*matrixNorm: order 1 takes the largest of what f64\[m, n\] must have/);
  expect(asked((x) => matrixNorm(x, { ord: -Infinity }), 0, 3)).toMatch(/^ConstraintError .*matrixNorm: order -Infinity takes the smallest/);
  expect(asked((x) => matrixNorm(x), 0, 3)).toBe('gave 0');
  const square = compile(cond(input('a', { shape: ['n', 'n'] })) as F64, { engine });
  expect(message(() => (square({ a: zeros([0, 0]) }) as Result).toArray())).toMatch(/^ConstraintError .*cond: order 2 takes the largest/);
});

it('a batch of no elements has no largest one to look for', () => {
  const x = input('x', { shape: ['b', 3] });
  const run = compile(vmap((row: F64) => reduceMax(row) as F64)(x as never) as F64, { engine });
  expect((run({ x: zeros([0, 3]) }) as Result).toArray()).toEqual([]);
});
