import { abs, add, angle, cast, complex, conj, convert, cos, div, divideOrZero, equal, erf, erfc, exp, expm1, greater, greaterEqual, identityOperation, imag, less, lessEqual, log, log1p, maximum, minimum, mul, multiplyOrZero, ndtr, neg, notEqual, type Operand, polygamma, pow, real, rsqrt, select, sigmoid, sign, sin, sqrt, stopGradient, sub, tanh } from '@tf/core';
import { any, applyTo, binary, boolean, complexOnly, fitting, float, loose, numeric, step, type StepKind, unary, withConstant } from './step.ts';

/** `x` as a condition. */
function truth(x: Operand, constant: number): Operand {
  return x.type.dtype === 'bool' ? x : loose(greater)(x, Number.isNaN(constant) ? 0 : constant);
}

export const elementwiseSteps: { readonly [name: string]: StepKind } = {
  add: binary(numeric, add, 8),
  sub: binary(numeric, sub, 8),
  mul: binary(numeric, mul, 8),
  div: binary(numeric, div, 6),
  divideOrZero: binary(numeric, divideOrZero, 5),
  multiplyOrZero: binary(numeric, multiplyOrZero, 5),
  pow: binary(float, pow, 7),
  'pow by a number': step([float], ([x], { n, constant }) => loose(pow)(x, [2, 3, 0.5, -1, 0, 1, constant][n % 7]), 4),
  // Whole exponents that vary, as those that are numbers cannot: what is special about 0 and 1 is special there alone.
  'pow by a tensor beside a whole number': step([float, fitting(float)], ([x, y], { n, m }) => loose(pow)(loose(add)(mul(tanh(x as Operand), 0.45), 1), loose(add)(loose(sub)(y, loose(stopGradient)(y)), ([0, 1, -1, 2, 0][n % 5] as number) + (m % 5 === 0 ? 1e-9 : 0))), 8),
  maximum: binary(any, maximum, 7),
  minimum: binary(any, minimum, 7),
  // Ties that stay ties in every direction.
  'maximum of x and x': step([float], ([x], { n }) => (n % 2 === 0 ? loose(maximum)(x, x) : loose(minimum)(x, x)), 3),
  'add a number': withConstant(any, add, 4),
  'sub a number': withConstant(any, sub, 4),
  'mul by a number': withConstant(any, mul, 4),
  'div by a number': withConstant(numeric, div, 3),
  'maximum with a number': withConstant(any, maximum),
  'add a boolean': step([numeric], ([x], { n }) => loose(add)(x, n % 2 === 0), 1),
  neg: unary(numeric, neg), abs: unary(numeric, abs, 5), sign: unary(numeric, sign, 5),
  exp: unary(any, exp, 6), expm1: unary(float, expm1, 6), log: unary(float, log, 6), log1p: unary(float, log1p, 6),
  sqrt: unary(float, sqrt, 6), rsqrt: unary(float, rsqrt, 7), tanh: unary(any, tanh, 5), sin: unary(float, sin, 6), cos: unary(float, cos, 6),
  erf: unary(float, erf, 6), erfc: unary(float, erfc, 6), ndtr: unary(float, ndtr, 6), sigmoid: unary(float, sigmoid, 5), polygamma: step([float], ([x], { n }) => loose(polygamma)(1 + (n % 2), x), 3),
  equal: binary(any, equal), notEqual: binary(any, notEqual, 5), less: binary(any, less, 5), lessEqual: binary(any, lessEqual, 5), greater: binary(any, greater, 5), greaterEqual: binary(any, greaterEqual, 6),
  'compare with a number': withConstant(numeric, less, 2),
  select: step([any, fitting(any), fitting(any)], ([x, y, z], { constant }) => loose(select)(truth(z as Operand, constant), x, y), 7),
  'select by a condition': step([boolean, fitting(any), fitting(any)], ([c, x, y]) => loose(select)(c, x, y), 5),
  'select a number': step([any, fitting(any)], ([x, z], { constant, n }) => (n % 2 === 0 ? loose(select)(truth(z as Operand, 0), x, constant) : loose(select)(truth(z as Operand, 0), constant, x)), 3),
  convert: step([any], ([x], { dtype }) => loose(convert)(x, dtype), 5),
  cast: step([any], ([x], { dtype }) => loose(cast)(x, dtype), 2),
  complex: binary(float, complex, 7),
  real: unary(complexOnly, real, 16), imag: unary(complexOnly, imag, 16), conj: unary(complexOnly, conj, 16), angle: unary(complexOnly, angle, 16),
  'modulus and sign': step([complexOnly], ([x], { n }) => (n % 2 === 0 ? loose(abs)(x) : loose(sign)(x)), 5),
  stopGradient: unary(any, stopGradient, 5),
  identity: step([any], (operands) => applyTo(identityOperation, operands), 5),
};
