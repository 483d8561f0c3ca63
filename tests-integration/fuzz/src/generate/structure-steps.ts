import { argmax, argmin, constrain, countNonzero, diagEmbed, diagonal, flip, kron, type Operand, repeat, roll, stack, tile, trace, tril, triu, vecdot, vectorNorm } from '@tf/core';
import { any, axesBy, fitting, float, loose, numeric, ranked, rankOf, sameShape, shapeOf, type Steer, step, type StepKind, type Take } from './step.ts';

const square: Take = (type) => type.shape.length >= 2;
const small: Take = (type) => type.shape.length < 3 && (type.shape as readonly number[]).reduce((count, extent) => count * extent, 1) < 8;

function flipped([x]: readonly Operand[], { n, m }: Steer): Operand {
  return loose(flip)(x, m % 4 === 0 ? undefined : axesBy(rankOf(x as Operand), n));
}

function rolled([x]: readonly Operand[], { n, m }: Steer): Operand {
  return loose(roll)(x, (n % 9) - 4, m % 3 === 0 ? undefined : m % rankOf(x as Operand));
}

function ofDiagonal(f: unknown): StepKind['apply'] {
  return ([x], { n, m }) => {
    const rank = rankOf(x as Operand);
    return loose(f)(x, { offset: (n % 5) - 2, ...(m % 2 === 0 ? {} : { axes: [m % rank, (m + 1 + (n % (rank - 1))) % rank] }) });
  };
}

function place(f: unknown): StepKind['apply'] {
  return ([x], { n, m }) => loose(f)(x, { ...(n % 3 === 0 ? {} : { axis: n % rankOf(x as Operand) }), keepdims: m % 2 === 0 });
}

export const structureSteps: { readonly [name: string]: StepKind } = {
  flip: step([ranked(any)], flipped, 7),
  constrain: step([ranked(any)], ([x], { n }) => {
    const size = shapeOf(x as Operand)[n % rankOf(x as Operand)] as number;
    return loose(constrain)(x, [{ left: size, right: size, reason: 'a size is itself' }, { left: size, right: size + (n % 2), relation: 'atMost', reason: 'a size is at most more' }]);
  }, 2),
  iota: step([square], ([x], { n, m }) => loose(m % 2 === 0 ? tril : triu)(x, (n % 5) - 2), 7),
  roll: step([ranked(any)], rolled, 2),
  diagonal: step([square], ofDiagonal(diagonal), 3),
  diagEmbed: step([(type) => type.shape.length === 1], ([x], { n }) => loose(diagEmbed)(x, { offset: (n % 5) - 2 }), 2),
  trace: step([(type) => square(type, []) && numeric(type, [])], ofDiagonal(trace), 2),
  argmax: step([ranked(any)], place(argmax), 2),
  argmin: step([ranked(any)], place(argmin), 2),
  countNonzero: step([any], ([x], { n }) => loose(countNonzero)(x, { axes: axesBy(rankOf(x as Operand), n) }), 1),
  tile: step([small], ([x], { n, m }) => loose(tile)(x, [1 + (n % 2), 1 + (m % 3)]), 2),
  repeat: step([(type) => ranked(any)(type, []) && small(type, [])], ([x], { n, m }) => loose(repeat)(x, n % 3, m % rankOf(x as Operand)), 2),
  stack: step([any, sameShape(any)], (operands, { n }) => loose(stack)(operands, n % (rankOf(operands[0] as Operand) + 1)), 2),
  vectorNorm: step([ranked(float)], ([x], { n, m }) => loose(vectorNorm)(x, { ord: [2, 2, 1, 3, Infinity, -Infinity][n % 6], axes: m % rankOf(x as Operand) }), 3),
  euclideanNorm: step([ranked(float)], ([x], { m }) => loose(vectorNorm)(x, { axes: m % rankOf(x as Operand) }), 2),
  vecdot: step([ranked(numeric), fitting(ranked(numeric))], ([x, y]) => loose(vecdot)(x, y), 2),
  kron: step([(type) => numeric(type, []) && small(type, []), (type) => numeric(type, []) && small(type, [])], ([x, y]) => loose(kron)(x, y), 2),
};
