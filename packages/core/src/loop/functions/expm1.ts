import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, copysign, lt, mul, nearest, select, sub } from '../scalar.ts';
import { expTables } from './exp.ts';
import { clamp, floatFormat, polynomial, powerOfTwo } from './format.ts';

/**
 * e^x − 1. Reduced as in {@link exp}, but the rounding error c of r is kept: near x = ln 2/2 the result is smaller than r
 * times 2^k. With s = c + r²·remainder(r), small beside r,
 *
 *     e^x − 1 = 2^k·s + (2^k·r + (2^k − 1))
 *
 * which for k = 0 is r + s with r = x exactly. k stops at the largest exponent; what is missing is multiplied at the end.
 * Below `low` the result is −1. The sign of the result is that of x, also for −0.
 */
export function expm1(args: readonly ScalarExpr[]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'expm1');
  const { high, ln2High, ln2Low, remainder } = expTables[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = clamp(args[0]!, format.type === 'f64' ? -40 : -20, high);
  const k = nearest(mul(x, number(Math.LOG2E)));
  const [major, minor] = [sub(x, mul(k, number(ln2High))), mul(k, number(ln2Low))];
  const r = sub(major, minor);
  const c = sub(sub(major, r), minor);
  const s = add(c, mul(mul(r, r), polynomial(r, remainder)));
  const beyond = lt(number(format.bias), k);
  const scale = powerOfTwo(format, select(beyond, number(format.bias), k));
  const sum = add(mul(scale, s), add(mul(scale, r), sub(scale, number(1))));
  return copysign(mul(sum, select(beyond, number(2), number(1))), args[0]!);
}
