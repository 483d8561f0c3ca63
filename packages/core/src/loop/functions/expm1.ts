import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, bitcast, constant, copysign, lt, mul, select, sub } from '../scalar.ts';
import { expTables, powerOfBits } from './exp.ts';
import { clamp, floatFormat, polynomial } from './format.ts';

/**
 * e^x − 1. Reduced as in {@link exp}, but the rounding error c of r is kept: near x = ln 2/2 the result is smaller than r
 * times 2^k. With s = c + r²·remainder(r), small beside r, and h = 2^(k−1), which never leaves the range,
 *
 *     e^x − 1 = 2·(h·s + (h·r + (h − ½)))
 *
 * which for k = 0 is r + s with r = x exactly. Below the lower limit the result is −1. The sign of the result is that of x, also for
 * −0. A subnormal x, which cannot be halved exactly, is its own result.
 */
export function expm1(args: readonly ScalarExpr[]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'expm1');
  const { high, ln2High, ln2Low, remainder } = expTables[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const x = clamp(args[0]!, format.type === 'f64' ? -40 : -20, high);
  const shifter = number(1.5 * 2 ** format.significandBits + format.bias - 1);
  const sum = add(mul(x, number(Math.LOG2E)), shifter);
  const k = sub(sum, shifter);
  const [major, minor] = [sub(x, mul(k, number(ln2High))), mul(k, number(ln2Low))];
  const r = sub(major, minor);
  const c = sub(sub(major, r), minor);
  const s = add(c, mul(mul(r, r), polynomial(r, remainder)));
  const scale = powerOfBits(format, bitcast(format.bits, sum));
  const half = add(mul(scale, s), add(mul(scale, r), sub(scale, number(0.5))));
  const isTiny = lt(abs(args[0]!), number(2 * format.smallestNormal));
  return select(isTiny, args[0]!, copysign(add(half, half), args[0]!));
}
