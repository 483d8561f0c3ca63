import { describe, expect, it } from 'vitest';
import type { Atom, Plan, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { greater } from '../primitives/compare.ts';
import { matmul } from '../primitives/contraction.ts';
import { convert } from '../primitives/convert.ts';
import { exp } from '../primitives/functions.ts';
import { transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { concat } from '../primitives/slicing.ts';
import { Builder } from '../program/builder.ts';
import { symbolicDim } from '../types/dim.ts';
import type { Operand } from '../types/operand.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { planMemory, printPlan } from './report.ts';

function planOf(shapes: readonly Shape[], f: (...inputs: readonly Var[]) => readonly unknown[], options: { readonly fuse?: boolean; readonly tile?: boolean } = {}): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(...shapes.map((shape) => builder.input(tensorType('float64', shape)))) as readonly Atom[]), { check: true, ...options });
}

const steps = (plan: Plan): readonly string[] => printPlan(plan).split('\n').slice(1).map((line) => line.replace(/^ +(\d+ )?/, ''));

describe('a loop works in place', () => {
  it('where what it reads is needed for the last time: products with loops between them take one slot less', () => {
    const layers = (x: Var, w: Var): Operand => {
      let y: Operand = x;
      for (let layer = 0; layer < 6; layer++) y = exp(mul(matmul(y, w) as Operand, 0.5) as Operand) as Operand;
      return y;
    };
    const plan = planOf([[8, 8], [8, 8]], (x, w) => [layers(x!, w!)]);
    expect(planMemory(plan).arenaBytes).toBe(1024);
    expect(steps(plan).slice(0, 4)).toEqual(['contract [8, 8, 8]: input 0, input 1 → memory 0', 'loop [64]: memory 0 → memory 0', 'contract [8, 8, 8]: memory 0, input 1 → memory 1', 'loop [64]: memory 1 → memory 1']);
    expect(steps(plan).slice(-2)).toEqual(['contract [8, 8, 8]: memory 0, input 1 → output 0', 'loop [64]: output 0 → output 0']);
  });

  it('whatever the sizes', () => {
    const n = symbolicDim('n');
    expect(planMemory(planOf([[n, 4], [4, 4]], (x, w) => [exp(matmul(exp(x!), w!))]), new Map([['n', 10]])).arenaBytes).toBe(320);
  });

  it('over one of two operands, which no second result takes', () => {
    const plan = planOf([[64]], (x) => {
      const [a, b] = [exp(x!), mul(x!, 2)];
      return [sum(add(a, b) as Operand)];
    }, { fuse: false, tile: false });
    expect(steps(plan)).toEqual(['loop [64]: input 0 → memory 0', 'loop [64]: input 0 → memory 1', 'loop [64]: memory 0, memory 1 → memory 0', 'sum over 1 axis [64]: memory 0 → output 0']);
  });

  it('in memory for a tile too', () => {
    const plan = planOf([[64, 8]], (x) => [sum(exp(exp(x!)), { axes: 1 })], { fuse: false });
    expect(steps(plan).slice(1)).toEqual(['loop [512]: input 0 → tile memory 0', 'loop [512]: tile memory 0 → tile memory 0', 'sum over 1 axis [64, 8]: tile memory 0 → output 0']);
  });

  it('in the result of a tile, which holds what it overwrites', () => {
    const plan = planOf([[64, 8]], (x) => [exp(exp(exp(x!)))], { fuse: false });
    expect(steps(plan).slice(1)).toEqual(['loop [512]: input 0 → output 0', 'loop [512]: output 0 → output 0', 'loop [512]: output 0 → output 0']);
  });
});

describe('a loop has other memory for its result', () => {
  const apart = (shapes: readonly Shape[], f: (...inputs: readonly Var[]) => readonly unknown[]): void => {
    for (const step of planOf(shapes, f, { fuse: false, tile: false }).steps) {
      if (step.kind !== 'loop') continue;
      for (const write of step.writes) expect(step.reads.map(({ buffer }) => buffer)).not.toContain(write.buffer);
    }
    for (const line of steps(planOf(shapes, f, { fuse: false, tile: false }))) {
      const [, reads, write] = /: (.*) → (.*)$/.exec(line)!;
      expect(`${reads!}, `).not.toContain(`${write!}, `);
    }
  };

  it('where the operand is needed again, is an input or an output', () => {
    apart([[4]], (x) => {
      const y = exp(x!);
      return [y, exp(y)];
    });
    apart([[4, 4]], (x) => {
      const y = matmul(x!, x!);
      return [matmul(exp(y), y)];
    });
  });

  it('where it reads the operand in another order, repeats it, or reads it twice in different ways', () => {
    apart([[4, 4]], (x) => [exp(transpose(matmul(x!, x!)) as Operand)]);
    apart([[4, 4]], (x) => {
      const y = matmul(x!, x!);
      return [add(y, transpose(y))];
    });
    apart([[4, 4], [4]], (x, y) => [add(x!, exp(y!))]);
  });

  it('where dtypes or sizes differ, and where it folds', () => {
    apart([[4, 4]], (x) => [convert(matmul(x!, x!), 'float32')]);
    apart([[4, 4]], (x) => [greater(matmul(x!, x!), 0)]);
    apart([[4, 4]], (x) => [sum(matmul(x!, x!), { axes: 1 })]);
    apart([[4, 4]], (x) => [concat([matmul(x!, x!), x!])]);
  });
});
