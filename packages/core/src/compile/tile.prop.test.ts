import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BufferView, LoopStep, Plan, Step, TileStep } from '../contract.ts';
import { randomProgram, stepNames } from '../program/random-program.testing.ts';
import { type DimBinding, evaluateDim } from '../types/dim.ts';
import { compileProgram } from './compile.ts';

const programs = randomProgram({ maximumSteps: 40, steps: stepNames.filter((name) => name !== 'call'), symbolic: true });

function bind(plan: Plan): DimBinding {
  const symbols = new Set(plan.inputs.flatMap(({ shape }) => shape.flatMap((dim) => (typeof dim === 'number' ? [] : dim.terms.flatMap(({ symbols: own }) => own)))));
  return new Map([...symbols].map((symbol, at) => [symbol, 2 + at]));
}

/** Positions in the buffer that each row of the loop touches. */
function positionsByRow({ buffer, offset, strides }: BufferView, { extents }: Pick<LoopStep, 'extents'>, rows: number, binding: DimBinding): { readonly buffer: number; readonly rows: readonly (readonly number[])[] } {
  const [outer, ...inner] = extents.map((extent) => evaluateDim(extent, binding)) as [number, ...number[]];
  const steps = strides.map((stride) => evaluateDim(stride, binding));
  let within = [evaluateDim(offset, binding)];
  inner.forEach((extent, axis) => {
    within = within.flatMap((at) => Array.from({ length: extent }, (_, i) => at + i * (steps[axis + 1] as number)));
  });
  const each = outer / rows;
  return { buffer, rows: Array.from({ length: rows }, (_, row) => Array.from({ length: each }, (_, i) => within.map((at) => at + (row * each + i) * (steps[0] as number))).flat()) };
}

function checkTile(step: TileStep, binding: DimBinding): void {
  const rows = evaluateDim(step.rows, binding);
  const written = new Set(step.steps.flatMap(({ writes }) => writes.map(({ buffer }) => buffer)));
  const rowOf = new Map<string, number>();
  for (const loop of step.steps) {
    const results = { extents: loop.extents.slice(0, loop.kernel.rank - (loop.kernel.reduce?.axes ?? 0)) };
    const outer = evaluateDim(loop.extents[0] as never, binding);
    // Of no rows at these sizes each has none.
    expect(rows === 0 ? outer === 0 : Number.isInteger(outer / rows)).toBe(true);
    const touched = [...loop.reads.filter(({ buffer }) => written.has(buffer)).map((view) => positionsByRow(view, loop, rows, binding)), ...loop.writes.map((view) => positionsByRow(view, results, rows, binding))];
    for (const { buffer, rows: positions } of touched) {
      positions.forEach((own, row) => {
        for (const at of own) {
          const key = `${buffer} ${at}`;
          expect(rowOf.get(key) ?? row).toBe(row);
          rowOf.set(key, row);
        }
      });
    }
  }
}

it('no position of what a tile step writes belongs to two rows', () => {
  let tiles = 0;
  fc.assert(fc.property(programs, fc.boolean(), (program, fuse) => {
    const plan = compileProgram(program, { check: true, fuse });
    const binding = bind(plan);
    for (const step of plan.steps) {
      if (step.kind !== 'tile') continue;
      tiles++;
      checkTile(step, binding);
    }
  }), { numRuns: 200, seed: 1 });
  expect(tiles).toBeGreaterThan(10);
});

it('tile steps hold the loops of the plan without them, in its order', () => {
  const flat = (steps: readonly Step[]): readonly Step[] => steps.flatMap((step): readonly Step[] => (step.kind === 'tile' ? step.steps : [step]));
  fc.assert(fc.property(programs, (program) => {
    const [tiled, plain] = [true, false].map((tile) => compileProgram(program, { tile })) as [Plan, Plan];
    expect(flat(tiled.steps).map((step) => ({ ...step, kernel: undefined }))).toEqual(plain.steps.map((step) => ({ ...step, kernel: undefined })));
  }), { numRuns: 100, seed: 1 });
});

it('buffers that share a tile slot are not used at once', () => {
  fc.assert(fc.property(programs, (program) => {
    const plan = compileProgram(program, { fuse: false });
    for (const step of plan.steps) {
      if (step.kind !== 'tile') continue;
      const spans = new Map<number, [number, number]>();
      step.steps.forEach(({ reads, writes }, at) => [...reads, ...writes].forEach(({ buffer }) => spans.set(buffer, [spans.get(buffer)?.[0] ?? at, at])));
      const own = [...spans].flatMap(([buffer, span]) => {
        const { place } = plan.buffers[buffer] as Plan['buffers'][number];
        return place.kind === 'tile' ? [{ slot: place.slot, span }] : [];
      });
      own.forEach((a, i) => own.slice(i + 1).forEach((b) => expect(a.slot === b.slot && a.span[0] < b.span[1] && b.span[0] < a.span[1]).toBe(false)));
    }
  }), { numRuns: 100, seed: 1 });
});
