import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, div, lt, neg, select } from '../scalar.ts';
import { exp } from './exp.ts';
import { floatFormat } from './format.ts';

export function sigmoid(args: readonly ScalarExpr[]): ScalarExpr {
  const x = args[0]!;
  const one = constant(floatFormat(x.type, 'sigmoid').type, 1);
  const e = exp([neg(abs(x))]);
  return div(select(lt(x, constant(x.type, 0)), e, one), add(one, e));
}
