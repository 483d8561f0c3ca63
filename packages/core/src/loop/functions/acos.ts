import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, lt, select, sub } from '../scalar.ts';
import { asinTable, halfAngle } from './asin.ts';
import { quarterTurn } from './atan.ts';
import { type CoefficientTable, floatFormat } from './format.ts';

/** Arcus cosine: π/2 − asin x, or twice the half angle, or π less that for x ≤ −½ (see `asin`). NaN beyond ±1. */
export function acos(args: readonly ScalarExpr[], table: CoefficientTable = asinTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'acos');
  const { isNear, sine, rest } = halfAngle(format, x, table);
  const { high, low } = quarterTurn[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const near = sub(number(high), sub(sine, sub(number(low), rest)));
  const half = add(sine, rest);
  const left = add(number(high), sub(number(low), half));
  return select(isNear, near, select(lt(x, number(0)), add(left, left), add(half, half)));
}
