import { describe, expect, it } from 'vitest';
import { layerNorm, logSoftmax, logSumExp, softmax } from '../compositions/normalisation.ts';
import type { Atom, Plan, Step, TileStep, Var } from '../contract.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { matmul } from '../primitives/contraction.ts';
import { exp } from '../primitives/functions.ts';
import { reshape, transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { concat } from '../primitives/slicing.ts';
import { barrier } from '../primitives/stop-gradient.ts';
import { Builder } from '../program/builder.ts';
import { dimText, evaluateDim, symbolicDim } from '../types/dim.ts';
import type { Operand } from '../types/operand.ts';
import type { Shape } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram, type CompileOptions } from './compile.ts';

type F = (...inputs: readonly Var[]) => readonly unknown[];

function planOf(shapes: readonly Shape[], f: F, options: CompileOptions = {}): Plan {
  const builder = new Builder();
  return compileProgram(builder.build(f(...shapes.map((shape) => builder.input(tensorType('float64', shape)))) as readonly Atom[]), { check: true, ...options });
}

/** `tile 8: 4` is a tile step of four loops over eight rows. */
function sketch(shapes: readonly Shape[], f: F, options?: CompileOptions): readonly string[] {
  return planOf(shapes, f, options).steps.map((step: Step) => (step.kind === 'tile' ? `tile ${dimText(step.rows)}: ${step.steps.length}` : step.kind));
}

const n = symbolicDim('n');
const m = symbolicDim('m');

describe('tiles', () => {
  it('are made of what works on rows: softmax, layer norm and the like in one step, whatever the sizes', () => {
    for (const [rows, columns] of [[8, 5], [n, 5], [8, m], [n, m]] as const) {
      const one = (f: (x: Operand) => unknown): readonly string[] => sketch([[rows, columns]], (x) => [f(x!)]);
      expect(one((x) => softmax(x))).toEqual([`tile ${dimText(rows)}: 5`]);
      for (const f of [logSoftmax, (x: Operand): unknown => logSumExp(x, { axes: 1 })]) expect(one(f)).toHaveLength(1);
      if (columns === 5) expect(one((x) => layerNorm(x))).toHaveLength(1);
    }
  });

  it('hold no loop that reads only what was written before another step', () => {
    expect(sketch([[4, 4]], (x) => {
      const y = exp(x!);
      return [add(mul(y, 2), matmul(y, y))];
    })).toEqual(['loop', 'contract', 'loop']);
  });

  it('take the leading axes together as far as all loops do', () => {
    expect(sketch([[3, 4, 5]], (x) => [softmax(x!)])).toEqual(['tile 12: 5']);
    expect(sketch([[3, 4, 5], [3, 1, 5]], (x, y) => [softmax(add(exp(x!), y!))])).toEqual(['tile 3: 6']);
  });

  it('count rows by the loop with the fewest: a loop over all elements has many per row', () => {
    const f: F = (x) => {
      const y = exp(x!);
      return [y, mul(y, sum(y, { axes: 1, keepdims: true }))];
    };
    for (const rows of [6, n]) {
      const [step] = planOf([[rows, 4]], f).steps as readonly [TileStep];
      expect([dimText(step.rows), step.steps.map(({ extents }) => dimText(extents[0]!))]).toEqual([dimText(rows), [rows === n ? '4*n' : '24', dimText(rows), dimText(rows)]]);
    }
  });

  it('are cut where something reads across rows', () => {
    expect(sketch([[6, 4]], (x) => [sum(exp(exp(x!)), { axes: 0 })], { fuse: false })).toEqual(['tile 24: 2', 'loop']);
    expect(sketch([[4, 4]], (x) => [exp(barrier(transpose(exp(x!)) as Var))])).toEqual(['loop', 'loop']);
    expect(sketch([[4, 4]], (x) => [softmax(matmul(softmax(x!), x!))])).toEqual(['tile 4: 5', 'contract', 'tile 4: 5']);
    expect(sketch([[8]], (x) => [exp(barrier(sum(x!) as Var))])).toEqual(['loop', 'loop']);
  });

  it('hold pieces side by side, and what is reordered within a row', () => {
    expect(sketch([[6, 4], [6, 3]], (x, y) => [exp(concat([x!, y!], 1))])).toEqual(['tile 6: 3']);
    expect(sketch([[6, 4, 3]], (x) => [exp(reshape(transpose(exp(x!), [0, 2, 1]), [6, 12]))])).toEqual(['tile 6: 3']);
    expect(sketch([[4, 6], [3, 6]], (x, y) => [exp(concat([x!, y!], 0))])).toEqual(['loop', 'loop', 'loop']);
  });

  it('are not made of one loop, nor of loops that share nothing', () => {
    expect(sketch([[8]], (x) => [exp(x!)])).toEqual(['loop']);
    expect(sketch([[8], [5]], (x, y) => [exp(x!), exp(y!)])).toEqual(['loop', 'loop']);
    expect(sketch([[8, 3]], (x) => [sum(x!, { axes: 1 }), exp(x!)])).toEqual(['loop', 'loop']);
    expect(sketch([[8, 3]], (x) => [softmax(x!)], { tile: false })).toEqual(['loop', 'loop', 'loop', 'loop', 'loop']);
  });

  it('hold what only their loops use; the arena keeps the rest', () => {
    const bytes = (plan: Plan): number => plan.slots.reduce((total, slot) => total + Math.max(...slot.map((size) => evaluateDim(size, new Map([['n', 1024]])))), 0);
    const soft: F = (x) => [softmax(x!)];
    expect(bytes(planOf([[n, 1024]], soft, { tile: false }))).toBe(8 * 1024);
    expect(bytes(planOf([[n, 1024]], soft))).toBe(0);
    const plan = planOf([[4, 4]], (x) => [matmul(softmax(x!), x!)]);
    expect(plan.slots).toEqual([[128]]);
    expect(plan.buffers.map(({ place }) => place.kind).sort()).toEqual(['arena', 'input', 'output', 'tile', 'tile', 'tile', 'tile']);
  });

  it('share slots among what is not used at once', () => {
    const plan = planOf([[64, 8]], (x) => {
      let y = x!;
      for (let step = 0; step < 50; step++) y = mul(exp(y), add(y, 1)) as Var;
      return [y];
    }, { fuse: false });
    expect(plan.slots).toHaveLength(0);
    expect(Math.max(...plan.buffers.map(({ place }) => (place.kind === 'tile' ? place.slot : 0)))).toBe(1);
  });
});
