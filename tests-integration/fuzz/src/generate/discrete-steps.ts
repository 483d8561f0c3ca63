import { bitwiseAnd, bitwiseNot, bitwiseOr, bitwiseXor, clamp, type DType, leftShift, logicalAnd, logicalNot, logicalOr, logicalXor, mul, normal, type Operand, randomBits, randomKey, rightShift } from '@tf/core';
import { binary, boolean, fitting, float, loose, shapeOf, step, type StepKind, type Take, unary } from './step.ts';

const integer: Take = ({ dtype }) => dtype === 'int32' || dtype === 'int64';
const discrete: Take = (type) => boolean(type, []) || integer(type, []);
const ordered: Take = ({ dtype }) => !(['bool', 'complex64', 'complex128'] as readonly DType[]).includes(dtype);

/** Operations on booleans and integers, which few values of a program are: drawn often where there is one. */
export const discreteSteps: { readonly [name: string]: StepKind } = {
  logicalAnd: binary(boolean, logicalAnd, 12), logicalOr: binary(boolean, logicalOr, 12), logicalXor: binary(boolean, logicalXor, 12), logicalNot: unary(boolean, logicalNot, 12),
  bitwiseAnd: binary(discrete, bitwiseAnd, 7), bitwiseOr: binary(discrete, bitwiseOr, 7), bitwiseXor: binary(discrete, bitwiseXor, 7), bitwiseNot: unary(discrete, bitwiseNot, 7),
  leftShift: step([integer], ([x], { n }) => loose(leftShift)(x, n - 2), 12), rightShift: step([integer], ([x], { n }) => loose(rightShift)(x, n - 2), 12),
  'shift by a tensor': step([integer, fitting(integer)], ([x, count], { m }) => loose(m % 2 === 0 ? leftShift : rightShift)(x, count), 5),
  threefry2x32: step([integer], ([x], { n, m }) => loose(bitwiseXor)(x, randomBits(randomKey(n), shapeOf(x as Operand), { dtype: m % 2 === 0 ? 'int32' : 'int64' })), 8),
  unitFloat: step([float], ([x], { n, m }) => loose(mul)(x, normal(randomKey(n), shapeOf(x as Operand), { dtype: m % 2 === 0 ? 'float32' : 'float64' })), 3),
  clampMin: step([ordered, fitting(ordered)], ([x, low]) => loose(clamp)(x, low), 4), clampMax: step([ordered, fitting(ordered)], ([x, high]) => loose(clamp)(x, undefined, high), 4),
  'clamp by numbers': step([ordered], ([x], { n }) => loose(clamp)(x, -n, n), 2),
};
