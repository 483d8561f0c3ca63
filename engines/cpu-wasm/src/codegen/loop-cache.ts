/** Inner loops by the text of the routine that they are of: plans that differ elsewhere have the code of equal loops once. */
import { BoundedCache } from '@tf/core';
import type { EncodedFunction } from '../encoder/function.ts';
import type { Block } from '../memory/allocator.ts';
import { encodeInnerLoop, type InnerLoop } from './inner.ts';

/** Where constant data of loops lives. */
export interface LoopHost {
  readonly placeData: (bytes: Uint8Array) => Block;
  /** Frees the blocks when their holder is collected. */
  readonly freeWith: (holder: object, blocks: readonly Block[]) => void;
}

/** Encodes the inner loop of a routine, or has it already. */
export type EncodeLoop = (text: string, inner: InnerLoop) => EncodedFunction;

export class LoopCache {
  readonly #host: LoopHost;
  readonly #loops: BoundedCache<string, EncodedFunction>;

  constructor(host: LoopHost, hash: (text: string) => number) {
    this.#host = host;
    this.#loops = new BoundedCache({ hash, same: (a, b) => a === b, bytes: (text, { code }) => 2 * text.length + code.length, maximumEntries: 2048, maximumBytes: 16 * 2 ** 20 });
  }

  /** The constant data that the function reads stays for as long as the function is referred to. */
  encoded(text: string, inner: InnerLoop): EncodedFunction {
    return this.#loops.getOrCreate(text, () => {
      const placed = new Map<string, Block>();
      const loop = encodeInnerLoop(inner, (bytes) => {
        const key = bytes.join();
        const block = placed.get(key) ?? this.#host.placeData(bytes);
        placed.set(key, block);
        return block.address;
      });
      if (placed.size > 0) this.#host.freeWith(loop, [...placed.values()]);
      return loop;
    });
  }
}
