import { add, broadcastTo, concat, conj, convert, diagEmbed, diagonal, dotGeneral, eye, flip, indexAdd, kron, matmul, mul, type Operand, pad, reshape, roll, scatterAdd, scatterSet, slice, stack, take, takeAlongAxis, trace, transpose, tril, triu } from '@tf/core';
import { type ArgumentReader, binary, extent, type OracleOperation, unary, withArguments } from './operation.ts';

function swapLastTwo(x: Operand): Operand {
  const axes = x.type.shape.map((_, axis) => axis);
  return transpose(x, [...axes.slice(0, -2), ...axes.slice(-2).reverse()]) as Operand;
}

function adjoint(x: Operand): Operand {
  return conj(swapLastTwo(x)) as Operand;
}

type Triangle = (x: Operand, k: number) => unknown;

function triangle(f: Triangle): OracleOperation {
  return withArguments((x, args) => f(x, args.number('k', 0)));
}

/** A number, a list, or nothing for all. */
function axisList(args: ArgumentReader, name: string): number | readonly number[] | undefined {
  const value = args.raw(name) ?? null;
  return value === null ? undefined : typeof value === 'number' ? value : args.numbers(name);
}

function rolled(x: Operand, args: ArgumentReader): unknown {
  return roll(x, axisList(args, 'shift') ?? 0, axisList(args, 'axis'));
}

/** The identity of the shape of x, broadcast over leading axes. */
function eyeLike(x: Operand): unknown {
  const [rows, columns] = [extent(x, -2), extent(x, -1)];
  return convert(broadcastTo(eye(rows, columns) as Operand, x.type.shape) as Operand, x.type.dtype);
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
  ['stack', (inputs, args) => [stack(inputs, args.number('axis')) as Operand]],
  ['tril', triangle(tril)],
  ['triu', triangle(triu)],
  ['flip', withArguments((x, args) => flip(x, axisList(args, 'axes')))],
  ['roll', withArguments(rolled)],
  ['diagonal', unary(diagonal)],
  ['diag_embed', unary(diagEmbed)],
  ['trace', unary(trace)],
  ['kron', binary(kron)],
  ['eye_like', unary(eyeLike)],
  ['take', gathering(take)],
  ['take_along_axis', gathering(takeAlongAxis)],
  ['scatter_add', scattering(scatterAdd)],
  ['scatter_set', scattering(scatterSet)],
  ['index_add', scattering(indexAdd)],
];
