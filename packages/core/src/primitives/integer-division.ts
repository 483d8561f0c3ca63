/** Division of integers rounded down, from floating quotients: the loop language has no division of integers. */
import { add, and, constant, convert, div, eq, floor, ge, le, lt, mul, neg, not, select, sub, trunc, xor } from '../loop/scalar.ts';
import type { ScalarExpr } from '../types/loop-language.ts';

export interface IntegerDivision {
  /** ⌊a/b⌋; it wraps for the smallest integer by −1, as a product would. */
  readonly quotient: ScalarExpr;
  /** a − b·⌊a/b⌋, which has the sign of b. */
  readonly remainder: ScalarExpr;
}

/** Both are 0 where b is 0, as in NumPy. */
export function divideIntegers(a: ScalarExpr, b: ScalarExpr): IntegerDivision {
  const zero = constant(a.type, 0);
  const { quotient, remainder } = a.type === 'i64' ? divideWide(a, b) : divideNarrow(a, b);
  const by = (value: ScalarExpr): ScalarExpr => select(eq(b, zero), zero, value);
  return { quotient: by(select(eq(b, constant(b.type, -1)), neg(a), quotient)), remainder: by(remainder) };
}

/** In float64, where operands, quotient and remainder of 32 bits are exact and no rounded quotient reaches an integer that it should not. */
function divideNarrow(a: ScalarExpr, b: ScalarExpr): IntegerDivision {
  const [x, y] = [convert('f64', a), convert('f64', b)];
  const quotient = floor(div(x, y));
  return { quotient: convert('i32', quotient), remainder: convert('i32', sub(x, mul(quotient, y))) };
}

/**
 * The quotient in float64 is right to 2^−51, so what is left is at most about |b| + 2^12, and after a second step at most about |b|; then it is
 * brought to the divisor's sign and below it. Products and differences wrap, and the last ones are in range.
 */
function divideWide(a: ScalarExpr, b: ScalarExpr): IntegerDivision {
  const number = (value: number): ScalarExpr => constant('i64', value);
  const estimate = (x: ScalarExpr): ScalarExpr => convert('i64', trunc(div(convert('f64', x), convert('f64', b))));
  const first = estimate(a);
  const rest = sub(a, mul(first, b));
  const second = estimate(rest);
  const near = sub(rest, mul(second, b));
  const isBelow = and(not(eq(near, number(0))), xor(lt(near, number(0)), lt(b, number(0))));
  const raised = select(isBelow, add(near, b), near);
  const isBeyond = select(lt(b, number(0)), le(raised, b), ge(raised, b));
  const sum = add(first, second);
  const quotient = sub(sum, select(isBelow, number(1), number(0)));
  return {
    quotient: add(quotient, select(isBeyond, number(1), number(0))),
    remainder: select(isBeyond, sub(raised, b), raised),
  };
}
