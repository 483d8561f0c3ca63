/** What the plans of one engine share: memory, the arena of synchronous runs, tables of kernels. */
import { type DType, execution, type TypedArray } from '@tf/core';
import type { Addon } from './addon.ts';
import { type BufferOwner, NativeBuffer } from './memory/buffer.ts';
import { Holdings } from './memory/holdings.ts';
import { type Place, Places } from './memory/place.ts';
import { writeArray } from './memory/transfer.ts';
import type { Operations } from './table/kernel-words.ts';

export class Device implements execution.TableHost<Place> {
  readonly addon: Addon;
  readonly places: Places;
  readonly holdings: Holdings = new Holdings();
  readonly operations: Operations;
  readonly threads: number;
  readonly level: number;
  readonly tables: execution.TableCache<Place> = new execution.TableCache<Place>(this);
  /** Whether a synchronous run is under way. */
  isRunning: boolean = false;
  #arena: Place | undefined;

  constructor(addon: Addon, threads: number, level: number) {
    this.addon = addon;
    this.places = new Places(addon);
    this.operations = new Map(addon.operations().map((name, i) => [name, i]));
    this.threads = threads;
    this.level = level;
  }

  /** The arena of synchronous runs, as large as the largest that was asked for. */
  arena(bytes: number): Place {
    if (this.#arena !== undefined && this.#arena.bytes >= bytes) return this.#arena;
    if (this.#arena !== undefined) this.places.give(this.#arena);
    // There may be no memory for the larger one.
    this.#arena = undefined;
    this.#arena = this.places.take(bytes);
    return this.#arena;
  }

  get arenaBytes(): number {
    return this.#arena?.bytes ?? 0;
  }

  adopt(engine: BufferOwner, dtype: DType, shape: readonly number[], place: Place): NativeBuffer {
    return new NativeBuffer(engine, dtype, shape, place, this.holdings.add(place.bytes));
  }

  /** Memory of a buffer that was given up goes back. */
  drop({ place, lease }: Pick<NativeBuffer, 'lease'> & { readonly place: Place }): void {
    this.holdings.remove(lease, place.bytes);
    this.places.give(place);
  }

  release(buffer: NativeBuffer): void {
    const { place, lease } = buffer;
    if (place === undefined) return;
    buffer.place = undefined;
    this.drop({ place, lease });
  }

  placeTable(data: TypedArray): Place {
    const place = this.places.take(data.byteLength);
    new Uint8Array(place.memory, place.offset, data.byteLength).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return place;
  }

  freeTable(place: Place): void {
    this.places.give(place);
  }

  /** A copy of host data. */
  upload(dtype: DType, data: TypedArray): Place {
    const place = this.places.take(data.byteLength);
    writeArray(place, dtype, data);
    return place;
  }
}
