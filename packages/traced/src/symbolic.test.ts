import { layerNorm, mean, pad, shapeOf, size, slice, sliceAdd, std, sum, symbolicDim, tensor, variance } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, input } from './index.ts';

const engine = await createEngine();
const other = await createEngine();
const a = input('a', { shape: ['n'] });
const n = symbolicDim('n');

describe('symbolic slices, pads and boxes are checked when sizes are bound', () => {
  it.each([
    ['a fixed slice of a shorter vector', slice(a, [1], [3]), 2, 3],
    ['a slice far too long', slice(a, [0], [1_000_000]), 5, 1_000_000],
    ['a slice that starts behind its end', slice(a, [1], [n]), 0, 1],
    ['a pad that cuts more than there is', pad(a, { low: [-3], high: [0] }), 2, 3],
    ['a pad that cuts more on both sides than there is', pad(a, { low: [-2], high: [-2] }), 3, 4],
    ['a box that ends outside', sliceAdd(a, [2], tensor([1, 2, 3])), 4, 5],
  ] as const)('%s', (_name, y, tooShort, enough) => {
    const run = compile({ y }, { engine });
    expect(() => run({ a: new Float64Array(tooShort) })).toThrow(/^(slice|pad|sliceAdd): axis 0 of f64\[n\]: /);
    expect(run({ a: new Float64Array(enough).fill(1) }).y.type.shape.length).toBe(1);
  });

  it('an adjoint writes nowhere else: its slice does not fit', () => {
    const b = input('b', { shape: [64] });
    const run = compile({ y: slice(a, [0], [64]).vjp(a, b), n: sum(a) }, { engine });
    expect(() => run({ a: tensor([1, 2]), b: new Float64Array(64).fill(9) })).toThrow(/^pad: axis 0 of f64\[64\]: 0 may be at most n-64, and n-64 is -62/);
    expect(run({ a: new Float64Array(65), b: new Float64Array(64).fill(9) }).y.toArray()).toEqual([...new Array<number>(64).fill(9), 0]);
  });

  it('cuts a symbolic axis on both sides', () => {
    const run = compile({ y: pad(a, { low: [-1], high: [-2] }), z: pad(a, { low: [1], high: [-1], value: 7 }) }, { engine });
    const { y, z } = run({ a: tensor([1, 2, 3, 4, 5]) });
    expect([y.toArray(), z.toArray()]).toEqual([[2, 3], [7, 1, 2, 3, 4]]);
    expect(run({ a: tensor([1, 2, 3]) }).y.toArray()).toEqual([]);
  });

  it('refuses elements between neighbours whose number is not known', () => {
    expect(() => pad(a, { low: [0], high: [0], interior: [1] })).toThrow(/^pad: interior 1 along axis 0 of f64\[n\]/);
  });
});

describe('a gradient that reads no input takes its shape from one', () => {
  it('of a sum', () => {
    const run = compile({ y: sum(a).grad(a) }, { engine });
    expect(run({ a: tensor([1, 2, 3]) }).y.toArray()).toEqual([1, 1, 1]);
    expect(run({ a: tensor([]) }).y.toArray()).toEqual([]);
    expect(() => run({})).toThrow(/"?a"?/);
  });

  it('with respect to a value computed from the input', () => {
    const twice = a.mul(2);
    const run = compile({ y: sum(twice).grad(twice) }, { engine });
    expect(run({ a: tensor([1, 2]) }).y.toArray()).toEqual([1, 1]);
  });
});

describe('sizes as values', () => {
  const x = input('x', { shape: ['n', 'm'] });
  const of = (y: typeof x) => ({ size: size(y), rows: shapeOf(y, 0), columns: shapeOf(y, -1), mean: mean(y, { axes: 0 }), variance: variance(y, { ddof: 1 }), std: std(y, { axes: 1 }), norm: layerNorm(y), gradient: layerNorm(y).mul(y).sum().grad(y), second: variance(y).grad(y).mul(y).sum().grad(y) });

  it('means, variances and layer norms over symbolic extents have the bits of those over known ones, by one module', () => {
    const run = compile(of(x), { engine });
    const before = engine.stats().modulesCompiled;
    for (const [rows, columns] of [[2, 3], [5, 4], [1, 7], [33, 2]] as const) {
      const data = tensor(Float64Array.from({ length: rows * columns }, (_, at) => Math.sin(7.3 * at)), { shape: [rows, columns] });
      const symbolic = run({ x: data });
      expect(engine.stats().modulesCompiled - before).toBeLessThanOrEqual(1);
      const known = compile(of(input('x', { shape: [rows, columns] })), { engine: other })({ x: data });
      for (const name of Object.keys(known) as (keyof typeof known)[]) expect([name, symbolic[name].toArray()]).toEqual([name, known[name].toArray()]);
      expect([symbolic.size.item(), symbolic.rows.item(), symbolic.columns.item()]).toEqual([rows * columns, rows, columns]);
    }
  });

  it('are int32 and carry no tangent', () => {
    expect(size(x).type.key).toBe('i32[]');
    expect(() => sum(x).mul(2).grad(size(x) as never)).toThrow(expect.objectContaining({ name: 'NotDifferentiableError' }));
  });
});
