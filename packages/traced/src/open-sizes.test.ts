import { median, prod, quantile, reshape, sum, symbolicDim, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { expect, it } from 'vitest';
import { compile } from './compile.ts';
import { evaluate } from './evaluate.ts';
import { grad } from './gradients.ts';
import { input } from './input.ts';
import type { TracedTensor } from './traced-tensor.ts';

const engine = await createEngine();
type T = TracedTensor<'float64'>;

/** f and its gradient at several sizes of one program. */
function both(f: (x: T) => unknown, shapes: readonly (readonly number[])[]): { readonly run: (values: unknown) => readonly [unknown, unknown] } {
  const x = input('x', { dtype: 'float64', shape: (shapes[0] as readonly number[]).map((_, axis) => symbolicDim(`n${axis}`)) }) as unknown as T;
  const run = compile({ y: f(x) as T, dx: grad((own: T) => sum(f(own) as T) as T)(x) }, { engine });
  return {
    run: (values) => {
      const { y, dx } = run({ x: tensor(values as number[]) } as never) as unknown as { readonly y: T; readonly dx: T };
      return [(y as { toArray(): unknown }).toArray(), (dx as { toArray(): unknown }).toArray()];
    },
  };
}

it('products over axes of open size have right gradients, with any number of zeros', () => {
  const { run } = both((x) => prod(x, { axes: 1 }), [[1, 1]]);
  expect(run([[2, 3, 4], [0, 3, 5], [0, 0, 7]])).toEqual([[24, 0, 0], [[12, 8, 6], [15, 0, 0], [0, 0, 0]]]);
  expect(run([[2], [0]])).toEqual([[2, 0], [[1], [1]]]);
});

it('quantiles over axes of open size are those of known ones', () => {
  const rows = [[4, 1, 3, 2], [8, 5, 7, 6]];
  const { run } = both((x) => quantile(x, 0.4, { axes: 1 }), [[1, 1]]);
  const known = (values: number[][]): unknown => (evaluate(quantile(tensor(values), 0.4, { axes: 1 }), engine) as { toArray(): unknown }).toArray();
  expect(run(rows)[0]).toEqual(known(rows));
  const [y, dx] = run(rows) as [number[], number[][]];
  // (4 − 1)·0.4 = 1.2: a fifth of the way from the second to the third.
  expect(y.map((value) => value.toFixed(12))).toEqual(['2.200000000000', '6.200000000000']);
  expect(dx.map((row) => row.map((value) => Number(value.toFixed(12))))).toEqual([[0, 0, 0.2, 0.8], [0, 0, 0.2, 0.8]]);
  expect(run([[3, 1]])[0]).toEqual(known([[3, 1]]));
  const middle = both((x) => median(x), [[1, 1]]);
  expect(middle.run([[1, Infinity, Infinity]])[0]).toBe(Infinity);
  expect(middle.run([[NaN, 1, 2]])[0]).toBe(NaN);
  expect(middle.run([[1, 2], [3, 10]])[0]).toBe(2.5);
});

it('the −1 of a reshape is computed from open sizes', () => {
  const x = input('x', { dtype: 'float64', shape: [symbolicDim('n'), 4] });
  expect([reshape(x, [-1]), reshape(x, [-1, 2]), reshape(x, [2, -1]), reshape(x, [symbolicDim('n'), 2, -1])].map(({ type }) => type.key)).toEqual(['f64[4*n]', 'f64[2*n, 2]', 'f64[2, 2*n]', 'f64[n, 2, 2]']);
  const y = input('y', { dtype: 'float64', shape: [symbolicDim('m'), symbolicDim('n')] });
  expect(reshape(y, [-1, symbolicDim('m')]).type.key).toBe('f64[n, m]');
  expect(() => reshape(x, [-1, 3])).toThrow(/the −1 in \[-1, 3\] cannot be computed from \[n, 4\]/);
});
