import { describe, expect, it } from 'vitest';
import type { Atom, Plan, Program, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { indexAdd, take } from '../primitives/indexing.ts';
import { reshape } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { slice, sliceAdd } from '../primitives/slicing.ts';
import { createCatalog } from '../primitives/extension.ts';
import { Builder } from '../program/builder.ts';
import { AdContext } from '../transform/context.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';

function programOf(shapes: readonly Shape[], f: (...inputs: readonly Var[]) => unknown): Program {
  const builder = new Builder();
  const outputs = f(...shapes.map((shape) => builder.input(tensorType('float64', shape))));
  return builder.build((Array.isArray(outputs) ? outputs : [outputs]) as readonly Atom[]);
}

/** Elements that a plan's loops and copies visit. */
function visited(plan: Plan): number {
  return plan.steps.reduce((total, step) => {
    if (step.kind === 'loop') return total + (step.extents as readonly number[]).reduce((a, b) => a * b, 1);
    if (step.kind === 'copy') return total + (step.elements as number);
    return total + ('extents' in step ? (step.extents as readonly number[]).reduce((a, b) => a * b, 1) : 0);
  }, 0);
}

const context = new AdContext({ catalog: createCatalog() });

describe('cotangents of slices and gathers', () => {
  it('of a thousand slices of one vector are added in place: the vector is written once', () => {
    const program = programOf([[100_000]], (x) => {
      let total: Var = sum(slice(x!, [0], [10]));
      for (let at = 1; at < 1000; at++) total = add(total, sum(mul(slice(x!, [at * 100], [at * 100 + 10]), at)));
      return total;
    });
    const gradient = context.pullback({ program, wrt: [0], live: [true] }).program;
    const plan = compileProgram(gradient, { check: true, tile: false });
    expect(visited(plan)).toBeLessThan(100_000 + 1000 * 10 * 10);
    expect(plan.slots.length).toBeLessThan(20);
  });

  it('of gathers from one table too', () => {
    const program = programOf([[1000, 4]], (x) => {
      let total: Var = sum(take(x!, [0, 1]));
      for (let at = 1; at < 100; at++) total = add(total, sum(take(x!, [at, at + 1])));
      return total;
    });
    const plan = compileProgram(context.pullback({ program, wrt: [0], live: [true] }).program, { check: true, tile: false });
    expect(plan.steps.filter((step) => step.kind === 'scatter')).toHaveLength(100);
    expect(visited(plan)).toBeLessThan(4000 + 100 * 8 * 5);
  });
});

describe('an operation that changes a few places', () => {
  const steps = (f: (x: Var, row: Var) => unknown): readonly string[] =>
    compileProgram(programOf([[5, 4], [1, 4]], (x, row) => f(x!, row!)), { check: true, tile: false }).steps.map((step) => `${step.kind}${step.kind === 'loop' ? step.kernel.reads.length : ''}`);

  it('copies an input, which is not its own', () => {
    expect(steps((x, row) => sliceAdd(x, [2, 0], row))).toEqual(['loop1', 'loop2']);
  });

  it('works in the memory of what nobody needs afterwards, also where that is the output', () => {
    expect(steps((x, row) => sliceAdd(mul(x, 2), [2, 0], row))).toEqual(['loop1', 'loop2']);
    expect(steps((x, row) => sliceAdd(sliceAdd(mul(x, 2), [2, 0], row), [0, 0], row))).toEqual(['loop1', 'loop2', 'loop2']);
    expect(steps((x, row) => indexAdd(mul(x, 2), [1], row))).toEqual(['loop1', 'scatter']);
  });

  it('copies what is needed afterwards: itself, a view of it, an output, its own updates', () => {
    expect(steps((x, row) => {
      const y = mul(x, 2);
      return add(sliceAdd(y, [2, 0], row), y);
    })).toEqual(['loop1', 'loop1', 'loop2', 'loop2']);
    expect(steps((x, row) => {
      const y = mul(x, 2);
      const view = reshape(y, [20]);
      return [sliceAdd(y, [2, 0], row), sum(view)];
    }).filter((step) => step === 'loop1').length).toBeGreaterThan(1);
    expect(steps((x, row) => {
      const y = mul(x, 2);
      return [y, sliceAdd(y, [2, 0], row)];
    })).toEqual(['loop1', 'loop1', 'loop2']);
    expect(steps((x) => {
      const y = mul(x, 2);
      return sliceAdd(y, [2, 0], slice(y, [1, 0], [2, 4]));
    })).toEqual(['loop1', 'loop1', 'loop2']);
  });
});
