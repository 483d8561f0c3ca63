import { add, broadcastTo, concat, conj, dotGeneral, indexAdd, matmul, mul, type Operand, pad, reshape, scatterAdd, select, slice, take, takeAlongAxis, tensor, transpose } from '@tf/core';
import { type ArgumentReader, binary, extent, type OracleOperation, unary, withArguments } from './operation.ts';

/** Every tensor gets an axis of size 1, along which they are joined. */
function stack(inputs: readonly Operand[], args: ArgumentReader): readonly Operand[] {
  const rank = (inputs[0]?.type.shape.length ?? 0) + 1;
  const axis = (args.number('axis') + rank) % rank;
  const unit = (x: Operand): Operand => reshape(x, [...x.type.shape.slice(0, axis), 1, ...x.type.shape.slice(axis)]) as Operand;
  return [concat(inputs.map(unit), axis) as Operand];
}

function swapLastTwo(x: Operand): Operand {
  const axes = x.type.shape.map((_, axis) => axis);
  return transpose(x, [...axes.slice(0, -2), ...axes.slice(-2).reverse()]) as Operand;
}

function adjoint(x: Operand): Operand {
  return conj(swapLastTwo(x)) as Operand;
}

/** A constant matrix of truths over the last two axes. */
function mask(x: Operand, holds: (row: number, column: number) => boolean): ReturnType<typeof tensor<boolean[], 'bool'>> {
  const [rows, columns] = [extent(x, -2), extent(x, -1)];
  return tensor(Array.from({ length: rows * columns }, (_, at) => holds(Math.floor(at / columns), at % columns)), { shape: [rows, columns], dtype: 'bool' });
}

function triangle(x: Operand, args: ArgumentReader, holds: (diagonal: number, k: number) => boolean): unknown {
  const k = args.number('k', 0);
  return select(mask(x, (row, column) => holds(column - row, k)), x, 0);
}

/** The four lists that differ from numpy's and ours in spelling only. */
function contraction(args: ArgumentReader): Parameters<typeof dotGeneral>[2] {
  return { lhsContract: args.numbers('lhs_contract'), rhsContract: args.numbers('rhs_contract'), lhsBatch: args.numbers('lhs_batch'), rhsBatch: args.numbers('rhs_batch') };
}

function padding(x: Operand, args: ArgumentReader): unknown {
  const interior = args.raw('interior') ?? null;
  return pad(x, { low: args.numbers('low'), high: args.numbers('high'), value: args.number('value', 0), ...(interior === null ? {} : { interior: args.numbers('interior') }) });
}

type Indices = Parameters<typeof take>[1];
type Indexed = (x: Operand, indices: Indices, axis: number) => unknown;
type Scattered = (x: Operand, indices: Indices, updates: Operand, axis: number) => unknown;

function gathering(f: Indexed): OracleOperation {
  return ([x, indices], args) => [f(x as Operand, indices as Indices, args.number('axis')) as Operand];
}

function scattering(f: Scattered): OracleOperation {
  return ([x, indices, updates], args) => [f(x as Operand, indices as Indices, updates as Operand, args.number('axis')) as Operand];
}

export const structureOperations: readonly (readonly [string, OracleOperation])[] = [
  ['matmul', binary(matmul)],
  ['dot_general', (inputs, args) => [dotGeneral(inputs[0] as Operand, inputs[1] as Operand, contraction(args)) as Operand]],
  ['reshape', withArguments((x, args) => reshape(x, args.numbers('shape')))],
  ['broadcast_to', withArguments((x, args) => broadcastTo(x, args.numbers('shape')))],
  ['transpose', withArguments((x, args) => transpose(x, args.numbers('perm')))],
  ['mT', unary(swapLastTwo)],
  ['adjoint', unary(adjoint)],
  ['herm', unary((x) => mul(add(x, adjoint(x)) as Operand, 0.5))],
  ['slice', withArguments((x, args) => slice(x, args.numbers('start'), args.numbers('stop'), args.numbers('step')))],
  ['pad', withArguments(padding)],
  ['concat', (inputs, args) => [concat(inputs, args.number('axis')) as Operand]],
  ['stack', stack],
  ['tril', withArguments((x, args) => triangle(x, args, (diagonal, k) => diagonal <= k))],
  ['triu', withArguments((x, args) => triangle(x, args, (diagonal, k) => diagonal >= k))],
  ['take', gathering(take)],
  ['take_along_axis', gathering(takeAlongAxis)],
  ['scatter_add', scattering(scatterAdd)],
  ['index_add', scattering(indexAdd)],
];
