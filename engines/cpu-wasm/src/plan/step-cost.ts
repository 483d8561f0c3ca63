/** About how long steps take on one thread: enough to tell what is worth several. */
import { type ContractStep, dtypes, type LoopKernel } from '@tf/core';
import { buildGraph } from '../codegen/graph.ts';
import { storageOf } from '../codegen/storage.ts';

/** Nanoseconds of a node of a kernel's expression for one vector of 16 bytes, and of a byte that comes or goes, from the cache. */
const NODE = 0.2;
const BYTE = 0.03;
/** An element that is not in a vector of its neighbours. */
const STRIDED = 0.5;

/** Nanoseconds per product of two numbers, as `contract.bench.ts` measures it at 40 and 20 GFLOP/s. */
const products: { readonly [dtype: string]: number } = Object.freeze({ float32: 0.05, float64: 0.1, complex64: 0.2, complex128: 0.4, int32: 0.3, int64: 0.6 });

export class StepCosts {
  readonly #known = new Map<LoopKernel, number>();

  /** Nanoseconds per iteration. */
  loop(kernel: LoopKernel): number {
    const known = this.#known.get(kernel) ?? loopCost(kernel);
    this.#known.set(kernel, known);
    return known;
  }
}

function loopCost({ body, reads, writes }: LoopKernel): number {
  const accesses = [...reads, ...writes];
  const bytes = accesses.reduce((sum, { dtype, inner }) => sum + (inner === 'broadcast' ? 0 : dtypes[dtype].bytes), 0);
  const strided = accesses.filter(({ inner }) => inner === 'strided').length;
  const lanes = 16 / Math.max(4, ...accesses.map(({ dtype }) => storageOf(dtype).laneBytes));
  return (buildGraph(body).nodes.length * NODE) / lanes + bytes * BYTE + strided * STRIDED;
}

/** Nanoseconds per product. */
export function productCost({ dtype }: ContractStep): number {
  return products[dtype] ?? 1;
}
