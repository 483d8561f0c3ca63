import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, mul, sub } from '../scalar.ts';
import { floatFormat, type FloatType } from './format.ts';
import { belowFirstOrder } from './log2.ts';
import { type LogTable, specialValues, splitExponent } from './log.ts';

/** log₁₀2 = high + low; high so short that k·high is exact for every exponent k. log₁₀e rounded, and what is left. */
const parts: { readonly [T in FloatType]: { readonly high: number; readonly low: number; readonly slope: number; readonly rest: number } } = {
  f64: { high: 0.30102999566383914, low: 1.42050232272661e-13, slope: 0.4342944819032518, rest: 1.098319650216765e-17 },
  f32: { high: 0.301025390625, low: 4.605039066518657e-6, slope: 0.4342944920063019, rest: -1.0103049952192578e-8 },
};

/**
 * Decimal logarithm: k·log₁₀2 + log₁₀e·(f − t) with k, f and t as in the binary one. The products with k's long factor and the
 * rounding error of log₁₀e are small beside the sum. Powers of ten that are exact in the format have exact logarithms.
 */
export function log10(args: readonly ScalarExpr[], table?: LogTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'log10');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { high, low, slope, rest } = parts[format.type];
  const { exponent: k, significand } = splitExponent(format, x);
  const f = sub(significand, number(1));
  const small = sub(add(mul(k, number(low)), mul(f, number(rest))), mul(belowFirstOrder(format, f, table), number(slope)));
  return specialValues(x, add(mul(k, number(high)), add(mul(f, number(slope)), small)));
}
