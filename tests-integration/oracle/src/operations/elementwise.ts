import {
  abs, acos, angle, acosh, add, asin, asinh, atan, atan2, atanh, cast, cbrt, ceil, clamp, complex, cos, cosh, digamma, div, elu, equal, erf, erfc, erfinv, exp, exp2, expm1, floor, fmod, gelu, geluTanh, greater, greaterEqual, hardSwish, hypot, imag, isFinite, isInf, isNan, leakyRelu, less, lessEqual, lgamma, log, log10, log1p, log2, logAddExp, logSigmoid, maximum, minimum, mul, ndtr, neg, notEqual,
  type Operand, pow, real, reciprocal, relu, remainder, round, rsqrt, sigmoid, sign, signbit, silu, sin, sinh, softplus, sqrt, square, sub, tan, tanh, conj, trunc, where,
} from '@tf/core';
import { FormatError } from '../format.ts';
import { type ArgumentReader, binary, type OracleOperation, unary, withArguments } from './operation.ts';

type Truth = Operand<Operand extends Operand<infer K> ? K : never, 'bool'>;

const truth = (x: unknown): Truth => x as Truth;

function clampBetween(x: Operand, args: ArgumentReader): unknown {
  const bound = (name: string): number | undefined => ((args.raw(name) ?? null) === null ? undefined : args.number(name));
  return clamp(x, bound('min') as number, bound('max') as number);
}

const shorts = { f32: 'float32', f64: 'float64', c64: 'complex64', c128: 'complex128', i32: 'int32', i64: 'int64', bool: 'bool' } as const;

function dtypeOf(short: string): (typeof shorts)[keyof typeof shorts] {
  if (Object.hasOwn(shorts, short)) return shorts[short as keyof typeof shorts];
  throw new FormatError(`convert: there is no dtype ${short}`);
}

const functions: readonly (readonly [string, OracleOperation])[] = [
  ['neg', unary(neg)], ['abs', unary(abs)], ['sign', unary(sign)], ['conj', unary(conj)], ['real', unary(real)], ['imag', unary(imag)], ['angle', unary(angle)],
  ['sqrt', unary(sqrt)], ['rsqrt', unary(rsqrt)],
  ['exp', unary(exp)], ['expm1', unary(expm1)], ['log', unary(log)], ['log1p', unary(log1p)],
  ['exp2', unary(exp2)], ['log2', unary(log2)], ['log10', unary(log10)], ['cbrt', unary(cbrt)],
  ['tan', unary(tan)], ['asin', unary(asin)], ['acos', unary(acos)], ['atan', unary(atan)], ['sinh', unary(sinh)], ['cosh', unary(cosh)], ['asinh', unary(asinh)], ['acosh', unary(acosh)], ['atanh', unary(atanh)],
  ['sin', unary(sin)], ['cos', unary(cos)], ['tanh', unary(tanh)],
  ['erf', unary(erf)], ['erfc', unary(erfc)], ['ndtr', unary(ndtr)], ['erfinv', unary(erfinv)], ['lgamma', unary(lgamma)], ['digamma', unary(digamma)],
  ['sigmoid', unary(sigmoid)], ['softplus', unary(softplus)], ['relu', unary(relu)], ['silu', unary(silu)],
  ['gelu', unary(gelu)], ['gelu_tanh', unary(geluTanh)], ['log_sigmoid', unary(logSigmoid)], ['hard_swish', unary(hardSwish)],
  ['square', unary(square)], ['reciprocal', unary(reciprocal)],
  ['floor', unary(floor)], ['ceil', unary(ceil)], ['round', unary(round)], ['trunc', unary(trunc)],
  ['isnan', unary(isNan)], ['isfinite', unary(isFinite)], ['isinf', unary(isInf)], ['signbit', unary(signbit)],
  ['convert', withArguments((x, args) => cast(x, dtypeOf(args.text('dtype'))))],
];

const binaries: readonly (readonly [string, OracleOperation])[] = [
  ['complex', binary(complex)], ['add', binary(add)], ['sub', binary(sub)], ['mul', binary(mul)], ['div', binary(div)], ['pow', binary(pow)],
  ['atan2', binary(atan2)], ['hypot', binary(hypot)], ['fmod', binary(fmod)], ['remainder', binary(remainder)], ['logaddexp', binary(logAddExp)],
  ['maximum', binary(maximum)], ['minimum', binary(minimum)],
  ['eq', binary(equal)], ['ne', binary(notEqual)], ['lt', binary(less)], ['le', binary(lessEqual)], ['gt', binary(greater)], ['ge', binary(greaterEqual)],
  ['where', ([condition, yes, no]) => [where(truth(condition), yes as Operand, no as Operand) as Operand]],
];

/** What core has no function for because it is one line. */
const lines: readonly (readonly [string, OracleOperation])[] = [
  ['scale', withArguments((x, args) => mul(x, args.number('c')))],
  ['add_scalar', withArguments((x, args) => add(x, args.number('c')))],
  ['pow_scalar', withArguments((x, args) => pow(x, args.number('p')))],
  ['leaky_relu', withArguments((x, args) => leakyRelu(x, args.number('slope')))],
  ['elu', withArguments((x, args) => elu(x, args.number('alpha')))],
  ['clamp', withArguments(clampBetween)],
];

export const elementwiseOperations: readonly (readonly [string, OracleOperation])[] = [...functions, ...binaries, ...lines];
