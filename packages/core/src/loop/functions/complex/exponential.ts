import type { ScalarExpr } from '../../../types/loop-language.ts';
import { abs, add, and, div, eq, lt, mul, neg, not, select, sub } from '../../scalar.ts';
import { floatFormat, product } from '../format.ts';
import { type Complex, isFinite, isInfinite, number, real, signed, splitExponent } from './complex.ts';

/** e^x·(cos y + i·sin y). A zero imaginary part stays; whatever y is, e^−∞ is 0 and e^∞ infinite (C99, annex G.6.3.1). */
export function complexExp([x, y]: Complex): Complex {
  const { reduced, factor } = splitExponent(x, 'exp');
  return polar([x, y], real('exp', reduced), factor, [real('cos', y), real('sin', y)]);
}

/** size·factor·(cosine + i·sine), where the size is a power with the exponent x, and the angle a multiple of y. */
function polar([x, y]: Complex, size: ScalarExpr, factor: ScalarExpr, [cosine, sine]: Complex): Complex {
  const isEndless = not(isFinite(y));
  const isNothing = and(eq(x, number(x, -Infinity)), isEndless);
  const part = (value: ScalarExpr): ScalarExpr => select(isNothing, number(x, 0), mul(mul(size, value), factor));
  return [select(and(eq(x, number(x, Infinity)), isEndless), x, part(cosine)), select(eq(y, number(y, 0)), y, part(sine))];
}

/** By type: ln 2 less its rounded value. */
const lowLn2 = { f32: Math.LN2 - Math.fround(Math.LN2), f64: 2.3190468138462996e-17 } as const;

/** By type: 2^x beyond `large` may leave the range, and 2^(x − shift) is used. */
const powers = { f32: { large: 120, shift: 100 }, f64: { large: 1000, shift: 900 } } as const;

/** 2^x·(cos t + i·sin t), t = y·ln 2 in twice the precision: a sum t + e, whose e is an angle like any other where y is huge. */
export function complexExp2([x, y]: Complex): Complex {
  const { type } = floatFormat(x.type, 'exp2');
  const { large, shift } = powers[type];
  const isLarge = lt(number(x, large), x);
  const size = real('exp2', select(isLarge, sub(x, number(x, shift)), x));
  const { sum, error } = product(y, number(y, Math.LN2));
  const rest = add(error, mul(y, number(y, lowLn2[type])));
  const e = select(eq(rest, rest), rest, number(y, 0));
  const [c, s] = [real('cos', sum), real('sin', sum)];
  const [ce, se] = [real('cos', e), real('sin', e)];
  return polar([x, y], size, select(isLarge, number(x, 2 ** shift), number(x, 1)), [sub(mul(c, ce), mul(s, se)), add(mul(s, ce), mul(c, se))]);
}

/** e^z − 1: its real part is (e^x − 1)·cos y + (cos y − 1), where the last difference is −2·sin²(y/2). */
export function complexExpm1(z: Complex): Complex {
  const [x, y] = z;
  const half = real('sin', mul(y, number(y, 0.5)));
  const near = sub(mul(real('expm1', x), real('cos', y)), mul(number(x, 2), mul(half, half)));
  const [far, imaginary] = complexExp(z);
  return [select(lt(number(x, 40), x), far, select(eq(x, number(x, -Infinity)), number(x, -1), near)), imaginary];
}

/**
 * 1/(1 + e^−z). With q = e^−|x|, p = 1 − q and c = cos(y/2), nothing cancels in
 *
 *     |1 + e^−z|² = p² + 4qc²       1 + q·cos y = p + 2qc²       q + cos y = 2c² − p
 *
 * (for x ≥ 0; for x < 0, e^z/(1 + e^z) has the same parts in other places). 0 and 1 at x = ∓∞ whatever y is.
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
  const isLeft = lt(x, number(x, 0));
  const atEnd = select(isLeft, number(x, 0), number(x, 1));
  const isEnd = isInfinite(x);
  return [select(isEnd, atEnd, div(select(isLeft, below, above), norm)), select(and(isEnd, not(isFinite(y))), signed(0, y), div(mul(mul(two, q), mul(s, c)), norm))];
}
