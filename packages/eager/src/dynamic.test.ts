import { convert, dynamicTruncate, exp, greater, mul, padToMatch, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { EagerRuntime } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();

describe('dynamicTruncate in eager', () => {
  it.each([[2, [1, 2], [2, 4, 0, 0, 0]], [0, [], [0, 0, 0, 0, 0]], [7, [1, 2, 3, 4, 5], [2, 4, 6, 8, 10]], [-1, [], [0, 0, 0, 0, 0]]] as const)('runs at once with the k that is there: %i', (k, values, gradient) => {
    runtime.session(engine, () => {
      const x = runtime.variable(tensor([1, 2, 3, 4, 5]));
      const size = runtime.constant(tensor(k, { dtype: 'int32' }));
      const cut = dynamicTruncate(x, size, 0);
      expect([cut.type.shape, cut.toArray()]).toEqual([[values.length], values]);
      sum(mul(cut, cut)).backward();
      expect(x.grad?.toArray()).toEqual(gradient);
    });
  });

  it('by what the values decide, put back among zeros, differentiated twice', () => {
    runtime.session(engine, () => {
      const x = runtime.variable(tensor([[1, -2], [3, 4], [5, 6]]));
      const rows = dynamicTruncate(x, sum(convert(greater(x, 3.5), 'int32')), 0);
      expect(rows.type.shape).toEqual([3, 2]);
      const columns = dynamicTruncate(x, runtime.constant(tensor(1, { dtype: 'int32' })), 1);
      expect(columns.toArray()).toEqual([[1], [3], [5]]);
      const back = padToMatch(mul(columns, mul(columns, columns)), x);
      expect(back.toArray()).toEqual([[1, 0], [27, 0], [125, 0]]);
      const first = runtime.grad(sum(back), x);
      expect(first.toArray()).toEqual([[3, 0], [27, 0], [75, 0]]);
      expect(runtime.grad(sum(first), x).toArray()).toEqual([[6, 0], [18, 0], [30, 0]]);
    });
  });

  it('takes an int64, and compiles no module for another k', () => {
    runtime.session(engine, () => {
      const x = runtime.variable(tensor([1, 2, 3, 4, 5, 6, 7, 8]));
      const run = (k: number): readonly number[] => exp(dynamicTruncate(x, runtime.constant(tensor(k, { dtype: 'int64' })), 0)).type.shape as readonly number[];
      expect(run(2)).toEqual([2]);
      const before = engine.stats().modulesCompiled;
      // An axis of one element is no axis: k = 1 has kernels of its own.
      for (let k = 2; k <= 8; k++) expect(run(k)).toEqual([k]);
      expect(engine.stats().modulesCompiled).toBe(before);
    });
  });
});
