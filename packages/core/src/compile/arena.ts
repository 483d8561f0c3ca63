import type { BranchStep, BufferPlace, BufferView, Donation, PlanBuffer, RepeatStep, Step, TileStep, WhileStep } from '../contract.ts';
import { dtypes } from '../types/dtype.ts';
import { type Dim, dimText, isKnown, mulDims } from '../types/dim.ts';
import { donationsOf } from './donations.ts';
import { inPlacePairs, pairsInTile } from './in-place.ts';
import { type Lifetime, Lifetimes } from './lifetimes.ts';

export interface Arena {
  readonly donations: readonly Donation[];
  readonly buffers: readonly PlanBuffer[];
  readonly slots: readonly (readonly Dim[])[];
}

type LeafStep = Exclude<Step, RepeatStep | WhileStep | BranchStep>;

/** Steps one after the other, those inside others in their places, and which stretches of them run again and again. */
interface Order {
  readonly steps: readonly LeafStep[];
  readonly loops: readonly Lifetime[];
}

function inOrder(steps: readonly Step[]): Order {
  const leaves: LeafStep[] = [];
  const loops: Lifetime[] = [];
  const visit = (step: Step): void => {
    const first = leaves.length;
    switch (step.kind) {
      case 'branch':
        leaves.push(reading(step.index));
        step.branches.forEach((branch) => branch.forEach(visit));
        return;
      case 'repeat':
        step.steps.forEach(visit);
        break;
      case 'while':
        step.condition.forEach(visit);
        leaves.push(reading(step.holds));
        step.steps.forEach(visit);
        break;
      default:
        leaves.push(step);
        return;
    }
    if (leaves.length > first) loops.push({ first, last: leaves.length - 1 });
  };
  steps.forEach(visit);
  return { steps: leaves, loops };
}

/** Stands for the look at one value. */
function reading({ buffer, offset }: BufferView): LeafStep {
  return { kind: 'copy', dtype: 'bool', elements: 1, from: { buffer, offset }, to: { buffer, offset } };
}

type Visit = (buffer: number) => void;

function visitViews(views: readonly { readonly buffer: number }[], visit: Visit): void {
  for (let at = 0; at < views.length; at++) visit((views[at] as { readonly buffer: number }).buffer);
}

/** Sees each buffer that a step touches, some of them more than once. */
function visitTouched(step: LeafStep, visit: Visit): void {
  switch (step.kind) {
    case 'loop':
      visitViews(step.reads, visit);
      visitViews(step.writes, visit);
      return;
    case 'contract':
      return visitViews([step.lhs, step.rhs, step.out], visit);
    case 'gather':
      return visitViews([step.source, step.indices, step.out], visit);
    case 'scatter':
      return visitViews([step.updates, step.indices, step.target], visit);
    case 'copy':
    case 'extent':
      return visitViews([step.from, step.to], visit);
    case 'size':
      return visit(step.to.buffer);
    case 'scan':
      visitViews(step.reads, visit);
      return visit(step.write.buffer);
    case 'sort':
      return visitViews([step.from, step.values, step.indices, step.workspace], visit);
    case 'iota':
      return visit(step.out.buffer);
    case 'call':
      visitViews(step.inputs, visit);
      visitViews(step.outputs, visit);
      if (step.workspace !== undefined) visit(step.workspace.buffer);
      return;
    case 'tile':
      for (const inner of step.steps) visitTouched(inner, visit);
  }
}

/**
 * Gives each intermediate a slot that no other intermediate uses at the same time, unless a loop works in place. A freed
 * slot of the best size is taken before a new one is opened; sizes that depend on symbols are compared by their text. What
 * only one tile step touches lies in a result that overwrites it, or gets a slot of that step's own.
 */
export function assignSlots(buffers: readonly PlanBuffer[], steps: readonly Step[], donate: readonly number[] = []): Arena {
  const places = buffers.map((buffer) => buffer.place);
  const order = inOrder(steps);
  const lifetimes = lifetimesOf(order.steps, (buffer) => places[buffer]?.kind !== 'constant');
  extendOverLoops(lifetimes, order);
  const own = ownOfTiles(order.steps, places, lifetimes);
  const chains = chainsOf(buffers, order.steps, lifetimes, order.loops);
  const isAlone = buffersAlone(buffers);
  const outermost = new Set(steps);
  // Places are shared: slots are few, buffers many.
  const tileSlots: BufferPlace[] = [];
  for (const [step, { at, within }] of own) {
    // Within repeated steps a result may hold what was written before.
    const isFree = (result: number): boolean => outermost.has(step) && isAlone(result) && lifetimes.get(result)?.first === at;
    const chainsWithin = chainsOf(buffers, step.steps, within);
    // Of a chain the last is read last; its lifetime stands at the first.
    const heads = new Map([...chainsWithin].map(([head, chain]) => [chain.at(-1), head]));
    const headOf = (buffer: number): number => heads.get(buffer) ?? buffer;
    const lifetimeOf = (buffer: number): Lifetime | undefined => (chainsWithin.has(buffer) ? undefined : within.get(headOf(buffer)));
    for (const [buffer, result] of pairsInTile(buffers, step, lifetimeOf, isFree)) {
      const head = headOf(buffer);
      for (const one of chainsWithin.get(head) ?? [head]) places[one] = places[result] as BufferPlace;
      within.delete(head);
    }
    pack(buffers, within, step.steps.length, (buffer, slot) => {
      const place: BufferPlace = (tileSlots[slot] ??= { kind: 'tile', slot });
      const chain = chainsWithin.get(buffer);
      if (chain === undefined) places[buffer] = place;
      else for (const one of chain) places[one] = place;
    });
  }
  const donations = donate.length === 0 ? [] : donationsOf(buffers, order, lifetimes, donate, (buffer) => {
    const place = places[lastOf(chains, buffer)] as BufferPlace;
    return place.kind === 'output' ? place.index : undefined;
  });
  placeOutside(places, lifetimes, chains);
  const slots = pack(buffers, lifetimes, order.steps.length, (buffer, slot) => {
    for (const one of chains.get(buffer) ?? [buffer]) places[one] = { kind: 'arena', slot };
  });
  return { buffers: buffers.map((buffer, at) => (buffer.place === places[at] ? buffer : { ...buffer, place: places[at] as BufferPlace })), slots, donations };
}

interface OwnOfTile {
  readonly at: number;
  readonly within: Lifetimes;
}

/** Takes what only one tile step touches out of the lifetimes. */
function ownOfTiles(steps: readonly LeafStep[], places: readonly BufferPlace[], lifetimes: Lifetimes): ReadonlyMap<TileStep, OwnOfTile> {
  const own = new Map<TileStep, OwnOfTile>();
  steps.forEach((step, at) => {
    if (step.kind !== 'tile') return;
    const within = lifetimesOf(step.steps, (buffer) => places[buffer]?.kind === 'arena' && isWithin(lifetimes.get(buffer), at));
    for (const buffer of within.buffers()) lifetimes.delete(buffer);
    own.set(step, { at, within });
  });
  return own;
}

/** Whether a buffer is the only one that lies in its output. */
function buffersAlone(buffers: readonly PlanBuffer[]): (buffer: number) => boolean {
  const counts = new Map<number, number>();
  for (const { place } of buffers) if (place.kind === 'output') counts.set(place.index, (counts.get(place.index) ?? 0) + 1);
  return (buffer) => {
    const { place } = buffers[buffer] as PlanBuffer;
    return place.kind === 'output' && counts.get(place.index) === 1;
  };
}

/** Buffers that take each other's memory in turn, by the first of them, whose lifetime becomes that of all. */
function chainsOf(buffers: readonly PlanBuffer[], steps: readonly Step[], lifetimes: Lifetimes, repeated: readonly Lifetime[] = []): ReadonlyMap<number, readonly number[]> {
  const chains = new Map<number, number[]>();
  const firsts = new Map<number, number>();
  for (const [result, operand] of inPlacePairs(buffers, steps, lifetimes, repeated)) {
    const first = firsts.get(operand) ?? operand;
    const chain = chains.get(first);
    if (chain === undefined) chains.set(first, [first, result]);
    else chain.push(result);
    firsts.set(result, first);
    (lifetimes.get(first) as Lifetime).last = (lifetimes.get(result) as Lifetime).last;
    lifetimes.delete(result);
  }
  return chains;
}

/** Inputs and outputs have memory of their own, and so have those whose memory an output takes. */
function placeOutside(places: BufferPlace[], lifetimes: Lifetimes, chains: ReadonlyMap<number, readonly number[]>): void {
  for (const buffer of lifetimes.buffers()) {
    const place = places[lastOf(chains, buffer)] as BufferPlace;
    if (place.kind === 'arena') continue;
    for (const one of chains.get(buffer) ?? []) places[one] = place;
    lifetimes.delete(buffer);
  }
}

function lastOf(chains: ReadonlyMap<number, readonly number[]>, first: number): number {
  return chains.get(first)?.at(-1) ?? first;
}

function isWithin(lifetime: Lifetime | undefined, at: number): boolean {
  return lifetime?.first === at && lifetime.last === at;
}

/** What a loop shares with the outside, every one of its iterations needs. Inner loops come before those around them. */
function extendOverLoops(lifetimes: Lifetimes, { steps, loops }: Order): void {
  for (const { first, last } of loops) {
    const inside = new Set<number>();
    for (let at = first; at <= last; at++) visitTouched(steps[at] as LeafStep, (buffer) => void inside.add(buffer));
    for (const buffer of inside) {
      const lifetime = lifetimes.get(buffer);
      if (lifetime === undefined || (lifetime.first >= first && lifetime.last <= last)) continue;
      lifetime.first = Math.min(lifetime.first, first);
      lifetime.last = Math.max(lifetime.last, last);
    }
  }
}

/** In the order of their beginnings. */
function lifetimesOf(steps: readonly LeafStep[], counts: (buffer: number) => boolean): Lifetimes {
  const lifetimes = new Lifetimes();
  let at = 0;
  const note = (buffer: number): void => {
    const known = lifetimes.get(buffer);
    if (known !== undefined) known.last = at;
    else if (counts(buffer)) lifetimes.add(buffer, { first: at, last: at });
  };
  for (; at < steps.length; at++) visitTouched(steps[at] as LeafStep, note);
  return lifetimes;
}

/** Places each buffer, and gives the slots. */
function pack(buffers: readonly PlanBuffer[], lifetimes: Lifetimes, steps: number, place: (buffer: number, slot: number) => void): readonly (readonly Dim[])[] {
  const order = lifetimes.buffers();
  const lifetimeOf = (entry: number): Lifetime => lifetimes.get(order[entry] as number) as Lifetime;
  // Most often they stand in the order of their beginnings already, which the sort sees at once.
  order.sort((a, b) => (lifetimes.get(a) as Lifetime).first - (lifetimes.get(b) as Lifetime).first);
  // The buffers that a step is the last to touch, as a list of entries per step.
  const firstEnding = new Int32Array(steps).fill(-1);
  const nextEnding = new Int32Array(order.length);
  for (let entry = order.length - 1; entry >= 0; entry--) {
    const { last } = lifetimeOf(entry);
    nextEnding[entry] = firstEnding[last] as number;
    firstEnding[last] = entry;
  }
  const pool = new SlotPool();
  const slotOf = new Int32Array(order.length);
  let next = 0;
  for (let at = 0; at < steps; at++) {
    for (; next < order.length && lifetimeOf(next).first === at; next++) {
      const buffer = order[next] as number;
      slotOf[next] = pool.take(byteCount(buffers[buffer] as PlanBuffer));
      place(buffer, slotOf[next] as number);
    }
    for (let entry = firstEnding[at] as number; entry >= 0; entry = nextEnding[entry] as number) pool.give(slotOf[entry] as number);
  }
  return pool.slots;
}

function byteCount(buffer: PlanBuffer): Dim {
  return mulDims(buffer.elements, dtypes[buffer.dtype].bytes);
}

/** Free slots, in groups of equal size: a plan has few sizes, however many values it has. */
class SlotPool {
  readonly slots: Dim[][] = [];
  /** Per slot: its sizes as a text. */
  readonly #keys: string[] = [];
  readonly #free = new Map<string, number[]>();

  take(size: Dim): number {
    const key = dimText(size);
    const slot = this.#free.get(key)?.pop() ?? this.#takeBest(size);
    if (slot !== undefined) return slot;
    this.#keys.push(key);
    return this.slots.push([size]) - 1;
  }

  give(slot: number): void {
    const key = this.#keys[slot] as string;
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
    if (slot === undefined) return undefined;
    const sizes = this.slots[slot] as Dim[];
    addSize(sizes, size);
    this.#keys[slot] = sizes.map(dimText).join();
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
