import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, eq, lt, mul, select, sub } from '../scalar.ts';
import { type CoefficientTable, floatFormat, polynomial, type RationalTable } from './format.ts';
import { LARGE } from './lgamma.ts';
import { log } from './log.ts';
import { cosineOfTurns, fractionOf, sineOfTurns } from './turns.ts';

/** ψ(1 + t) − BASE over 0 ≤ t ≤ 7: rational minimax (Remez, 500 bits), error relative to max(|ψ|, ¼) 6.66e-19 and 9.08e-10. */
export const digammaTable: RationalTable = {
  f64: {
    numerator: [
      -0.9834656649015329, -0.7194808822409905, 0.6264262359660665, 0.8053025850625, 0.31854976092751386,
      0.05920073339480432, 0.00544757083929792, 0.00023354637370243272, 3.883488672780807e-6, 1.541220274579333e-8,
    ],
    denominator: [
      1, 2.404166239322598, 2.1619583541997396, 0.9592149537343924, 0.22944965068360876, 0.030028475279361547,
      0.0020685300361526215, 6.770990349359377e-5, 8.458966855031893e-7, 2.2902854844930256e-9,
    ],
  },
  f32: {
    numerator: [
      -0.9834656715393066, -0.1338759958744049, 0.7984501719474792, 0.3476254940032959, 0.0367778055369854,
      0.0007225858280435205,
    ],
    denominator: [
      1, 1.8087159395217896, 0.9910992383956909, 0.1940142959356308, 0.01190687995404005, 0.0001343062031082809,
    ],
  },
};

/** What the quotient is added to: its rounding errors then count less. */
const BASE = 0.40625;

/** x²·(log x − 1/(2x) − ψ(x)) in 1/x² for x ≥ 8: minimax, error relative to 2 9.33e-19 and 2.82e-10. */
const farTable: CoefficientTable = {
  f64: [
    0.08333333333332583, -0.008333333323899244, 0.003968250006277814, -0.0041658979052000555, 0.00749952986462523,
    -0.017270659457148195,
  ],
  f32: [0.08333292603492737, -0.008248597383499146],
};

/**
 * ψ(x) = Γ′(x)/Γ(x). For a = |x| and t = a − 1, or t = a below 1, where ψ(a) = ψ(1 + a) − 1/a:
 *
 *     a < 8:   R(t), less 1/a below 1
 *     a ≥ 8:   log a − 1/(2a) − D(1/a²)/a²               (Abramowitz & Stegun 6.3.18)
 *     x < 0:   ψ(1 + a) + π·cot(πa)                      (6.3.7)
 *
 * ∓∞ at ±0, NaN at −1, −2, … and −∞.
 */
export function digamma(args: readonly ScalarExpr[], table: RationalTable = digammaTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'digamma');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const { numerator, denominator } = table[format.type];
  const a = abs(x);
  const isSmall = lt(a, number(1));
  const t = select(isSmall, a, sub(a, number(1)));
  const near = add(number(BASE), div(polynomial(t, numerator), polynomial(t, denominator)));
  const inverse = div(number(1), a);
  const square = mul(inverse, inverse);
  const far = sub(log([a]), add(mul(inverse, number(0.5)), mul(square, polynomial(square, farTable[format.type]))));
  const above = select(lt(a, number(LARGE)), near, far);
  const reflected = add(select(isSmall, near, add(above, inverse)), cotangentOfTurns(a));
  return select(lt(x, number(0)), reflected, select(isSmall, sub(near, copysign(inverse, x)), above));
}

/** π·cot(πa) for a > 0; NaN at integers and ∞. Beyond a quarter it is π·tan(π(½ − |r|)), so that no cosine is near its zero. */
export function cotangentOfTurns(a: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(a.type, value);
  const r = fractionOf(a);
  const isWide = lt(number(0.25), abs(r));
  const u = select(isWide, sub(number(0.5), abs(r)), abs(r));
  const [sine, cosine] = [sineOfTurns(u), cosineOfTurns(u)];
  const value = div(select(isWide, mul(sine, number(Math.PI ** 2)), cosine), select(isWide, cosine, sine));
  return select(eq(r, number(0)), number(NaN), copysign(value, r));
}
