/** One run's step table and arena. Synchronous runs take turns in one; each run in the background has its own. */
import type { Plan } from '@tf/core';
import type { Addon } from './addon.ts';
import type { Place, Places } from './memory/place.ts';
import { ScalarArea } from './memory/transfer.ts';
import type { Layout } from './table/layout.ts';
import { header } from './table/words.ts';

/** Where a plan buffer lies. */
export type BufferPlace = Pick<Place, 'memory' | 'offset' | 'address'>;

export class Frame {
  readonly #plan: Plan;
  readonly #places: Places;
  readonly #constants: readonly (Place | undefined)[];
  readonly scalars: ScalarArea;
  readonly scalarPlace: Place;
  /** By plan buffer. Inputs and outputs are set by each run. */
  readonly places: BufferPlace[];
  /** An int32 that ends the run where it is not 0. */
  readonly flag: Int32Array;
  readonly #flagAddress: number;
  words: Float64Array<ArrayBuffer> = new Float64Array(0);
  #table: Place | undefined;
  #layout: Layout | undefined;
  #arena: Place | undefined;

  constructor(plan: Plan, places: Places, addon: Addon, constants: readonly (Place | undefined)[]) {
    this.#plan = plan;
    this.#places = places;
    this.#constants = constants;
    this.scalarPlace = places.take(16 * Math.max(1, plan.inputs.length));
    this.scalars = new ScalarArea(this.scalarPlace);
    this.places = plan.buffers.map((_, buffer) => constants[buffer] ?? this.scalarPlace);
    const flag = places.take(64);
    this.flag = new Int32Array(flag.memory, flag.offset, 1);
    this.flag[0] = 0;
    this.#flagAddress = flag.address;
  }

  get address(): number {
    return this.#table!.address;
  }

  /** Makes the table that of a layout, and puts the arena where it is now. */
  prepare(layout: Layout, arena: Place): void {
    if (this.#layout === layout && this.#arena === arena) return;
    const bytes = 8 * layout.words.length;
    if (this.#table === undefined || this.#table.bytes < bytes) {
      const table = this.#places.take(bytes);
      if (this.#table !== undefined) this.#places.give(this.#table);
      this.#table = table;
    }
    this.words = new Float64Array(this.#table.memory, this.#table.offset, layout.words.length);
    this.words.set(layout.words);
    this.words[header.abort] = this.#flagAddress;
    this.words[header.scratch] = arena.address + layout.scratchOffset;
    this.#plan.buffers.forEach(({ place }, buffer) => {
      if (place.kind === 'arena') this.set(buffer, within(arena, layout.slotOffsets[place.slot]!));
      else if (place.kind === 'tile') this.set(buffer, within(arena, layout.tileOffsets[place.slot]!));
      else this.set(buffer, this.#constants[buffer] ?? this.places[buffer]!);
    });
    this.#layout = layout;
    this.#arena = arena;
  }

  set(buffer: number, place: BufferPlace): void {
    this.places[buffer] = place;
    this.words[header.length + buffer] = place.address;
  }

  /** Where some buffers lie in this run, for C alone. */
  point(buffers: readonly number[], { address }: BufferPlace): void {
    for (let i = 0; i < buffers.length; i++) this.words[header.length + buffers[i]!] = address;
  }

  /** After a run that ended early: counters stand anywhere. */
  forget(): void {
    this.#layout = undefined;
  }

  /** Lets go of inputs and outputs, so that their memory is not kept. */
  release(): void {
    this.#plan.buffers.forEach(({ place }, buffer) => {
      if (place.kind === 'input' || place.kind === 'output') this.places[buffer] = this.scalarPlace;
    });
  }
}

function within({ memory, offset, address }: Place, bytes: number): BufferPlace {
  return { memory, offset: offset + bytes, address: address + bytes };
}
