/** Special values and wrong twins of the inverse, hyperbolic and two-operand functions, for `functions.test.ts`. */
import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, argument, constant, div, mul, nearest, neg, sqrt, sub, trunc } from '../scalar.ts';
import { acos } from './acos.ts';
import { acosh, acoshTable } from './acosh.ts';
import { asin, asinTable } from './asin.ts';
import { asinh, asinhTable } from './asinh.ts';
import { atan, atanTable } from './atan.ts';
import { atan2 } from './atan2.ts';
import { atanh, atanhTable } from './atanh.ts';
import { cbrt, cbrtTable } from './cbrt.ts';
import { digamma, digammaTable } from './digamma.ts';
import { digammaOfNegative, type ReflectionTable, reflectionTable } from './digamma-of-negative.ts';
import { erfinv, erfinvTables } from './erfinv.ts';
import { exp, expTables } from './exp.ts';
import { exp2 } from './exp2.ts';
import { fmod, fmodTables } from './fmod.ts';
import type { CoefficientTable, FloatType, RationalTable } from './format.ts';
import { lgamma, lgammaTable } from './lgamma.ts';
import { log, logTables } from './log.ts';
import { log10 } from './log10.ts';
import { log2 } from './log2.ts';
import { sinh, sinhTable } from './sinh.ts';
import { tan } from './tan.ts';

/** By name, definitions that are wrong somewhere. */
export interface Twins {
  readonly [name: string]: (x: ScalarExpr, type: FloatType) => readonly ScalarExpr[];
}

/** The list with one entry off by a relative 1e-4 (f64: 1e-9). */
export const perturbed = (list: readonly number[], at: number, type: FloatType): number[] => list.map((c, i) => (i === at ? c * (1 + (type === 'f64' ? 1e-9 : 1e-4)) : c));

const wrong = (table: CoefficientTable, at: number, type: FloatType): CoefficientTable => ({ ...table, [type]: perturbed(table[type], at, type) });
const perturbedRational = (table: RationalTable, type: FloatType): RationalTable => ({ ...table, [type]: { ...table[type], denominator: table[type].denominator.map((c, i) => (i === 1 ? c * 1.0001 : c)) } });
const second = (type: FloatType): ScalarExpr => argument(type, 1);

/** Beside the zeros of digamma below 0. */
const wrongReflections = (type: FloatType): readonly ReflectionTable[] => {
  const { rest, cotangent, logarithm } = reflectionTable;
  const table = logarithm[type];
  return [
    { ...reflectionTable, rest: perturbedRational(rest, type) },
    { ...reflectionTable, cotangent: perturbedRational(cotangent, type) },
    { ...reflectionTable, logarithm: { ...logarithm, [type]: { ...table, logLow: table.logLow.map(() => 0) } } },
  ];
};

export const inverseTwins: Twins = {
  acos: (x, type) => [acos([x], wrong(asinTable, 0, type)), sub(constant(type, Math.PI / 2), asin([x]))],
  acosh: (x, type) => [acosh([x], wrong(acoshTable, 1, type)), log([add(x, sqrt(sub(mul(x, x), constant(type, 1))))])],
  asin: (x, type) => [asin([x], wrong(asinTable, 0, type)), asin([x], wrong(asinTable, 1, type))],
  asinh: (x, type) => [asinh([x], wrong(asinhTable, 0, type)), log([add(x, sqrt(add(mul(x, x), constant(type, 1))))])],
  atan: (x, type) => [atan([x], wrong(atanTable, 0, type)), atan([x], wrong(atanTable, 3, type))],
  atan2: (y, type) => [atan2([y, second(type)], wrong(atanTable, 0, type)), atan([div(y, second(type))])],
  atanh: (x, type) => [atanh([x], wrong(atanhTable, 0, type))],
  cbrt: (x, type) => [cbrt([x], { ...cbrtTable, [type]: cbrtTable[type].map((c, i) => (i === 1 ? c * 1.01 : c)) })],
  digamma: (x, type) => [
    digamma([x], perturbedRational(digammaTable, type)),
    ...wrongReflections(type).map((table) => digamma([x], digammaTable, (negative) => digammaOfNegative(negative, table))),
    // Both terms right to their last places.
    digamma([x], digammaTable, (negative) => sub(digamma([sub(constant(type, 1), negative)]), div(constant(type, Math.PI), tan([mul(sub(negative, nearest(negative)), constant(type, Math.PI))])))),
  ],
  erfinv: (x, type) => {
    const { near, far } = erfinvTables[type];
    return [erfinv([x], { near: { ...near, numerator: perturbed(near.numerator, 0, type) }, far }), erfinv([x], { near, far: far.map((one) => ({ ...one, numerator: perturbed(one.numerator, 1, type).map((c) => 1.0001 * c) })) })];
  },
  lgamma: (x, type) => [lgamma([x], perturbedRational(lgammaTable, type))],
  cosh: (x, type) => [mul(add(exp([x]), exp([neg(x)])), constant(type, 0.5))],
  exp2: (x, type) => [exp2([x], { ...expTables[type], remainder: perturbed(expTables[type].remainder, 0, type) }), exp([mul(x, constant(type, Math.LN2))])],
  fmod: (x, type) => [
    fmod([x, second(type)], { ...fmodTables[type], width: 0 }),
    fmod([x, second(type)], { ...fmodTables[type], fours: 3 }),
    sub(x, mul(trunc(div(x, second(type))), second(type))),
  ],
  hypot: (x, type) => [sqrt(add(mul(x, x), mul(second(type), second(type))))],
  log10: (x, type) => [log10([x], { ...logTables[type], remainder: perturbed(logTables[type].remainder, 0, type) }), mul(log([x]), constant(type, 0.4342))],
  log2: (x, type) => [log2([x], { ...logTables[type], remainder: perturbed(logTables[type].remainder, 0, type) })],
  logAddExp: (x, type) => [log([add(exp([x]), exp([second(type)]))])],
  remainder: (x, type) => [fmod([x, second(type)])],
  sinh: (x, type) => [sinh([x], wrong(sinhTable, 0, type)), mul(sub(exp([x]), exp([neg(x)])), constant(type, 0.5))],
};

const [inf, nan] = [Infinity, NaN];

export const inverseSpecials: readonly (readonly [string, number, number])[] = [
  ['acos', 1, 0], ['acos', 2, nan], ['acos', -inf, nan], ['acos', nan, nan], ['acosh', 1, 0], ['acosh', 0.5, nan], ['acosh', -inf, nan], ['acosh', inf, inf], ['acosh', nan, nan],
  ['asin', 0, 0], ['asin', -0, -0], ['asin', 2, nan], ['asin', inf, nan], ['asin', nan, nan], ['asin', -(2 ** -140), -(2 ** -140)],
  ['asinh', 0, 0], ['asinh', -0, -0], ['asinh', inf, inf], ['asinh', -inf, -inf], ['asinh', nan, nan], ['atan', 0, 0], ['atan', -0, -0], ['atan', nan, nan],
  ['atanh', 0, 0], ['atanh', -0, -0], ['atanh', 1, inf], ['atanh', -1, -inf], ['atanh', 2, nan], ['atanh', -inf, nan], ['atanh', nan, nan],
  ['cbrt', 0, 0], ['cbrt', -0, -0], ['cbrt', inf, inf], ['cbrt', -inf, -inf], ['cbrt', nan, nan], ['cbrt', 27, 3], ['cbrt', -8, -2], ['cbrt', 2 ** -147, 2 ** -49],
  ['cosh', 0, 1], ['cosh', -0, 1], ['cosh', inf, inf], ['cosh', -inf, inf], ['cosh', nan, nan], ['cosh', 1e30, inf],
  ['exp2', 0, 1], ['exp2', -149, 2 ** -149], ['exp2', 127, 2 ** 127], ['exp2', inf, inf], ['exp2', -inf, 0], ['exp2', nan, nan], ['exp2', 1e30, inf], ['exp2', -1e30, 0],
  ['log2', 0, -inf], ['log2', -0, -inf], ['log2', 1, 0], ['log2', 2 ** -149, -149], ['log2', inf, inf], ['log2', -1, nan], ['log2', nan, nan],
  ['log10', 0, -inf], ['log10', 1, 0], ['log10', 1000, 3], ['log10', 1e10, 10], ['log10', inf, inf], ['log10', -1, nan], ['log10', nan, nan],
  ['lgamma', 1, 0], ['lgamma', 2, 0], ['lgamma', 0, inf], ['lgamma', -0, inf], ['lgamma', -3, inf], ['lgamma', -inf, inf], ['lgamma', inf, inf], ['lgamma', nan, nan], ['lgamma', -1e30, inf],
  ['digamma', 0, -inf], ['digamma', -0, inf], ['digamma', -3, nan], ['digamma', -inf, nan], ['digamma', inf, inf], ['digamma', nan, nan],
  ['erfinv', 0, 0], ['erfinv', -0, -0], ['erfinv', 1, inf], ['erfinv', -1, -inf], ['erfinv', 2, nan], ['erfinv', -inf, nan], ['erfinv', nan, nan],
  ['sinh', 0, 0], ['sinh', -0, -0], ['sinh', inf, inf], ['sinh', -inf, -inf], ['sinh', nan, nan], ['sinh', -1e30, -inf],
];

export const pairSpecials: readonly (readonly [string, number, number, number])[] = [
  ['atan2', 0, 0, 0], ['atan2', -0, 0, -0], ['atan2', 0, inf, 0], ['atan2', -5, inf, -0], ['atan2', nan, 1, nan], ['atan2', 1, nan, nan], ['atan2', nan, inf, nan], ['atan2', inf, nan, nan],
  ['hypot', 3, -4, 5], ['hypot', 0, -0, 0], ['hypot', inf, nan, inf], ['hypot', nan, -inf, inf], ['hypot', nan, 1, nan], ['hypot', 3 * 2 ** 120, 4 * 2 ** 120, 5 * 2 ** 120], ['hypot', 2 ** -149, 0, 2 ** -149],
  ['logAddExp', -inf, -inf, -inf], ['logAddExp', inf, inf, inf], ['logAddExp', -inf, 3, 3], ['logAddExp', inf, -inf, inf], ['logAddExp', nan, 1, nan], ['logAddExp', 1, nan, nan],
  ['fmod', 5, 3, 2], ['fmod', -5, 3, -2], ['fmod', 5, -3, 2], ['fmod', -6, 3, -0], ['fmod', -0, 1, -0], ['fmod', -1, inf, -1], ['fmod', inf, 1, nan], ['fmod', 1, 0, nan], ['fmod', nan, 1, nan], ['fmod', 2 ** 127, 3, 2],
  ['remainder', 5, 3, 2], ['remainder', -5, 3, 1], ['remainder', 5, -3, -1], ['remainder', -6, 3, 0], ['remainder', 6, -3, -0], ['remainder', -1, inf, inf], ['remainder', 1, 0, nan], ['remainder', 1, nan, nan],
];
