import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, copysign, div, eq, select, sub } from '../scalar.ts';
import { floatFormat } from './format.ts';
import { logarithm, specialValues, splitExponent } from './log.ts';

/**
 * log(1 + x). u = 1 + x is rounded with error c, 1 + x = u + c (TwoSum: Knuth, TAOCP vol. 2, §4.2.2, theorem B), and
 * log(u + c) = log u + c/u to first order, which is enough. Where u has exponent 0, f = x itself takes the place of u − 1,
 * so that small x lose nothing. The sign of the result is that of x, also for −0.
 */
export function log1p(args: readonly ScalarExpr[]): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'log1p');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const u = add(number(1), x);
  const xRounded = sub(u, number(1));
  const c = add(sub(number(1), sub(u, xRounded)), sub(x, xRounded));
  const { exponent: k, significand } = splitExponent(format, u);
  const near = eq(k, number(0));
  const f = select(near, x, sub(significand, number(1)));
  const correction = select(near, number(0), div(c, u));
  return copysign(specialValues(u, logarithm(format, k, f, undefined, correction)), x);
}
