import type { DeviceBuffer, DType, Engine } from '@tf/core';
import type { Lease } from './holdings.ts';
import type { Place } from './place.ts';

/** What a buffer needs of its engine. */
export interface BufferOwner extends Engine {
  release(buffer: NativeBuffer): void;
}

/** A value in memory that JavaScript owns. */
export class NativeBuffer implements DeviceBuffer {
  readonly engine: BufferOwner;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Undefined once it was disposed or donated. */
  place: Place | undefined;
  readonly lease: Lease;
  donated: boolean = false;

  constructor(engine: BufferOwner, dtype: DType, shape: readonly number[], place: Place, lease: Lease) {
    this.engine = engine;
    this.dtype = dtype;
    this.shape = shape;
    this.place = place;
    this.lease = lease;
  }

  get disposed(): boolean {
    return this.place === undefined || this.engine.disposed;
  }

  /** Another buffer has the memory now. */
  giveUp(): void {
    this.place = undefined;
    this.donated = true;
  }

  dispose(): void {
    this.engine.release(this);
  }
}
