import { describe, expect, it } from 'vitest';
import { gelu } from '../compositions/activations.ts';
import { layerNorm, softmax } from '../compositions/normalisation.ts';
import { variance } from '../compositions/statistics.ts';
import type { Atom, LoopStep, Plan, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { exp, tanh } from '../primitives/functions.ts';
import { reshape, transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { cos, sigmoid, sin } from '../primitives/special.ts';
import { barrier } from '../primitives/stop-gradient.ts';
import { Builder } from '../program/builder.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';

function planOf(shapes: readonly Shape[], f: (...inputs: readonly Var[]) => readonly unknown[]): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(...shapes.map((shape) => builder.input(tensorType('float64', shape)))) as readonly Atom[]), { check: true, tile: false });
}

/** What each step is: reads → writes of loops, with the monoid of those that fold. */
function sketch(plan: Plan): readonly string[] {
  return plan.steps.map((step) => (step.kind === 'loop' ? `${step.kernel.reduce?.monoid ?? 'loop'} ${step.reads.length}→${step.writes.length}` : step.kind));
}

describe('fusion', () => {
  it('makes one loop of a chain, a diamond and two arms that meet', () => {
    expect(sketch(planOf([[8], [8], [8]], (x, y, z) => [add(mul(gelu(x!), sigmoid(y!)), z!)]))).toEqual(['loop 3→1']);
  });

  it('stores what others need, and reads it where they do', () => {
    expect(sketch(planOf([[4, 4]], (x) => {
      const y = exp(x!);
      return [matmul(y, y), mul(y, 2)];
    }))).toEqual(['loop 1→2', 'contract']);
  });

  it('never joins across what lies between: exp, product, and a sum of both', () => {
    expect(sketch(planOf([[4, 4]], (x) => {
      const y = exp(x!);
      return [add(mul(y, 2), matmul(y, y))];
    }))).toEqual(['loop 1→2', 'contract', 'loop 2→1']);
  });

  it('embeds numbers, broadcasts smaller operands and joins axes as far as all operands allow', () => {
    const plan = planOf([[3, 4], [4]], (x, row) => [mul(add(x!, row!), 0.5)]);
    expect(sketch(plan)).toEqual(['loop 2→1']);
    expect((plan.steps[0] as LoopStep).extents).toEqual([3, 4]);
  });

  it('lets a reduction compute what only it needs', () => {
    expect(sketch(planOf([[3, 4], [3, 4]], (x, y) => [sum(mul(exp(x!), y!), { axes: 1 })]))).toEqual(['sum 2→1']);
    expect(sketch(planOf([[3, 4]], (x) => [variance(x!, { axes: 1 })]))).toEqual(['sum 1→1', 'loop 1→1', 'sum 2→1', 'loop 1→1']);
  });

  it('stores a value that a reduction shares with others', () => {
    expect(sketch(planOf([[3, 4]], (x) => [softmax(x!)]))).toEqual(['max 1→1', 'loop 2→1', 'sum 1→1', 'loop 1→1', 'loop 2→1']);
    expect(planOf([[3, 4]], (x) => [layerNorm(x!)]).steps.length).toBeLessThanOrEqual(6);
  });

  it('does not look through views of what it computes', () => {
    expect(sketch(planOf([[3, 4]], (x) => [add(transpose(exp(x!)), 1), mul(reshape(exp(x!), [12]), 2)]))).toEqual(['loop 1→1', 'loop 1→1', 'loop 1→1']);
  });

  it('computes behind a barrier after what came before it', () => {
    const plan = planOf([[8]], (x) => {
      const forward = sum(exp(x!));
      return [forward, mul(exp(barrier(x!)), forward)];
    });
    expect(sketch(plan)).toEqual(['sum 1→1', 'loop 2→1']);
  });

  it('cuts a long chain into equal kernels', () => {
    const plan = planOf([[8]], (x) => {
      let y: Var = x!;
      for (let step = 0; step < 1024; step++) y = add(mul(y, y), x!);
      return [y];
    });
    expect(plan.steps).toHaveLength(8);
    expect(new Set(plan.steps.map((step) => (step as LoopStep).kernel)).size).toBeLessThanOrEqual(3);
  });

  it('reads at most 16 operands in one loop', () => {
    const plan = planOf(Array.from({ length: 40 }, () => [5]), (...xs) => [xs.reduce((total, x) => add(total, x))]);
    expect(plan.steps.every((step) => (step as LoopStep).reads.length <= 16)).toBe(true);
    expect(plan.steps).toHaveLength(3);
  });

  it('spends a bounded amount of code on a long program in which nothing repeats', () => {
    const functions = [exp, tanh, sin, cos, sigmoid];
    let random = 1;
    const plan = planOf([[8]], (x) => {
      let y: Var = x!;
      for (let step = 0; step < 5000; step++) {
        random = (random * 48271) % 2147483647;
        y = functions[random % functions.length]!(y) as Var;
      }
      return [y];
    });
    const kernels = new Set(plan.steps.map((step) => (step as LoopStep).kernel));
    expect(kernels.size).toBeLessThan(400);
    expect(plan.steps.length).toBeGreaterThan(2000);
    const numbers = planOf([[8]], (x) => [Array.from({ length: 20_000 }, (_, at) => at).reduce((y, at) => add(y, 1 + at / 1e5), x!)]);
    expect(new Set(numbers.steps.map((step) => (step as LoopStep).kernel)).size).toBeLessThan(150);
  });
});
