import type { DeviceBuffer, DType, Engine } from '@tf/core';
import type { Block } from './allocator.ts';

/** What a buffer needs of its engine. */
export interface BufferOwner extends Engine {
  release(buffer: WasmBuffer): void;
}

/** A value in the engine's memory. Its address is read from the block at each use and kept nowhere. */
export class WasmBuffer implements DeviceBuffer {
  readonly engine: BufferOwner;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly block: Block;

  constructor(engine: BufferOwner, dtype: DType, shape: readonly number[], block: Block) {
    this.engine = engine;
    this.dtype = dtype;
    this.shape = shape;
    this.block = block;
  }

  get disposed(): boolean {
    return this.block.address === 0 || this.engine.disposed;
  }

  dispose(): void {
    this.engine.release(this);
  }
}
