import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add } from '../scalar.ts';
import { floatFormat } from './format.ts';
import { quarterPowers } from './sinh.ts';

/** Hyperbolic cosine (e^x + e^−x)/2. */
export function cosh(args: readonly ScalarExpr[]): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'cosh');
  const { scale, rest, inverse } = quarterPowers(format, abs(args[0]!));
  const half = add(scale, add(rest, inverse));
  return add(half, half);
}
