/** Copies of slots outside of the heap. */
import type { Heap } from './heap.ts';

/** What this file needs of Node's Buffer. */
interface NodeBuffer extends Uint8Array<ArrayBuffer> {
  fill(value: Uint8Array | number): this;
}
interface NodeGlobals {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly Buffer?: { allocUnsafeSlow(bytes: number): NodeBuffer };
}

/** A copy of a slot, in memory that nothing else shares. Throws where the host has none. */
export type CopyOut = (heap: Heap, address: number, bytes: number) => Float64Array<ArrayBuffer>;

/** What every host can do. */
export const copyOutAnywhere: CopyOut = ({ doubles }, address, bytes) => new Float64Array(doubles.subarray(address / 8, (address + bytes) / 8));

/** Below, calling out of JavaScript costs more than it saves. */
const LEAST_BYTES = 4096;

/**
 * In Node: without zeros in the destination first, and as one memcpy. V8 copies out of a shared memory word by word, as
 * relaxed atomics (half again as long); `Buffer.fill` with a value as long as the buffer does not. `allocUnsafeSlow` never
 * takes from Node's pool, so the copy dies with its slot.
 */
function copyOutInNode(allocate: (bytes: number) => NodeBuffer): CopyOut {
  return (heap, address, bytes) => {
    if (bytes < LEAST_BYTES) return copyOutAnywhere(heap, address, bytes);
    const copy = allocate(bytes).fill(heap.bytes.subarray(address, address + bytes));
    return new Float64Array(copy.buffer, 0, bytes / 8);
  };
}

/** Bundlers for browsers bring a Buffer of their own, which is slower than none: hence the question for Node. */
export function chooseCopyOut({ process, Buffer }: NodeGlobals = globalThis as NodeGlobals): CopyOut {
  return process?.versions?.node === undefined || Buffer === undefined ? copyOutAnywhere : copyOutInNode((bytes) => Buffer.allocUnsafeSlow(bytes));
}
