/** Loops over complex elements that treat both parts alike, as sums do: they are loops over twice as many real ones. */
import { type DType, dtypes, type KernelAccess, loop, type LoopKernel, type ScalarExpr } from '@tf/core';

type Loop = Pick<LoopKernel, 'reads' | 'writes' | 'body'>;

const parts: { readonly [D in DType]?: DType } = { complex64: 'float32', complex128: 'float64' };

/** The loop over parts, each lane an element; undefined where that is another loop. */
export function asReal(inner: Loop): Loop | undefined {
  const { reads, writes, body } = inner;
  if (!writes.some(({ dtype }) => dtypes[dtype].lanes === 2) || ![...reads, ...writes].every(isComplexInARow)) return undefined;
  const [own, other] = [0, 1].map((lane) => writes.map((_, write) => body[2 * write + lane]!));
  const moved = loop.rewriteNodes(other!, (node) => (node.op === 'argument' ? loop.argument(node.type, node.input, node.lane === 1 ? 0 : 1) : node));
  if (own!.some(readsOtherLane) || textOf(own!) !== textOf(moved)) return undefined;
  const real = ({ dtype, inner: step }: KernelAccess): KernelAccess => ({ dtype: parts[dtype]!, inner: step });
  return { reads: reads.map(real), writes: writes.map(real), body: own! };
}

function isComplexInARow({ dtype, inner }: KernelAccess): boolean {
  return dtypes[dtype].lanes === 2 && inner === 'contiguous';
}

function readsOtherLane(root: ScalarExpr): boolean {
  return loop.nodesInOrder([root]).some((node) => node.op === 'argument' && node.lane === 1);
}

function textOf(body: readonly ScalarExpr[]): string {
  return loop.kernelText({ rank: 0, reads: [], writes: [], body });
}
