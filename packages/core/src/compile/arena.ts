import type { BufferPlace, PlanBuffer, Step } from '../contract.ts';
import { dtypes } from '../types/dtype.ts';
import { type Dim, dimText, isKnown, mulDims } from '../types/dim.ts';

export interface Arena {
  readonly buffers: readonly PlanBuffer[];
  readonly slots: readonly (readonly Dim[])[];
}

interface Lifetime {
  first: number;
  last: number;
}

/** Buffers that a step touches. */
function touched(step: Step): readonly number[] {
  switch (step.kind) {
    case 'loop':
      return [...step.reads, ...step.writes].map((view) => view.buffer);
    case 'contract':
      return [step.lhs.buffer, step.rhs.buffer, step.out.buffer];
    case 'gather':
      return [step.source.buffer, step.indices.buffer, step.out.buffer];
    case 'scatter':
      return [step.updates.buffer, step.indices.buffer, step.target.buffer];
    case 'copy':
      return [step.from.buffer, step.to.buffer];
  }
}

/**
 * Gives each intermediate a slot that no other intermediate uses at the same time. A freed slot of the best size is taken
 * before a new one is opened; sizes that depend on symbols are compared by their text.
 */
export function assignSlots(buffers: readonly PlanBuffer[], steps: readonly Step[]): Arena {
  const lifetimes = new Map<number, Lifetime>();
  steps.forEach((step, at) => {
    for (const buffer of touched(step)) {
      if ((buffers[buffer] as PlanBuffer).place.kind !== 'arena') continue;
      const known = lifetimes.get(buffer);
      if (known === undefined) lifetimes.set(buffer, { first: at, last: at });
      else known.last = at;
    }
  });
  const ends = new Map<number, number[]>();
  for (const [buffer, { last }] of lifetimes) {
    const ending = ends.get(last);
    if (ending === undefined) ends.set(last, [buffer]);
    else ending.push(buffer);
  }
  const pool = new SlotPool();
  const places = buffers.map((buffer) => buffer.place);
  const order = [...lifetimes.keys()].sort((a, b) => (lifetimes.get(a) as Lifetime).first - (lifetimes.get(b) as Lifetime).first);
  let next = 0;
  for (let at = 0; at < steps.length; at++) {
    for (; next < order.length && lifetimes.get(order[next] as number)?.first === at; next++) {
      const buffer = order[next] as number;
      const size = byteCount(buffers[buffer] as PlanBuffer);
      places[buffer] = { kind: 'arena', slot: pool.take(size) };
    }
    for (const buffer of ends.get(at) ?? []) pool.give((places[buffer] as BufferPlace & { kind: 'arena' }).slot);
  }
  return { buffers: buffers.map((buffer, at) => ({ ...buffer, place: places[at] as BufferPlace })), slots: pool.slots };
}

function byteCount(buffer: PlanBuffer): Dim {
  return mulDims(buffer.elements, dtypes[buffer.dtype].bytes);
}

/** Free slots, in groups of equal size: a plan has few sizes, however many values it has. */
class SlotPool {
  readonly slots: Dim[][] = [];
  readonly #free = new Map<string, number[]>();

  take(size: Dim): number {
    const slot = this.#free.get(dimText(size))?.pop() ?? this.#takeBest(size);
    if (slot !== undefined) return slot;
    this.slots.push([size]);
    return this.slots.length - 1;
  }

  give(slot: number): void {
    const key = (this.slots[slot] as Dim[]).map(dimText).join();
    const group = this.#free.get(key);
    if (group === undefined) this.#free.set(key, [slot]);
    else group.push(slot);
  }

  /** The smallest slot that is large enough, else the largest, which grows. */
  #takeBest(size: Dim): number | undefined {
    let best: number[] | undefined;
    let bestCost = Infinity;
    for (const group of this.#free.values()) {
      const slot = group[group.length - 1];
      const cost = slot === undefined ? Infinity : costOf(this.slots[slot] as Dim[], size);
      if (cost < bestCost) [best, bestCost] = [group, cost];
    }
    const slot = best?.pop();
    if (slot !== undefined) addSize(this.slots[slot] as Dim[], size);
    return slot;
  }
}

/** A slot keeps one known size, the largest, and every symbolic one. */
function addSize(sizes: Dim[], size: Dim): void {
  const known = sizes.findIndex(isKnown);
  if (isKnown(size) && known >= 0) sizes[known] = Math.max(sizes[known] as number, size);
  else if (!sizes.some((other) => dimText(other) === dimText(size))) sizes.push(size);
}

function costOf(sizes: readonly Dim[], size: Dim): number {
  const known = sizes.find(isKnown);
  if (!isKnown(size) || known === undefined) return 2 ** 52;
  return known >= size ? known - size : 2 ** 51 + size - known;
}
