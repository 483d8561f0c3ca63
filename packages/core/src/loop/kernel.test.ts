import { describe, expect, it } from 'vitest';
import type { DType } from '../types/dtype.ts';
import type { KernelAccess, LoopKernel, ScalarExpr } from '../types/loop-language.ts';
import { checkKernel, kernelText } from './kernel.ts';
import * as scalar from './scalar.ts';

const access = (dtype: DType, inner: KernelAccess['inner'] = 'contiguous'): KernelAccess => ({ dtype, inner });

function kernel(body: readonly ScalarExpr[], change: Partial<LoopKernel> = {}): LoopKernel {
  return { rank: 1, reads: [access('float64'), access('float64', 'broadcast')], writes: [access('float64')], body, ...change };
}

const x = scalar.argument('f64', 0);
const y = scalar.argument('f64', 1);

describe('kernelText', () => {
  it('prints accesses, numbered nodes and results', () => {
    const square = scalar.mul(x, x);
    const text = kernelText(kernel([scalar.add(square, scalar.call('exp', 'f64', square))], { rank: 2, reduce: { monoid: 'sum', axes: 1 } }));
    expect(text).toBe(
      [
        'kernel rank 2', 'read 0 float64 contiguous', 'read 1 float64 broadcast', 'write 0 float64 contiguous', 'reduce sum axes 1',
        '%0 = argument f64 0.0', '%1 = mul f64 %0 %0', '%2 = call f64 "exp" %1', '%3 = add f64 %1 %2', 'result %3',
      ].join('\n'),
    );
  });

  it('is equal for equal kernels, shared or not', () => {
    const build = (): ScalarExpr => scalar.add(scalar.argument('f64', 0), scalar.constant('f64', 2));
    const shared = build();
    expect(kernelText(kernel([scalar.mul(build(), build())]))).toBe(kernelText(kernel([scalar.mul(shared, shared)])));
  });

  it('differs when anything differs', () => {
    const one = (value: number): ScalarExpr => scalar.add(x, scalar.constant('f64', value));
    const f32 = { reads: [access('float32')], writes: [access('float32')] };
    const kernels = [
      kernel([one(0)]), kernel([one(-0)]), kernel([one(NaN)]), kernel([one(Infinity)]), kernel([one(0.1)]), kernel([one(0.1 + 2 ** -56)]),
      kernel([one(0)], { rank: 2 }), kernel([one(0)], { reduce: { monoid: 'sum', axes: 1 } }), kernel([one(0)], { reduce: { monoid: 'max', axes: 1 } }),
      kernel([one(0)], { reads: [access('float64', 'strided'), access('float64', 'broadcast')] }), kernel([one(0)], { reads: [access('float64')] }),
      kernel([scalar.sub(x, y)]), kernel([scalar.sub(y, x)]), kernel([scalar.call('exp', 'f64', x)]), kernel([scalar.call('log', 'f64', x)]),
      kernel([scalar.constant('f32', 1)], f32), kernel([scalar.constant('f64', 1)]), kernel([x]), kernel([x, x], { writes: [access('complex128')] }),
      ...[[1, 2], [1, 2, 3], [2, 1], [1], [-0], [0]].map((table) => kernel([scalar.lookup('f64', table, scalar.constant('i32', 0))])),
      kernel([scalar.lookup('f64', [1], scalar.constant('i32', 1))]),
      kernel([scalar.argument('f64', 0, 1)]), kernel([x, x], { writes: [access('float64'), access('float64')] }),
    ];
    const texts = kernels.map(kernelText);
    expect(new Set(texts).size).toBe(kernels.length);
  });

  it('is linear in the graph: 1000 doublings, and a chain of 100 000', () => {
    let doubled = x;
    for (let i = 0; i < 1000; i++) doubled = scalar.add(doubled, doubled);
    expect(kernelText(kernel([doubled])).split('\n').length).toBe(1000 + 6);
    let chain = x;
    for (let i = 0; i < 100_000; i++) chain = scalar.neg(chain);
    expect(kernelText(kernel([chain])).length).toBeLessThan(3_000_000);
  });

  it('cannot be forged by the name of a call', () => {
    const forged = scalar.call('exp" %0\n%2 = neg f64 "', 'f64', x);
    expect(kernelText(kernel([forged])).split('\n').length).toBe(7);
  });
});

describe('checkKernel', () => {
  it('accepts complex reads and writes lane by lane, and reductions over trailing axes', () => {
    const z = [scalar.argument('f32', 0), scalar.neg(scalar.argument('f32', 0, 1))];
    expect(() => checkKernel({ rank: 3, reads: [access('complex64')], writes: [access('complex64')], body: z, reduce: { monoid: 'sum', axes: 2 } })).not.toThrow();
    expect(() => checkKernel(kernel([scalar.add(x, y)], { rank: 0 }))).not.toThrow();
  });

  const forged = { op: 'add', type: 'f64', args: [x, scalar.argument('i32', 0)] } as ScalarExpr;
  const wrong: readonly (readonly [string, LoopKernel])[] = [
    ['a body of another type than the write', kernel([scalar.convert('i32', x)])],
    ['too few lanes', kernel([x], { writes: [access('complex128')] })],
    ['too many lanes', kernel([x, x])],
    ['an argument beyond the reads', kernel([scalar.argument('f64', 2)])],
    ['the imaginary lane of a real read', kernel([scalar.argument('f64', 0, 1)])],
    ['a read in another type', kernel([scalar.convert('f64', scalar.argument('f32', 0))])],
    ['operands that do not fit, built by hand', kernel([forged], { reads: [access('float64')] })],
    ['a declared type that is not the result', kernel([{ op: 'lt', type: 'f64', args: [x, y] }])],
    ['a constant that its type does not hold', kernel([scalar.convert('f64', { op: 'constant', type: 'f32', value: 0.1 })])],
    ['an i64 constant given as number', kernel([scalar.convert('f64', { op: 'constant', type: 'i64', value: 1 })])],
    ['a reduction of more axes than there are', kernel([x], { reduce: { monoid: 'sum', axes: 2 } })],
    ['a reduction of no axes', kernel([x], { reduce: { monoid: 'sum', axes: 0 } })],
    ['a complex maximum', kernel([x, x], { writes: [access('complex128')], reduce: { monoid: 'max', axes: 1 } })],
    ['a fractional rank', kernel([x], { rank: 1.5 })],
  ];
  it.each(wrong)('refuses %s', (_, bad) => {
    expect(() => checkKernel(bad)).toThrow(expect.objectContaining({ name: 'InvariantError' }));
  });
});
