import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, div, mul, sub } from '../scalar.ts';
import { floatFormat, polynomial, type FloatFormat } from './format.ts';
import { type LogTable, logTables, specialValues, splitExponent } from './log.ts';

/**
 * Binary logarithm. With k, f and s as in the natural one, log(1 + f) = f − t, t = f²/2 − s·(f²/2 + R(s²)), and
 *
 *     log₂x = k + (f + (f·(log₂e − 1) − t·log₂e))
 *
 * where f is exact and the rest smaller than half of it. Powers of two are exact.
 */
export function log2(args: readonly ScalarExpr[], table?: LogTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'log2');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { exponent, significand } = splitExponent(format, x);
  const f = sub(significand, number(1));
  const rest = sub(mul(f, number(Math.LOG2E - 1)), mul(belowFirstOrder(format, f, table), number(Math.LOG2E)));
  return specialValues(x, add(exponent, add(f, rest)));
}

/** f − log(1 + f) for √½ − 1 ≤ f < √2 − 1. */
export function belowFirstOrder(format: FloatFormat, f: ScalarExpr, table: LogTable = logTables[format.type]): ScalarExpr {
  const s = div(f, add(f, constant(format.type, 2)));
  const z = mul(s, s);
  const halfSquare = mul(mul(f, f), constant(format.type, 0.5));
  return sub(halfSquare, mul(s, add(halfSquare, mul(z, polynomial(z, table.remainder)))));
}
