/**
 * Loops that work in place: the result lies where an operand lay that nobody needs afterwards.
 *
 * An iteration then writes where it has read itself and no other iteration reads: both operands walk all elements in
 * row-major order. The loop may not fold, and may not read that operand in another way.
 */
import type { BufferView, LoopStep, PlanBuffer, Step, TileStep } from '../contract.ts';
import { type Dim, mulDims, sameDim } from '../types/dim.ts';
import type { Lifetime, Lifetimes } from './lifetimes.ts';

/**
 * Per result: the operand whose memory it takes, which no other result takes. Only buffers of `lifetimes` take part; what
 * is taken was to lie in the arena. What comes into steps that are `repeated` is needed by each of their iterations.
 */
export function inPlacePairs(buffers: readonly PlanBuffer[], steps: readonly Step[], lifetimes: Lifetimes, repeated: readonly Lifetime[] = []): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const mayTake = (result: BufferView, at: number): boolean => lifetimes.get(result.buffer)?.first === at && !pairs.has(result.buffer);
  const isNeededAgain = ({ first }: Lifetime, at: number): boolean => repeated.some((stretch) => first < stretch.first && stretch.first <= at && at <= stretch.last);
  const mayBeTaken = (operand: number, at: number): boolean => {
    const lifetime = lifetimes.get(operand);
    return lifetime?.last === at && lifetime.first < at && !taken.has(operand) && (buffers[operand] as PlanBuffer).place.kind === 'arena' && !isNeededAgain(lifetime, at);
  };
  const visit = (loop: LoopStep, at: number, beside: readonly LoopStep[]): void => {
    for (const result of loop.writes) {
      if (!mayTake(result, at)) continue;
      for (const { buffer: operand } of loop.reads) {
        if (!mayBeTaken(operand, at) || !canWorkInPlace(buffers, loop, operand, result) || touches(beside, loop, operand, result.buffer)) continue;
        pairs.set(result.buffer, operand);
        taken.add(operand);
        break;
      }
    }
  };
  steps.forEach((step, at) => {
    if (step.kind === 'loop') visit(step, at, []);
    else if (step.kind === 'tile') for (const loop of step.steps) visit(loop, at, step.steps);
  });
  return pairs;
}

/**
 * Per buffer of those that only this tile step touches, with their lifetimes in it (`own`): the result that the last loop to read it writes over it. The buffer may lie
 * in the result from the beginning, if the result is free until then: its memory is fetched while the buffer is computed.
 */
export function pairsInTile(buffers: readonly PlanBuffer[], { steps }: TileStep, own: (buffer: number) => Lifetime | undefined, isFree: (result: number) => boolean): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const seen = new Set<number>();
  steps.forEach((loop, at) => {
    for (const result of loop.writes) {
      if (seen.has(result.buffer) || !isFree(result.buffer)) continue;
      const operand = loop.reads.find(({ buffer }) => own(buffer)?.last === at && !pairs.has(buffer) && canWorkInPlace(buffers, loop, buffer, result));
      if (operand !== undefined) pairs.set(operand.buffer, result.buffer);
    }
    for (const { buffer } of loop.reads) seen.add(buffer);
    for (const { buffer } of loop.writes) seen.add(buffer);
  });
  return pairs;
}

/** Whether a loop may write this result where it reads that operand for the last time. */
export function worksInPlace(buffers: readonly PlanBuffer[], step: Step, operand: number, result: number): boolean {
  if (step.kind !== 'loop') return false;
  const write = step.writes.find(({ buffer }) => buffer === result);
  return write !== undefined && canWorkInPlace(buffers, step, operand, write);
}

function canWorkInPlace(buffers: readonly PlanBuffer[], { kernel, extents, reads, writes }: LoopStep, operand: number, result: BufferView): boolean {
  const [from, to] = [buffers[operand], buffers[result.buffer]] as [PlanBuffer, PlanBuffer];
  return kernel.reduce === undefined && from.dtype === to.dtype && sameDim(from.elements, to.elements)
    && isWhole(result, extents, to.elements)
    && reads.every((view) => view.buffer !== result.buffer && (view.buffer !== operand || sameView(view, result)))
    && writes.every((view) => view === result || view.buffer !== result.buffer);
}

/** Whether other loops of a tile step touch the operand, or touch the result before this loop does. */
function touches(loops: readonly LoopStep[], own: LoopStep, operand: number, result: number): boolean {
  const at = loops.indexOf(own);
  return loops.some((loop, other) => loop !== own && [...loop.reads, ...loop.writes].some(({ buffer }) => buffer === operand || (buffer === result && other < at)));
}

function sameView(a: BufferView, b: BufferView): boolean {
  return sameDim(a.offset, b.offset) && a.strides.every((stride, axis) => sameDim(stride, b.strides[axis] as Dim));
}

/** Every element once, in row-major order. */
function isWhole({ offset, strides }: BufferView, extents: readonly Dim[], elements: Dim): boolean {
  let stride: Dim = 1;
  for (let axis = extents.length - 1; axis >= 0; axis--) {
    if (!sameDim(strides[axis] as Dim, stride)) return false;
    stride = mulDims(stride, extents[axis] as Dim);
  }
  return offset === 0 && sameDim(stride, elements);
}
