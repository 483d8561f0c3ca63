import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, eq, lt, neg, select, sub } from '../scalar.ts';
import { exp } from './exp.ts';
import { log1p } from './log1p.ts';

/**
 * log(e^x + e^y) = max + log(1 + e^−|x − y|). Equal operands, also infinite ones, have the difference 0. The error is measured
 * by the larger of result and operands, which may cancel.
 */
export function logAddExp(args: readonly ScalarExpr[]): ScalarExpr {
  const [x, y] = args as readonly [ScalarExpr, ScalarExpr];
  const larger = select(lt(x, y), y, x);
  const difference = select(eq(x, y), constant(x.type, 0), abs(sub(x, y)));
  return add(larger, log1p([exp([neg(difference)])]));
}
