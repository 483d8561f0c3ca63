/** Compiled kernels as tests of kernels in JavaScript call them: on a memory of their own, with no more working memory than asked for. */
import type { HostCall, TypedArray } from '@tf/core';
import type { KernelDType } from './kernels.testing.ts';
import { workspaceBytes } from './src/workspace.ts';

const canaryBytes = 64;
const canary = 0xa5;

/** What a kernel is given: places in the memory, then integers. */
export interface BenchCall {
  readonly operands: readonly number[];
  readonly workspace: number | undefined;
  readonly integers: readonly number[];
}

/** A memory with an allocator that forgets all at once. */
export abstract class Bench {
  #start = 64;
  #top = 64;

  protected abstract get buffer(): ArrayBuffer;
  /** Makes the memory so long; what lies there stays. */
  protected abstract reach(end: number): void;
  /** 0, or the first failed element + 1. */
  protected abstract invoke(name: string, dtype: KernelDType, call: BenchCall): number;

  /** Leaves what is below to the kernels themselves. */
  protected beginAt(address: number): void {
    this.#top = this.#start = Math.ceil((address + 64) / 64) * 64;
    this.reach(this.#start);
  }

  /** At a multiple of 16 that is none of 32, so that nothing larger is relied on. */
  protected place(bytes: number): number {
    const address = this.#top + 16;
    this.#top = Math.ceil((address + bytes + canaryBytes) / 64) * 64;
    this.reach(this.#top);
    this.bytes(address + bytes, canaryBytes).fill(canary);
    return address;
  }

  protected bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.buffer, address, length);
  }

  #requireCanary(address: number, what: string): void {
    if (this.bytes(address, canaryBytes).some((byte) => byte !== canary)) throw new Error(`${what}: written beyond its end`);
  }

  run(name: string, dtype: KernelDType, { inputs, outputs, integers }: HostCall): number | void {
    this.#top = this.#start;
    const placed = [...inputs, ...outputs].map((array) => {
      const address = this.place(array.byteLength);
      this.bytes(address, array.byteLength).set(bytesOf(array));
      return { array, address };
    });
    const bytes = workspaceBytes(name, dtype, integers) as number | undefined;
    const workspace = bytes === undefined ? undefined : this.place(bytes);
    if (workspace !== undefined) this.bytes(workspace, bytes!).fill(0xff);
    const status = this.invoke(name, dtype, { operands: placed.map(({ address }) => address), workspace, integers });
    placed.forEach(({ array, address }, at) => {
      const now = this.bytes(address, array.byteLength);
      this.#requireCanary(address + array.byteLength, `${name}, operand ${at}`);
      if (at >= inputs.length) bytesOf(array).set(now);
      else if (bytesOf(array).some((byte, k) => byte !== now[k])) throw new Error(`${name}: input ${at} was written`);
    });
    if (workspace !== undefined) this.#requireCanary(workspace + bytes!, `${name}, its workspace of ${bytes} bytes`);
    return status === 0 ? undefined : status - 1;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);
