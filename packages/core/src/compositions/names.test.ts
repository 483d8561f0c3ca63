import { describe, expect, it } from 'vitest';
import * as core from '../index.ts';
import { isTfError } from '../errors.ts';
import { Builder } from '../program/builder.ts';
import type { DType } from '../types/dtype.ts';
import { tensorType } from '../types/tensor-type.ts';

const builder = new Builder();
const of = (dtype: DType, ...shape: readonly number[]): unknown => builder.input(tensorType(dtype, shape));
const [x, y, v, empty, bools, complexes, key] = [of('float64', 2, 3), of('float64', 4, 5), of('float64', 3), of('float64', 0), of('bool', 2, 3), of('complex128', 2, 3), of('int32', 2)];

/** Calls that are refused somewhere inside. */
const wrong: { readonly [name: string]: readonly (readonly unknown[])[] } = {
  all: [[x, { axes: 9 }]], any: [[x, { axes: 9 }], [x, { axes: [0, 0] }]], countNonzero: [[x, { axes: 9 }]],
  argmax: [[empty], [x, { axis: 9 }]], argmin: [[empty]],
  bernoulli: [[key, complexes], [key, x, [1, 9]], [x, 0.5]], categorical: [[key, empty], [x, x]], normal: [[x, [2]]], uniform: [[x, [2]]],
  randint: [[key, [1, 9], of('int32', 2, 3), 5], [x, [2], 0, 5]], permutation: [[x, 3]],
  clamp: [[x, y], [x, undefined, y]], where: [[bools, x, y], [x, 1, 2]], square: [[bools]],
  geluTanh: [[complexes]], gelu: [[complexes]], silu: [[complexes]], logSigmoid: [[complexes]], leakyRelu: [[complexes]], elu: [[complexes]], hardSwish: [[complexes]], relu: [[complexes]],
  inner: [[x, y]], outer: [[x, 2]], vdot: [[x, v]], vecdot: [[x, y]], tensordot: [[x, y, 1], [x, y, [[0], [0]]], [x, y, v]], kron: [[x, 'y']],
  stack: [[[x, y]], [[x, x], 9]], split: [[x, [1, 9]], [x, 5]], tile: [[x, [-1]]], repeat: [[x, 2, 9]], roll: [[x, 1, 9]], moveaxis: [[x, 9, 0]], swapaxes: [[x, 0, 9]], expandDims: [[x, 9]], squeeze: [[x, 0]],
  segmentSum: [[v, of('int32', 2), 2], [bools, key, 2]], bincount: [[x, 3]], oneHot: [[x, 3]], topk: [[x, 9], [x, 1, 9]], quantile: [[x, 2], [bools, 'q'], [empty, 0.5]], median: [[complexes]],
  getAt: [[x, [9]], [x, [v]]], setAt: [[x, [0], y]], addAt: [[x, [9], 1]], maxAt: [[x, [9], 1]], minAt: [[x, [9], 1]], dynamicSlice: [[x, [0, 0], [9, 9]]], dynamicUpdateSlice: [[x, y, [0, 0]]], searchsorted: [[x, v]],
  mean: [[x, { axes: 9 }]], variance: [[x, { axes: 9 }], [x, { ddof: 99 }]], std: [[x, { axes: 9 }]], vectorNorm: [[x, { axes: 9 }]], logSumExp: [[x, { axes: 9 }]], softmax: [[x, 9]], logSoftmax: [[x, 9]], layerNorm: [[of('float64')], [complexes]],
  tril: [[v]], triu: [[v]], diagonal: [[v]], trace: [[v]], diagEmbed: [[of('float64')]],
};

describe('an error from inside a composition', () => {
  it.each(Object.entries(wrong))('names the function that was called: %s', (name, calls) => {
    const f = (core as unknown as { readonly [name: string]: (...args: readonly unknown[]) => unknown })[name] as (...args: readonly unknown[]) => unknown;
    for (const args of calls) {
      let thrown: unknown;
      try {
        f(...args);
      } catch (error) {
        thrown = error;
      }
      expect(isTfError(thrown), String(thrown)).toBe(true);
      expect((thrown as Error).message).toMatch(new RegExp(`^${name}: `));
      expect([undefined, name]).toContain((thrown as core.TfError).fields.op);
    }
  });

  it('is the error that the operation inside threw, but for the name', () => {
    const call = (): unknown => core.inner(x as core.Operand, y as core.Operand);
    expect(call).toThrow(/^inner: contracted axis 1 of lhs f64\[2, 3\] has size 3/);
    expect(call).toThrow(expect.objectContaining({ name: 'ShapeError', cause: expect.objectContaining({ message: expect.stringMatching(/^dotGeneral: /) }) }));
  });
});
