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

/** Constant data in the memory, which is freed when nothing refers to it. */
interface Data {
  readonly block: Block;
}

/** A loop, and the data that its code has the addresses of. */
interface CachedLoop extends EncodedFunction {
  readonly data: readonly Data[];
}

export class LoopCache {
  readonly #host: LoopHost;
  /** By their bytes: tables of functions, which many loops read. */
  readonly #data: BoundedCache<string, Data>;
  readonly #loops: BoundedCache<string, CachedLoop>;

  constructor(host: LoopHost, hash: (text: string) => number) {
    this.#host = host;
    this.#data = new BoundedCache({ hash, same: (a, b) => a === b });
    this.#loops = new BoundedCache({ hash, same: (a, b) => a === b, bytes: (text, { code }) => 2 * text.length + code.length, maximumEntries: 2048, maximumBytes: 16 * 2 ** 20 });
  }

  /** The constant data that the function reads stays for as long as the function is referred to. */
  encoded(text: string, inner: InnerLoop): EncodedFunction {
    return this.#loops.getOrCreate(text, () => {
      const data: Data[] = [];
      const loop = encodeInnerLoop(inner, (bytes) => {
        const one = this.#placed(bytes);
        data.push(one);
        return one.block.address;
      });
      return { ...loop, data };
    });
  }

  #placed(bytes: Uint8Array): Data {
    return this.#data.getOrCreate(bytes.join(), () => {
      const data = { block: this.#host.placeData(bytes) };
      this.#host.freeWith(data, [data.block]);
      return data;
    });
  }
}
