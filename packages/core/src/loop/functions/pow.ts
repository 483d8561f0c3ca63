import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, constant, copysign, eq, lt, mul, nearest, not, or, select, sub } from '../scalar.ts';
import { reduceExp, timesPowerOfTwo } from './exp.ts';
import { clamp, floatFormat, type FloatFormat } from './format.ts';
import { powTables, type PowTable } from './pow-tables.ts';
import { preciseLog, upperHalf } from './precise-log.ts';

/**
 * x^y = e^(y·log x) for |x|, the logarithm and the product with about 12 bits beyond the type, since an absolute error of the
 * exponent is a relative one of the result. The sign and the special values are those of IEEE 754-2019, §9.2.1 (C17, F.10.4.4).
 */
export function pow(args: readonly ScalarExpr[], table?: PowTable): ScalarExpr {
  const [x, y] = args as readonly [ScalarExpr, ScalarExpr];
  const format = floatFormat(x.type, 'pow');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const magnitude = powerOf(format, abs(x), y, table ?? powTables[format.type]);
  const half = mul(y, number(0.5));
  const integral = eq(nearest(y), y);
  const odd = and(integral, not(eq(nearest(half), half)));
  const invalid = and(and(lt(x, number(0)), lt(number(-Infinity), x)), not(integral));
  const result = select(invalid, number(NaN), select(odd, copysign(magnitude, x), magnitude));
  return select(or(eq(y, number(0)), eq(x, number(1))), number(1), result);
}

/**
 * x^y for x ≥ 0, y ≠ 0. log 0 = −∞ and log ∞ = ∞ make the exponent infinite, where it is replaced by ±bound. y is limited so
 * that 1^±∞ = e^0.
 */
function powerOf(format: FloatFormat, x: ScalarExpr, y: ScalarExpr, table: PowTable): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { high, low } = preciseLog(format, x, table);
  const factor = clamp(y, -table.largest, table.largest);
  const logarithm = select(eq(x, number(0)), number(-Infinity), select(lt(x, number(Infinity)), high, x));
  const estimate = mul(factor, logarithm);
  const inRange = lt(abs(estimate), number(table.bound));
  const [a, b] = [upperHalf(format, factor, table), upperHalf(format, high, table)];
  const correction = add(add(mul(a, sub(high, b)), mul(sub(factor, a), high)), mul(factor, low));
  const exponent = select(inRange, mul(a, b), clamp(estimate, -table.bound, table.bound));
  const { shifted, fraction } = reduceExp(format, exponent, { correction: select(inRange, correction, number(0)) });
  return timesPowerOfTwo(format, add(number(1), fraction), shifted);
}
