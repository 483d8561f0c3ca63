import { describe, expect, it } from 'vitest';
import type { Atom, LoopStep, Plan, Var } from '../contract.ts';
import { add, mul, neg } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { exp } from '../primitives/functions.ts';
import { broadcastTo, reshape, transpose } from '../primitives/movement.ts';
import { prod } from '../primitives/product.ts';
import { reduceMax, sum } from '../primitives/reduce.ts';
import { concat, pad, slice } from '../primitives/slicing.ts';
import { Builder } from '../program/builder.ts';
import { symbolicDim } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';

function planOf(shapes: readonly Shape[], f: (...inputs: readonly Var[]) => readonly Atom[], fuse = true): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(...shapes.map((shape) => builder.input(tensorType('float64', shape))))), { check: true, fuse, tile: false });
}

describe('planProgram', () => {
  it('walks transposed and broadcast operands where they lie', () => {
    const plan = planOf([[3, 4], [3]], (x, y) => [add(transpose(x!), y!)]);
    expect(plan.steps).toHaveLength(1);
    const step = plan.steps[0] as LoopStep;
    expect(step.extents).toEqual([4, 3]);
    expect(step.reads.map((read) => read.strides)).toEqual([[1, 4], [0, 1]]);
  });

  it('folds over no axes where that changes bits: sums start from 0, complex products from 1 + 0i', () => {
    const count = (dtype: DType, fold: (x: Var, options: { readonly axes: readonly number[] }) => unknown): number => {
      const builder = new Builder();
      return compileProgram(builder.build([neg(fold(builder.input(tensorType(dtype, [3])), { axes: [] }) as Var) as Var]), { tile: false }).steps.length;
    };
    expect([count('float64', sum), count('complex128', sum), count('complex128', prod), count('float64', prod), count('float64', reduceMax)]).toEqual([2, 2, 2, 1, 1]);
  });

  it('joins axes that every operand walks as one', () => {
    const step = planOf([[3, 4, 5], [3, 4, 5]], (x, y) => [mul(x!, y!)]).steps[0] as LoopStep;
    expect(step.extents).toEqual([60]);
    expect(step.kernel.reads.map((read) => read.inner)).toEqual(['contiguous', 'contiguous']);
  });

  it('computes straight into the output, also under a reshape', () => {
    const plan = planOf([[6]], (x) => [reshape(exp(x!), [2, 3])]);
    expect(plan.steps).toHaveLength(1);
    expect(plan.slots).toHaveLength(0);
  });

  it('copies an input that is returned, and a value returned twice', () => {
    const plan = planOf([[3]], (x) => {
      const y = exp(x!);
      return [x!, y, y];
    });
    expect(plan.steps.map((step) => step.kind)).toEqual(['loop', 'copy', 'copy']);
  });

  it('copies before a reshape that no stride can express', () => {
    const plan = planOf([[3, 4]], (x) => [exp(reshape(transpose(x!), [12]))]);
    expect(plan.steps).toHaveLength(2);
  });

  it('keeps the order of folded axes and folds them innermost', () => {
    const step = planOf([[2, 3, 4]], (x) => [sum(x!, { axes: [0, 2] })]).steps[0] as LoopStep;
    expect(step.extents).toEqual([3, 2, 4]);
    expect(step.kernel.reduce).toEqual({ monoid: 'sum', axes: 2 });
  });

  it('contracts transposed operands without a copy', () => {
    const plan = planOf([[4, 3], [5, 4]], (a, b) => [matmul(transpose(a!), transpose(b!))]);
    expect(plan.steps).toHaveLength(1);
    expect(plan.steps[0]).toMatchObject({ kind: 'contract', m: 3, n: 5, k: 4, lhs: { strides: [1, 3] }, rhs: { strides: [1, 4] } });
  });

  it('reads a slice where it lies and puts pieces where they belong', () => {
    const plan = planOf([[5]], (x) => [concat([slice(x!, [1], [5], [2]), pad(x!, { low: [1], high: [-2] })])]);
    expect(plan.steps.every((step) => step.kind === 'loop')).toBe(true);
    expect((plan.steps[0] as LoopStep).kernel.reads).toHaveLength(0);
  });

  it('reuses memory: a chain works in place in one slot, whatever its length, and in two where it may not', () => {
    const plan = planOf([[8]], (x) => {
      let y = x!;
      for (let step = 0; step < 50; step++) y = exp(y);
      return [sum(y)];
    }, false);
    expect(plan.slots.length).toBe(1);
    expect(plan.intermediateBytes).toBe(50 * 64);
    const products = planOf([[8, 8]], (x) => {
      let y = x!;
      for (let step = 0; step < 50; step++) y = matmul(y, x!);
      return [sum(y)];
    });
    expect(products.slots.length).toBe(2);
  });

  it('never gives two values that live at once one slot', () => {
    const plan = planOf([[4]], (x) => {
      const all = Array.from({ length: 6 }, () => undefined).reduce<readonly Var[]>((values) => [...values, exp(values[values.length - 1] ?? x!)], []);
      return [all.reduce((total, value) => mul(total, value) as Var)];
    }, false);
    const live = new Map<number, number>();
    const lastUse = new Map<number, number>();
    plan.steps.forEach((step, at) => {
      if (step.kind === 'loop') for (const view of [...step.reads, ...step.writes]) lastUse.set(view.buffer, at);
    });
    plan.steps.forEach((step, at) => {
      if (step.kind !== 'loop') return;
      const { buffer } = step.writes[0]!;
      const place = plan.buffers[buffer]!.place;
      if (place.kind !== 'arena') return;
      const readHere = step.reads.map((view) => view.buffer);
      for (const [other, slot] of live) expect(other !== buffer && slot === place.slot && lastUse.get(other)! >= at && !(lastUse.get(other) === at && readHere.includes(other))).toBe(false);
      live.set(buffer, place.slot);
    });
  });

  it('holds for all sizes of a symbolic extent', () => {
    const n = symbolicDim('n');
    const plan = planOf([[n, 3], [3]], (x, y) => [sum(exp(mul(x!, broadcastTo(y!, [n, 3]))), { axes: 1 })]);
    expect((plan.steps[0] as LoopStep).extents.map(String)).toHaveLength(2);
    expect(plan.outputs[0]!.key).toBe('f64[n]');
  });
});
