import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, bitcast, constant, copysign, div, floor, lt, mul, nearest, select, sub } from '../scalar.ts';
import { powerOfBits, timesPowerOfTwo } from './exp.ts';
import { floatFormat, type FloatFormat, type FloatType } from './format.ts';
import { splitExponent } from './log.ts';

interface FmodTable {
  /** Bits of the quotient that one step takes. */
  readonly digit: number;
  /** Low bits of a significand that are cut off, so that what is left times a digit is exact. */
  readonly width: number;
  /** Fours of digits in the largest quotient. */
  readonly fours: number;
}

export const fmodTables: { readonly [T in FloatType]: FmodTable } = {
  f64: { digit: 25, width: 27, fours: 21 },
  f32: { digit: 11, width: 12, fours: 7 },
};

/** Up to here all quotients that have more than one digit go; those with more fours are rare. */
const FEW = 2;

/**
 * x − y·trunc(x/y), which is exact (IEEE 754's remainder of truncated division, C17 7.12.10.1). With x = 2^d·p, y = 2^e·s and
 * n = d − e ≥ 0, long division by digits (Knuth, TAOCP vol. 2, §4.3.1): 2^n·p modulo s is taken from the top, a step being
 *
 *     r ← 2^digit·r − q·s,   q = round(2^digit·r/s)
 *
 * with s in two halves, so that both products and both differences are exact; |r| stays below s/2, and s is added at the end where r
 * is negative. Digits go by fours, so that few comparisons tell how many there are.
 */
export function fmod(args: readonly ScalarExpr[], table?: FmodTable): ScalarExpr {
  const [x, y] = args as readonly [ScalarExpr, ScalarExpr];
  const format = floatFormat(x.type, 'fmod');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const [dividend, divisor] = [abs(x), abs(y)];
  const rest = copysign(longDivision(format, dividend, divisor, table ?? fmodTables[format.type]), x);
  const isRegular = and(lt(dividend, number(Infinity)), lt(number(0), divisor));
  return select(lt(dividend, divisor), x, select(isRegular, rest, number(NaN)));
}

function longDivision(format: FloatFormat, dividend: ScalarExpr, divisor: ScalarExpr, { digit, width, fours }: FmodTable): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { exponent: d, significand: p } = splitExponent(format, dividend);
  const { exponent: e, significand: s } = splitExponent(format, divisor);
  const inverse = div(number(1), s);
  const high = bitcast(format.type, and(bitcast(format.bits, s), constant(format.bits, -1n << BigInt(width))));
  const low = sub(s, high);
  const reduced = (t: ScalarExpr): ScalarExpr => {
    const q = nearest(mul(t, inverse));
    return sub(sub(t, mul(q, high)), mul(q, low));
  };
  const n = sub(d, e);
  const digits = floor(mul(add(n, number(0.5)), number(1 / digit)));
  const step = (r: ScalarExpr): ScalarExpr => reduced(mul(r, number(2 ** digit)));
  const repeat = (count: ScalarExpr, of: (r: ScalarExpr) => ScalarExpr, from: ScalarExpr, first: number, end: number): ScalarExpr => {
    let r = from;
    for (let k = first; k < end; k++) r = select(lt(number(k), count), of(r), r);
    return r;
  };
  const biased = (exponent: ScalarExpr, offset: number): ScalarExpr => bitcast(format.bits, add(exponent, number(1.5 * 2 ** format.significandBits + offset)));
  const first = reduced(mul(p, powerOfBits(format, biased(sub(n, mul(digits, number(digit))), format.bias))));
  const groups = floor(mul(digits, number(0.25)));
  const four = (r: ScalarExpr): ScalarExpr => step(step(step(step(r))));
  const few = repeat(groups, four, repeat(sub(digits, mul(groups, number(4))), step, first, 0, 3), 0, FEW);
  const r = select(lt(number(0), digits), select(lt(number(FEW), groups), repeat(groups, four, few, FEW, fours), few), first);
  return timesPowerOfTwo(format, select(lt(r, number(0)), add(r, s), r), biased(e, 2 * format.bias));
}
