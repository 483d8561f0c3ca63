import type { DeviceBuffer, DType, Engine } from '@tf/core';
import { type Lease, Slot } from './page.ts';

/** What a buffer needs of its engine. */
export interface BufferOwner extends Engine {
  release(buffer: WasmBuffer): void;
}

/** A value in the engine's memory. Its address is read from the slot at each use and kept nowhere. */
export class WasmBuffer implements DeviceBuffer {
  readonly engine: BufferOwner;
  readonly dtype: DType;
  readonly shape: readonly number[];
  slot: Slot;
  /** Its death is how the engine learns that nobody holds the buffers of a page. */
  lease: Lease | undefined;
  donated: boolean = false;

  constructor(engine: BufferOwner, dtype: DType, shape: readonly number[], slot: Slot, lease: Lease) {
    this.engine = engine;
    this.dtype = dtype;
    this.shape = shape;
    this.slot = slot;
    this.lease = lease;
  }

  get disposed(): boolean {
    return !this.slot.isLive || this.engine.disposed;
  }

  /** Another buffer has the slot now. */
  giveUp(): void {
    this.slot = new Slot();
    this.lease = undefined;
    this.donated = true;
  }

  dispose(): void {
    this.engine.release(this);
  }
}
