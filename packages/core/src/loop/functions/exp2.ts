import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, bitcast, constant, mul, sub } from '../scalar.ts';
import { expTables, timesPowerOfTwo, type ExpTable } from './exp.ts';
import { clamp, floatFormat, polynomial } from './format.ts';

/**
 * 2^x. k = round(x), r = (x − k)·ln 2, where the difference is exact, and 2^x = 2^k·(1 + (r + r²·remainder(r))) with the table of
 * the exponential. Powers of two are exact.
 */
export function exp2(args: readonly ScalarExpr[], table?: ExpTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'exp2');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { remainder } = table ?? expTables[format.type];
  const x = clamp(args[0]!, -(format.bias + format.significandBits + 3), format.bias + 2);
  const shifter = number(1.5 * 2 ** format.significandBits + 2 * format.bias);
  const sum = add(x, shifter);
  const r = mul(sub(x, sub(sum, shifter)), number(Math.LN2));
  const fraction = add(r, mul(mul(r, r), polynomial(r, remainder)));
  return timesPowerOfTwo(format, add(number(1), fraction), bitcast(format.bits, sum));
}
