import type { ScalarExpr } from '../../../types/loop-language.ts';
import { abs, add, and, div, eq, lt, mul, neg, not, or, select, sub } from '../../scalar.ts';
import { type Complex, number, real, splitExponent } from './complex.ts';

/** e^x·(cos y + i·sin y). A zero imaginary part stays, and e^−∞ is 0 whatever y is (C99, annex G.6.3.1). */
export function complexExp([x, y]: Complex): Complex {
  const { reduced, factor } = splitExponent(x, 'exp');
  const size = real('exp', reduced);
  const isNothing = and(eq(x, number(x, -Infinity)), not(isFinite(y)));
  const part = (value: ScalarExpr): ScalarExpr => select(isNothing, number(x, 0), mul(mul(size, value), factor));
  return [part(real('cos', y)), select(eq(y, number(y, 0)), y, part(real('sin', y)))];
}

/** e^z − 1: its real part is (e^x − 1)·cos y + (cos y − 1), where the last difference is −2·sin²(y/2). */
export function complexExpm1(z: Complex): Complex {
  const [x, y] = z;
  const half = real('sin', mul(y, number(y, 0.5)));
  const near = sub(mul(real('expm1', x), real('cos', y)), mul(number(x, 2), mul(half, half)));
  const [far, imaginary] = complexExp(z);
  return [select(lt(number(x, 40), x), far, near), imaginary];
}

/**
 * 1/(1 + e^−z). With q = e^−|x|, p = 1 − q and c = cos(y/2), nothing cancels in
 *
 *     |1 + e^−z|² = p² + 4qc²       1 + q·cos y = p + 2qc²       q + cos y = 2c² − p
 *
 * (for x ≥ 0; for x < 0, e^z/(1 + e^z) has the same parts in other places).
 */
export function complexSigmoid([x, y]: Complex): Complex {
  const away = neg(abs(x));
  const q = real('exp', away);
  const p = neg(real('expm1', away));
  const halfAngle = mul(y, number(y, 0.5));
  const [s, c] = [real('sin', halfAngle), real('cos', halfAngle)];
  const two = number(x, 2);
  const twice = mul(two, mul(c, c));
  const norm = add(mul(p, p), mul(mul(two, q), twice));
  const above = add(p, mul(q, twice));
  const below = mul(q, sub(twice, p));
  return [div(select(lt(x, number(x, 0)), below, above), norm), div(mul(mul(two, q), mul(s, c)), norm)];
}

function isFinite(x: ScalarExpr): ScalarExpr {
  return not(or(not(eq(x, x)), eq(abs(x), number(x, Infinity))));
}
