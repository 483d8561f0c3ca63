import { describe, expect, it } from 'vitest';
import type { BufferPlace, LoopStep, PlanBuffer, Step } from '../contract.ts';
import { argument, constant, neg } from '../loop/index.ts';
import { assignSlots } from './arena.ts';

const arena: BufferPlace = { kind: 'arena', slot: -1 };
const output: BufferPlace = { kind: 'output', index: 0 };

/** Whole vectors of four: to = −from, or ones. */
function loopStep(to: number, from?: number): LoopStep {
  const view = (buffer: number): LoopStep['writes'][number] => ({ buffer, offset: 0, strides: [1] });
  const access = { dtype: 'float64', inner: 'contiguous' } as const;
  const reads = from === undefined ? [] : [from];
  return { kind: 'loop', kernel: { rank: 1, reads: reads.map(() => access), writes: [access], body: [from === undefined ? constant('f64', 1) : neg(argument('f64', 0))] }, extents: [4], reads: reads.map(view), writes: [view(to)] };
}

function placesOf(kinds: readonly BufferPlace[], steps: readonly Step[]): readonly string[] {
  const buffers = kinds.map((place): PlanBuffer => ({ dtype: 'float64', elements: 4, place }));
  return assignSlots(buffers, steps).buffers.map(({ place }) => `${place.kind} ${place.kind === 'arena' ? place.slot : ''}`.trim());
}

const repeat = (steps: readonly Step[]): Step => ({ kind: 'repeat', counter: '#i', count: 3, steps });

describe('what comes into repeated steps', () => {
  it('keeps its memory until the last iteration has read it', () => {
    // Buffer 0 is read in the first step of an iteration; those after it are nobody's else.
    const steps = [loopStep(0), repeat([loopStep(1, 0), loopStep(2, 1), loopStep(3, 2)])];
    expect(placesOf([arena, arena, arena, output], steps)).toEqual(['arena 0', 'output', 'output', 'output']);
  });

  it('is not written over by a loop in place, even in the last step', () => {
    const inside = [loopStep(1, 0)];
    expect(placesOf([arena, output], [loopStep(0), ...inside])).toEqual(['output', 'output']);
    expect(placesOf([arena, output], [loopStep(0), repeat(inside)])).toEqual(['arena 0', 'output']);
    expect(placesOf([arena, output], [repeat([loopStep(0), repeat(inside)])])).toEqual(['arena 0', 'output']);
    const whileStep: Step = { kind: 'while', condition: [], holds: { buffer: 2, offset: 0, strides: [] }, steps: inside };
    expect(placesOf([arena, output, { kind: 'input', index: 0 }], [loopStep(0), whileStep])).toEqual(['arena 0', 'output', 'input']);
  });

  it('may be worked on in place where an iteration made it itself', () => {
    expect(placesOf([arena, output], [repeat([loopStep(0), loopStep(1, 0)])])).toEqual(['output', 'output']);
    const branch: Step = { kind: 'branch', index: { buffer: 2, offset: 0, strides: [] }, branches: [[loopStep(1, 0)], []] };
    expect(placesOf([arena, output, { kind: 'input', index: 0 }], [loopStep(0), branch])).toEqual(['output', 'output', 'input']);
  });
});
