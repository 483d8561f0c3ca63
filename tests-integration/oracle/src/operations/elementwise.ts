import {
  abs, add, convert, cos, div, equal, erf, erfc, exp, expm1, gelu, geluTanh, greater, greaterEqual, less, lessEqual, log, log1p, maximum, minimum, mul, neg, notEqual,
  type Operand, pow, relu, rsqrt, select, sigmoid, sign, silu, sin, softplus, sqrt, sub, tanh, conj,
} from '@tf/core';
import { FormatError } from '../format.ts';
import { type ArgumentReader, binary, type OracleOperation, unary, withArguments } from './operation.ts';

type Truth = Operand<Operand extends Operand<infer K> ? K : never, 'bool'>;

const truth = (x: unknown): Truth => x as Truth;

/** Slope 1 on the closed interval (semantics.md §2), which maximum and minimum would halve at its ends. */
function clamp(x: Operand, args: ArgumentReader): unknown {
  const [low, high] = [args.raw('min') ?? null, args.raw('max') ?? null];
  const raised = low === null ? x : (select(truth(less(x, low as number)), low as number, x) as Operand);
  return high === null ? raised : select(truth(greater(raised, high as number)), high as number, raised);
}

const shorts = { f32: 'float32', f64: 'float64', c64: 'complex64', c128: 'complex128', i32: 'int32', i64: 'int64', bool: 'bool' } as const;

function dtypeOf(short: string): (typeof shorts)[keyof typeof shorts] {
  if (Object.hasOwn(shorts, short)) return shorts[short as keyof typeof shorts];
  throw new FormatError(`convert: there is no dtype ${short}`);
}

/** x above 0, else what is given; the side not taken sees 0, so that it stays finite. */
function split(x: Operand, below: (x: Operand) => unknown): unknown {
  return select(truth(greater(x, 0)), x, below(minimum(x, 0) as Operand) as Operand);
}

const functions: readonly (readonly [string, OracleOperation])[] = [
  ['neg', unary(neg)], ['abs', unary(abs)], ['sign', unary(sign)], ['conj', unary(conj)],
  ['sqrt', unary(sqrt)], ['rsqrt', unary(rsqrt)],
  ['exp', unary(exp)], ['expm1', unary(expm1)], ['log', unary(log)], ['log1p', unary(log1p)],
  ['sin', unary(sin)], ['cos', unary(cos)], ['tanh', unary(tanh)],
  ['erf', unary(erf)], ['erfc', unary(erfc)],
  ['sigmoid', unary(sigmoid)], ['softplus', unary(softplus)], ['relu', unary(relu)], ['silu', unary(silu)],
  ['gelu', unary(gelu)], ['gelu_tanh', unary(geluTanh)],
  ['convert', withArguments((x, args) => convert(x, dtypeOf(args.text('dtype'))))],
];

const binaries: readonly (readonly [string, OracleOperation])[] = [
  ['add', binary(add)], ['sub', binary(sub)], ['mul', binary(mul)], ['div', binary(div)], ['pow', binary(pow)],
  ['maximum', binary(maximum)], ['minimum', binary(minimum)],
  ['eq', binary(equal)], ['ne', binary(notEqual)], ['lt', binary(less)], ['le', binary(lessEqual)], ['gt', binary(greater)], ['ge', binary(greaterEqual)],
  ['where', ([condition, yes, no]) => [select(truth(condition), yes as Operand, no as Operand) as Operand]],
];

/** What core has no function for because it is one line. */
const lines: readonly (readonly [string, OracleOperation])[] = [
  ['square', unary((x) => mul(x, x))],
  ['reciprocal', unary((x) => div(1, x))],
  ['exp2', unary((x) => pow(2, x))],
  ['log_sigmoid', unary((x) => neg(softplus(neg(x) as Operand) as Operand))],
  ['isnan', unary((x) => notEqual(x, x))],
  ['isinf', unary((x) => equal(abs(x) as Operand, Infinity))],
  ['scale', withArguments((x, args) => mul(x, args.number('c')))],
  ['add_scalar', withArguments((x, args) => add(x, args.number('c')))],
  ['pow_scalar', withArguments((x, args) => pow(x, args.number('p')))],
  ['leaky_relu', withArguments((x, args) => split(x, (y) => mul(y, args.number('slope'))))],
  ['elu', withArguments((x, args) => split(x, (y) => mul(expm1(y) as Operand, args.number('alpha'))))],
  ['clamp', withArguments(clamp)],
];

export const elementwiseOperations: readonly (readonly [string, OracleOperation])[] = [...functions, ...binaries, ...lines];
