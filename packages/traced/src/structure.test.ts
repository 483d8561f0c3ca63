import { arange, argmax, argmin, cummax, cumprod, cumsum, diagonal, dynamicSlice, dynamicUpdateSlice, eye, flip, linspace, mul, type Operand, quantile, roll, scatterSet, searchsorted, sort, split, squeeze, sum, tensor, topk, tril, vectorNorm } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, evaluate, grad, hessian, input, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

const valueOf = (x: unknown): unknown => (evaluate(x as F64, engine) as { toArray(): unknown }).toArray();
const gradient = (f: (x: F64) => unknown, at: readonly number[]): unknown => valueOf(grad((x: F64) => sum(f(x) as Operand) as unknown as F64)(tensor(at as number[]) as never));

describe('the 2-norm', () => {
  it('has the least subgradient at the zero vector, and unit slopes elsewhere however small the elements', () => {
    expect(gradient((x) => vectorNorm(x), [0, 0, 0])).toEqual([0, 0, 0]);
    expect(gradient((x) => vectorNorm(x), [3, 4])).toEqual([expect.closeTo(0.6, 15), expect.closeTo(0.8, 15)]);
    expect(gradient((x) => vectorNorm(x), [1e-30, 0])).toEqual([1, 0]);
    expect(gradient((x) => mul(vectorNorm(x), vectorNorm(x)), [0, 0])).toEqual([0, 0]);
  });

  it('of rows has its slope in each row by itself', () => {
    expect(gradient((x) => vectorNorm(x.reshape([2, 2]), { axes: 1 }), [0, 0, 3, 4])).toEqual([0, 0, expect.closeTo(0.6, 15), expect.closeTo(0.8, 15)]);
  });

  it('neither overflows nor vanishes', () => {
    expect((valueOf(vectorNorm(tensor([3e200, 4e200]))) as number) / 5e200).toBeCloseTo(1, 14);
    expect((valueOf(vectorNorm(tensor([3e-200, 4e-200]))) as number) / 5e-200).toBeCloseTo(1, 14);
    expect((valueOf(vectorNorm(tensor(Float32Array.of(3e-30, 4e-30)))) as number) / 5e-30).toBeCloseTo(1, 6);
    expect(valueOf(vectorNorm(tensor([Infinity, 1])))).toBe(Infinity);
    expect(valueOf(vectorNorm(tensor([NaN, 1])))).toBeNaN();
    expect(valueOf(vectorNorm(tensor(new Float64Array(0), { shape: [0] })))).toBe(0);
  });
});

describe('ties and zeros', () => {
  it('cumprod: gradient and Hessian with zeros', () => {
    expect(gradient((x) => cumprod(x), [2, 0, 3, 0])).toEqual([1, 8, 0, 0]);
    expect(valueOf(hessian((x: F64) => sum(mul(cumprod(x), tensor([0, 0, 1]))) as unknown as F64)(tensor([0, 0, 3]) as never))).toEqual([[0, 3, 0], [3, 0, 0], [0, 0, 0]]);
  });

  it('cummax gives all to the last element reached, also past NaN', () => {
    expect(gradient((x) => mul(cummax(x), tensor([1, 10, 100, 1000])), [1, 3, 3, 2])).toEqual([1, 10, 1100, 0]);
    expect(gradient((x) => mul(cummax(x), tensor([1, 10, 100])), [1, NaN, 5])).toEqual([1, 110, 0]);
  });

  it('sort sends slopes where elements came from, equal ones in their order', () => {
    expect(gradient((x) => mul(sort(x), tensor([1, 10, 100])), [2, 1, 1])).toEqual([100, 1, 10]);
  });

  it('argmax and argmin take the first of equal elements, and NaN before all', () => {
    expect([[1, 3, 3], [NaN, 5, NaN], [-0, 0, -1]].map((row) => [valueOf(argmax(tensor(row))), valueOf(argmin(tensor(row)))])).toEqual([[1, 0], [0, 0], [0, 2]]);
  });

  it('of updates with one place the last one stays and has the slope', () => {
    expect(gradient((u) => mul(scatterSet(tensor([1, 2, 3]), tensor(Int32Array.of(1, 1)), u), tensor([1, 10, 100])), [7, 8])).toEqual([0, 10]);
  });
});

describe('sizes and starts that a run knows', () => {
  it('one program serves all sizes', () => {
    const x = input('x', { shape: ['n', 2] }) as F64;
    const run = compile({ flipped: flip(x, 0), rolled: roll(x, 1, 0), lower: tril(x), running: cumsum(x, 0), best: argmax(x, { axis: 0 }) } as never, { engine }) as unknown as (inputs: object) => Record<string, { toArray(): unknown }>;
    const result = run({ x: tensor([[1, 2], [3, 4], [5, 0]]) });
    expect(Object.fromEntries(Object.entries(result).map(([name, value]) => [name, value.toArray()]))).toEqual({ flipped: [[5, 0], [3, 4], [1, 2]], rolled: [[5, 0], [1, 2], [3, 4]], lower: [[1, 0], [3, 4], [5, 0]], running: [[1, 2], [4, 6], [9, 6]], best: [2, 1] });
    expect(run({ x: tensor([[7, 8]]) })['flipped']!.toArray()).toEqual([[7, 8]]);
  });

  it('a start beyond the end is moved inside', () => {
    const at = input('at', { shape: [], dtype: 'int32' });
    const x = tensor([1, 2, 3, 4, 5]);
    const run = compile({ part: dynamicSlice(x as never, [at as never], [2]), changed: dynamicUpdateSlice(x as never, tensor([8, 9]) as never, [at as never]) } as never, { engine }) as unknown as (inputs: object) => Record<string, { toArray(): unknown }>;
    const parts = [1, 9, -3].map((start) => Object.values(run({ at: start })).map((value) => value.toArray()));
    expect(parts).toEqual([[[1, 8, 9, 4, 5], [2, 3]], [[1, 2, 3, 8, 9], [4, 5]], [[8, 9, 3, 4, 5], [1, 2]]]);
  });
});

describe('sequences', () => {
  it('are what NumPy says', () => {
    expect(valueOf(arange(1, 2, 0.25))).toEqual([1, 1.25, 1.5, 1.75]);
    expect(valueOf(arange(5, 0, -2, { dtype: 'int32' }))).toEqual([5, 3, 1]);
    expect(valueOf(linspace(0, 0.3, 4))).toEqual([0, 0.3 / 3, (0.3 / 3) * 2, 0.3]);
    expect(valueOf(eye(2, 3, { offset: 1 }))).toEqual([[0, 1, 0], [0, 0, 1]]);
    expect(valueOf(searchsorted(tensor([1, 2, 2, 3]), tensor([2, 0, 9, NaN]), 'right'))).toEqual([3, 0, 4, 4]);
  });
});

describe('refusals', () => {
  const x = tensor([[1, 2, 3], [4, 5, 6]]);
  it.each([
    ['squeeze', () => squeeze(x, 0), /squeeze: axis 0 of f64\[2, 3\] has size 2/],
    ['split', () => split(x, 2, 1), /split: axis 1 of f64\[2, 3\] has no 2 equal parts/],
    ['topk', () => topk(x, 4), /topk: axis 1 of f64\[2, 3\] has 3 elements, not 4/],
    ['argmax', () => argmax(tensor(new Float64Array(0), { shape: [0] })), /argmax: f64\[0\] has no element along axes \[0\] and so no extremum there/],
    ['diagonal', () => diagonal(x, { axes: [1, 1] }), /diagonal: axes \[1,1\] must name two different axes/],
    ['quantile', () => quantile(x, 2), /quantile: q is 2; it takes a share between 0 and 1/],
    ['dynamicSlice', () => dynamicSlice(x, [0, 0], [3, 1]), /dynamicSlice: a slice of shape \[3, 1\] does not fit into f64\[2, 3\]/],
    ['arange', () => arange(0, 1, 0), /arange: a step of 0 never reaches 1/],
    ['searchsorted', () => searchsorted(x, x), /searchsorted: sorted is f64\[2, 3\]; it takes one ascending vector/],
  ] as const)('%s names what is wrong', (_name, call, message) => {
    expect(call).toThrow(message);
  });
});
