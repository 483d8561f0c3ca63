import { dynamicTruncate, mul, sin, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { EagerRuntime, type EagerTensor } from './index.ts';

type E = EagerTensor<'float64'>;
const e = (x: unknown): E => x as E;
const engine = await createEngine();
const matrix = tensor([[1, 2], [3, 4], [5, 6]]);

describe('vmap over eager tensors', () => {
  it('maps over any axis of trees and puts the batch anywhere', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const rows = (x: E): E => x.mul(x.sum());
      expect(runtime.vmap(rows)(matrix).toArray()).toEqual([[3, 6], [21, 28], [55, 66]]);
      expect(runtime.vmap(rows, { inAxes: 1, outAxes: -1 })(matrix).toArray()).toEqual([[9, 24], [27, 48], [45, 72]]);
      const tree = runtime.vmap(({ a }: { a: E }, s: E) => ({ sum: a.add(s), same: e(mul(tensor(2), 1)) }), { inAxes: [{ a: 0 }, null], outAxes: { sum: 0, same: null } })({ a: matrix }, tensor([10, 20]));
      expect([tree.sum.toArray(), tree.same.item()]).toEqual([[[11, 22], [13, 24], [15, 26]], 2]);
      expect(runtime.vmap((x: E) => runtime.vmap((y: E) => y.mul(2))(x))(matrix).toArray()).toEqual([[2, 4], [6, 8], [10, 12]]);
    });
  });

  it('gradients flow into what is captured and into arguments, as through a loop', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const w = runtime.variable(tensor([0.5, -1]));
      const x = runtime.variable(matrix);
      runtime.vmap((row: E) => e(sin(row.mul(w))).sum())(x).sum().backward();
      const [dw, dx] = [w.grad!.toArray(), x.grad!.toArray()];
      runtime.clearGrads();
      e(sin(x.mul(w))).sum().backward();
      expect((dx as number[][]).flat()).toEqual((x.grad!.toArray() as number[][]).flat());
      (dw as number[]).forEach((value, at) => expect(value).toBeCloseTo((w.grad!.toArray() as number[])[at]!, 15));
    });
  });

  it('maps over and within axes whose extent a run decided, and back through them', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable(matrix);
      const kept = e(dynamicTruncate(x, tensor(Int32Array.of(2)).reshape([]), 0));
      expect(runtime.vmap((row: E) => row.mul(row.sum()))(kept).toArray()).toEqual([[3, 6], [21, 28]]);
      expect(runtime.vmap((column: E) => column.mul(column.sum()), { inAxes: 1, outAxes: 1 })(kept).toArray()).toEqual([[4, 12], [12, 24]]);
      runtime.vmap((row: E) => row.mul(row).sum())(kept).sum().backward();
      expect(x.grad!.toArray()).toEqual([[2, 4], [6, 8], [0, 0]]);
    });
  });

  it('says what is wrong', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      expect(() => runtime.vmap((x: E) => x)(3)).toThrow(/argument 0 is a scalar/);
      expect(() => runtime.vmap((x: E) => x, { inAxes: 5 })(matrix)).toThrow(/axis 5/);
      expect(() => runtime.vmap((x: E) => x, { outAxes: null })(matrix)).toThrow(/outAxes is null/);
      expect(() => runtime.vmap(3 as never)).toThrow(/vmap: f is/);
    });
  });
});
