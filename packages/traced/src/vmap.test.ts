import { add, indexAdd, matmul, mul, take, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { grad } from './gradients.ts';
import { input } from './input.ts';
import { jacobianForward } from './jacobians.ts';
import { jit } from './jit.ts';
import { compile } from './compile.ts';
import type { TracedTensor } from './traced-tensor.ts';
import { vmap } from './vmap.ts';

type T = TracedTensor<'float64'>;
const engine = await createEngine();
const matrix = tensor([[1, 2], [3, 4], [5, 6]]);
const show = (value: T | readonly T[]): unknown => (Array.isArray(value) ? evaluate([...(value as readonly T[])], engine).map((each) => each.toArray()) : evaluate(value as T, engine).toArray());

describe('vmap', () => {
  it('maps over any axis and puts the batch anywhere', () => {
    const rows = (x: T): T => x.mul(x.sum());
    expect(show(vmap(rows)(matrix))).toEqual([[3, 6], [21, 28], [55, 66]]);
    expect(show(vmap(rows, { inAxes: 1, outAxes: 1 })(matrix))).toEqual([[9, 24], [27, 48], [45, 72]]);
    expect(show(vmap(rows, { inAxes: -1, outAxes: -1 })(matrix))).toEqual([[9, 24], [27, 48], [45, 72]]);
  });

  it('shares arguments whose axis is null, numbers, and what is captured', () => {
    const shared = tensor([10, 20]);
    expect(show(vmap((x: T, y: T, s: T) => x.mul(y).add(s).add(shared), { inAxes: [0, null, null] })(matrix, tensor([1, 2]), 0.5))).toEqual([[11.5, 24.5], [13.5, 28.5], [15.5, 32.5]]);
  });

  it('takes trees and gives trees, with an axis for each part', () => {
    const f = (p: { w: T; b: T }, xs: readonly [T, T]): { y: T; both: readonly T[] } => ({ y: p.w.mul(xs[0]).add(p.b), both: [xs[1], p.b] });
    const result = vmap(f, { inAxes: [{ w: null, b: 0 }, [1, 0]], outAxes: { y: 1, both: 0 } })({ w: tensor([1, 2, 3]), b: tensor([10, 20]) }, [matrix, tensor([[1], [2]])]);
    expect(show([result.y, ...result.both])).toEqual([[[11, 22], [16, 28], [25, 38]], [[1], [2]], [10, 20]]);
  });

  it('nests with itself, grad and jit in every order', () => {
    const cube = (x: T): T => x.mul(x).mul(x);
    expect(show(vmap((row: T) => vmap(grad(cube))(row))(matrix))).toEqual([[3, 12], [27, 48], [75, 108]]);
    expect(show(grad((x: T) => vmap(cube)(x).sum())(tensor([1, 2])))).toEqual([3, 12]);
    expect(jit((x: T) => vmap((row: T) => grad((y: T) => y.mul(row).sum())(row))(x), { engine })(matrix).toArray()).toEqual([[1, 2], [3, 4], [5, 6]]);
    expect(show(vmap((x: T) => vmap((y: T) => x.mul(y).sum())(matrix))(matrix))).toEqual([[5, 11, 17], [11, 25, 39], [17, 39, 61]]);
  });

  it('batches matrix products on either side and indices that differ', () => {
    const a = tensor([[[1, 2], [3, 4]], [[0, 1], [1, 0]]]);
    const b = tensor([[1, 1], [0, 1]]);
    expect(show(vmap((x: T, y: T) => matmul(x, y), { inAxes: [0, null] })(a, b))).toEqual([[[1, 3], [3, 7]], [[0, 1], [1, 1]]]);
    expect(show(vmap((x: T, y: T) => matmul(x, y), { inAxes: [null, 0] })(b, a))).toEqual([[[4, 6], [3, 4]], [[1, 1], [1, 0]]]);
    const places = tensor(Int32Array.of(2, 0, -1), { shape: [3] });
    expect(show(vmap((x: T, i: TracedTensor<'int32'>) => take(x, i), { inAxes: [null, 0] })(matrix, places))).toEqual([[5, 6], [1, 2], [5, 6]]);
    const pairs = tensor(Int32Array.of(0, 0, 1, -1, 0, 1), { shape: [3, 2] });
    expect(show(vmap((x: T, i: TracedTensor<'int32'>) => indexAdd(x, i, tensor([10, 100])), { inAxes: [0, 0] })(matrix, pairs))).toEqual([[111, 2], [3, 114], [15, 106]]);
  });

  it('maps over a batch whose size comes with the data', () => {
    const x = input('x', { dtype: 'float64', shape: ['n', 2] });
    const f = compile({ y: vmap((row: T) => row.mul(row.sum()))(x) }, { engine });
    expect(f({ x: matrix }).y.toArray()).toEqual([[3, 6], [21, 28], [55, 66]]);
    expect(f({ x: tensor([[1, 1]]) }).y.toArray()).toEqual([[2, 2]]);
  });

  it('an empty batch has an empty result', () => {
    expect(evaluate(vmap((x: T) => x.sum())(tensor(new Float64Array(0), { shape: [0, 2] })), engine).shape).toEqual([0]);
  });

  it('a result that does not depend on the batch is repeated, or stays single with outAxes null', () => {
    const constant = (_x: T): T => add(tensor([1, 2]), 0) as unknown as T;
    expect(show(vmap(constant)(matrix))).toEqual([[1, 2], [1, 2], [1, 2]]);
    expect(show(vmap(constant, { outAxes: null })(matrix))).toEqual([1, 2]);
  });

  it('gives the Jacobian of a map as a loop would', () => {
    const whole = show(jacobianForward((x: T) => vmap((row: T) => row.mul(row))(x))(tensor([[1, 2]])));
    expect(whole).toEqual([[[[2, 0]], [[0, 4]]]]);
  });

  it('says what is wrong with its arguments', () => {
    const f = (x: T, y: T): T => mul(x, y);
    expect(() => vmap(f)(matrix, tensor([1, 2]))).toThrow(/argument 0 has 3 elements along its mapped axis, argument 1 has 2/);
    expect(() => vmap(f)(matrix, 3)).toThrow(/argument 1 is a scalar and has no axis 0/);
    expect(() => vmap(f, { inAxes: [0, 2] })(matrix, matrix)).toThrow(/axis 2/);
    expect(() => vmap(f, { inAxes: [0] })(matrix, matrix)).toThrow(/inAxes has 1 entries, and the function was called with 2/);
    expect(() => vmap(f, { inAxes: null })(matrix, matrix)).toThrow(/no argument is mapped over/);
    expect(() => vmap(f, { inAxes: [{ w: 0 }, 0] })(matrix, matrix)).toThrow(/inAxes\[0\] does not have the structure/);
    expect(() => vmap(f, { inAxes: 0.5 })(matrix, matrix)).toThrow(/inAxes/);
    expect(() => vmap((x: T) => x, { outAxes: null })(matrix)).toThrow(/outAxes is null for the result, and it differs/);
    let kept: T | undefined;
    vmap((x: T) => (kept = x))(matrix);
    expect(() => evaluate(mul(kept as T, 2), engine)).toThrow(/argument 0/);
  });
});
