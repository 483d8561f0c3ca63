import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, eq, lt, mul, neg, select, sub } from '../scalar.ts';
import { fastTwoSum, floatFormat, polynomial, product, type FloatFormat, type FloatType, type RationalTable, type RoundedSum } from './format.ts';
import { powTables, type PowTable } from './pow-tables.ts';
import { preciseLog } from './precise-log.ts';
import { fractionOf } from './turns.ts';

export interface ReflectionTable {
  /** y²·(ψ(½ + y) − log y) in 1/y² for y ≥ ½: rational minimax (Remez, 500 bits), absolute error of ψ 8.76e-18 and 6.89e-10. */
  readonly rest: RationalTable;
  /** ((1/r − π·cot πr)/r − π²/3)/r² in r² for r ≤ ½: the same, absolute error of the cotangent 1.35e-17 and 5.01e-9. */
  readonly cotangent: RationalTable;
  readonly logarithm: { readonly [T in FloatType]: PowTable };
}

/** π²/3 */
const SLOPE = 3.289868133696453;

export const reflectionTable: ReflectionTable = {
  rest: {
    f64: {
      numerator: [
        0.04166666666665756, 0.8275816494058307, 5.887851136351676, 19.459483001934995, 32.452997805006596,
        27.81413627821485, 11.968070853613797, 2.417020081657961, 0.19947981186075237, 0.0049294076089630885,
        1.0212178847934299e-5,
      ],
      denominator: [
        1, 20.036959585671855, 144.72263330256317, 490.60462314921995, 853.181964623138, 782.8108146570847,
        376.0715801879927, 90.86586954772122, 10.147855376122832, 0.44297979231318063, 0.00507277874156923,
      ],
    },
    f32: {
      numerator: [0.04166658967733383, 0.11182720959186554, 0.06716511398553848, 0.008632538840174675, 8.194404654204845e-5],
      denominator: [1, 2.858792781829834, 2.0207245349884033, 0.3910020887851715, 0.015409989282488823],
    },
  },
  cotangent: {
    f64: {
      numerator: [2.1646464674223047, -0.8651434633625859, 0.06632203704116096, -7.933521359053053e-5],
      denominator: [1, -1.3396319588309222, 0.36213667877996036, -0.022504704443360602],
    },
    f32: { numerator: [2.1646437644958496, -0.1261305958032608, -0.02376563660800457], denominator: [1, -0.998267650604248] },
  },
  logarithm: powTables,
};

/**
 * ψ(x) = ψ(1 + a) + π·cot(πa) for a = −x > 0 (Abramowitz & Stegun 6.3.7), NaN at integers. The terms nearly cancel beside each
 * zero, and are up to 36 there: both are sums of a float and a small rest, of which only the rest is rounded.
 */
export function digammaOfNegative(x: ScalarExpr, table: ReflectionTable = reflectionTable): ScalarExpr {
  const format = floatFormat(x.type, 'digamma');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const a = abs(x);
  const r = fractionOf(a);
  const first = digammaOfNext(format, a, table);
  const inverse = div(number(1), abs(r));
  const second = cotangent(format, abs(r), inverse, table);
  const sign = copysign(number(1), r);
  const value = add(add(first.sum, mul(sign, second.sum)), add(first.error, mul(sign, second.error)));
  // There the rest of the cotangent is below the last place of its inverse, and would not be computed without overflow.
  const isPole = lt(number(2 ** (format.significandBits + 8)), inverse);
  return select(eq(r, number(0)), number(NaN), select(isPole, add(first.sum, mul(sign, inverse)), value));
}

/** ψ(1 + a) = log y + rest, y = a + ½: the rest is small also for small a. */
function digammaOfNext(format: FloatFormat, a: ScalarExpr, { rest, logarithm }: ReflectionTable): RoundedSum {
  const y = add(a, constant(format.type, 0.5));
  const inverse = div(constant(format.type, 1), y);
  const square = mul(inverse, inverse);
  const { high, low } = preciseLog(format, y, logarithm[format.type]);
  return { sum: high, error: add(low, mul(square, quotient(square, rest))) };
}

/** π·cot(πr) = 1/r − r·(π²/3 + r²·C(r²)) for 0 < r ≤ ½; `inverse` is 1/r, rounded. */
function cotangent(format: FloatFormat, r: ScalarExpr, inverse: ScalarExpr, { cotangent: rational }: ReflectionTable): RoundedSum {
  const square = mul(r, r);
  const factor = fastTwoSum(constant(format.type, SLOPE), mul(square, quotient(square, rational)));
  const minor = product(r, factor.sum);
  const one = product(r, inverse);
  const inverseError = mul(sub(sub(constant(format.type, 1), one.sum), one.error), inverse);
  const { sum, error } = fastTwoSum(inverse, neg(minor.sum));
  return { sum, error: add(error, sub(inverseError, add(minor.error, mul(r, factor.error)))) };
}

function quotient(x: ScalarExpr, table: RationalTable): ScalarExpr {
  const { numerator, denominator } = table[x.type as FloatType];
  return div(polynomial(x, numerator), polynomial(x, denominator));
}
