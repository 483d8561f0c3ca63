/** How an einsum is carried out: which preparations, which contractions in which order, which loops. */
import { type DType, dtypes, promote, TfError } from '@tf/core';
import type { Emission } from './emit.ts';
import type { Equation } from './equation.ts';
import type { EinsumOptions } from './options.ts';
import { pathOfList, pathOfTree } from './path/explicit.ts';
import { type Network, type Path, stepsOf } from './path/network.ts';
import { findPath } from './path/search.ts';
import { type Peak, sliceNetwork, type SlicedPath, sliceToFit } from './path/slicing.ts';
import { nominalSize, symbolsOf } from './nominal.ts';
import { type OperandType, peakBytes } from './peak.ts';
import { preparations } from './prepare.ts';
import { resolve } from './resolve.ts';

export interface EinsumPlan extends Emission {
  /** The contraction of the prepared operands, with sizes for symbols. */
  readonly network: Network;
  readonly path: Path;
  /** The bytes that intermediates take at a time when the sizes are those of the network. */
  readonly peakBytes: () => number;
}

export function planEinsum(equation: Equation, types: readonly OperandType[], options: EinsumOptions): EinsumPlan {
  const dtype = types.map((type) => type.dtype).reduce((a, b) => promote(a, b));
  const numbers = numbersOf(dtype, types.length);
  const contraction = resolve(equation, types);
  requireSymbols(equation, types, Object.keys(options.sizes ?? {}));
  const prepared = preparations(contraction, types.map(({ shape }) => shape));
  const network: Network = {
    tensors: prepared.map(({ result }) => result),
    output: contraction.output,
    sizes: contraction.sizes.map((size) => nominalSize(size, options.sizes ?? {})),
  };
  const peakOf: Peak = (own, loops) => peakBytes({ types, joined: { dtype, numbers }, contraction, network }, own, loops);
  const { path, sliced } = choosePath(network, options, dtypes[numbers].bytes, peakOf);
  return { text: equation.text, dtype, numbers, contraction, preparations: prepared, network, path, sliced, peakBytes: () => peakOf(path, sliced), steps: stepsOf(sliceNetwork(network, sliced), path) };
}

/** Refuses sizes of symbols that no operand has: nothing would ask for them. */
function requireSymbols({ text }: Equation, types: readonly OperandType[], named: readonly string[]): void {
  if (named.length === 0) return;
  const symbols = new Set(types.flatMap(({ shape }) => shape.flatMap(symbolsOf)));
  const unknown = named.find((name) => !symbols.has(name));
  if (unknown === undefined) return;
  const keys = types.map(({ key }) => key).join(', ');
  const remedy = symbols.size === 0 ? 'All sizes are known: leave sizes out.' : `Of symbols there ${symbols.size === 1 ? 'is' : 'are'} ${[...symbols].sort().join(', ')}.`;
  throw new TfError('ArgumentError', `einsum: sizes.${unknown}: no operand of ${JSON.stringify(text)} has the symbolic extent ${unknown} (${keys}). ${remedy}`, { op: 'einsum', argument: `sizes.${unknown}`, equation: text, symbols: [...symbols] });
}

/**
 * Booleans meet each other as float32: sums of counts may round but, unlike those of integers, never come round to 0. One by itself stays
 * what it is.
 */
function numbersOf(dtype: DType, operands: number): DType {
  return dtype === 'bool' && operands > 1 ? 'float32' : dtype;
}

function choosePath(network: Network, options: EinsumOptions, bytes: number, peakOf: Peak): SlicedPath {
  const { memoryLimit, timeBudget } = options;
  // One deadline for all searches: a limit of memory may take several.
  const deadline = timeBudget === undefined ? undefined : Date.now() + timeBudget;
  const given = givenPath(options, network.tensors.length);
  const limit = memoryLimit === undefined ? Infinity : memoryLimit / bytes;
  const strategy = typeof options.path === 'string' ? options.path : 'auto';
  const find = (part: Network): Path => given ?? findPath(part, { strategy, restarts: options.restarts, deadline, largest: limit });
  return limit === Infinity ? { path: find(network), sliced: [] } : sliceToFit(network, find, memoryLimit as number, peakOf);
}

function givenPath({ path, tree }: EinsumOptions, count: number): Path | undefined {
  if (tree !== undefined) {
    if (path !== undefined) throw new TfError('ArgumentError', 'einsum: both path and tree are given. Give one of them.', { op: 'einsum', argument: 'tree' });
    return pathOfTree(tree, count);
  }
  return path === undefined || typeof path === 'string' ? undefined : pathOfList(path, count);
}
