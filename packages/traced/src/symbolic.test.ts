import { pad, slice, sliceAdd, sum, symbolicDim, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, input } from './index.ts';

const engine = await createEngine();
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
