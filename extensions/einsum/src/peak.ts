/** What an einsum takes for its intermediates: what core's planner sets aside for its program. */
import { Builder, compileProgram, type DType, planMemory, type Shape, tensorType, type Var } from '@tf/core';
import { emit } from './emit.ts';
import type { Labels } from './operations.ts';
import { type Network, type Path, stepsOf } from './path/network.ts';
import { sliceNetwork } from './path/slicing.ts';
import { type Joined, preparations } from './prepare.ts';
import type { Contraction } from './resolve.ts';

/** What is asked of an operand. */
export interface OperandType {
  readonly shape: Shape;
  readonly key: string;
  readonly dtype: DType;
}

/** An einsum whose path is sought. */
export interface Sought {
  readonly types: readonly OperandType[];
  readonly joined: Joined;
  readonly contraction: Contraction;
  /** With sizes for symbols. */
  readonly network: Network;
}

/** The bytes that a run by itself takes at a time beside operands and result, when symbols have the network's sizes. */
export function peakBytes({ types, joined, contraction: { inputs, ...rest }, network }: Sought, path: Path, sliced: Labels): number {
  const { sizes } = network;
  const shapes = types.map(({ shape }, at) => shape.map((size, axis) => (size === 1 ? 1 : (sizes[inputs[at]?.[axis] as number] as number))));
  const contraction = { ...rest, inputs, sizes };
  const builder = new Builder();
  const operands = shapes.map((shape, at) => builder.input(tensorType((types[at] as OperandType).dtype, shape)));
  const result = emit({ text: '', ...joined, contraction, preparations: preparations(contraction, shapes), sliced, steps: stepsOf(sliceNetwork(network, sliced), path) }, operands);
  return planMemory(compileProgram(builder.build([result as Var]))).arenaBytes;
}
