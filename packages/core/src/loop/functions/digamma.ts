import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, lt, mul, select, shortcut, sub } from '../scalar.ts';
import { digammaOfNegative } from './digamma-of-negative.ts';
import { type CoefficientTable, floatFormat, polynomial, type RationalTable } from './format.ts';
import { log } from './log.ts';

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

/** From here on the asymptotic series is used: the quotient is less exact the larger ψ is. */
const FAR = 6;

/** x²·(log x − 1/(2x) − ψ(x)) in 1/x² for x ≥ 6: minimax, error relative to 1.7 1.48e-18 and 1.82e-9. */
const farTable: CoefficientTable = {
  f64: [
    0.08333333333332585, -0.008333333326319725, 0.003968251736953317, -0.004166327891693971, 0.007547893952311313,
    -0.019798865416368654, 0.04999898857035439,
  ],
  f32: [0.08333206921815872, -0.008184781298041344],
};

/**
 * ψ(x) = Γ′(x)/Γ(x). With t = x − 1, or t = x below 1, where ψ(x) = ψ(1 + x) − 1/x:
 *
 *     0 ≤ x < 6:   R(t), less 1/x below 1
 *     6 ≤ x:       log x − 1/(2x) − D(1/x²)/x²           (Abramowitz & Stegun 6.3.18)
 *     x < 0:       {@link digammaOfNegative}
 *
 * ∓∞ at ±0, NaN at −1, −2, … and −∞.
 */
export function digamma(args: readonly ScalarExpr[], table: RationalTable = digammaTable, ofNegative: (x: ScalarExpr) => ScalarExpr = digammaOfNegative): ScalarExpr {
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
  const ofPositive = select(isSmall, sub(near, copysign(inverse, x)), select(lt(a, number(FAR)), near, far));
  const isNegative = lt(x, number(0));
  return shortcut(isNegative, select(isNegative, ofNegative(x), ofPositive), ofPositive);
}
