import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, and, constant, div, eq, lt, mul, nearest, neg, or, select, sub } from '../scalar.ts';
import { type CoefficientTable, floatFormat, polynomial, type FloatType, type RationalTable } from './format.ts';
import { log } from './log.ts';
import { fractionOf, sineOfTurns } from './turns.ts';

/** log Γ(1 + t)/(t(t − 1)) − BASE over 0 ≤ t ≤ 7: rational minimax (Remez, 500 bits), relative error 3.11e-17 and 4.77e-10. */
export const lgammaTable: RationalTable = {
  f64: {
    numerator: [
      0.37409066490153287, 1.0722127958789562, 1.164060391861211, 0.5880473407779919, 0.12978088258788273,
      0.004278498773648171, -0.002560207595632487, -0.0003343179851183958, -1.2480195421634674e-5,
      -1.1028407581102152e-7,
    ],
    denominator: [
      1, 3.521777707947644, 5.005061885190007, 3.697732548369357, 1.52898295198808, 0.35632477450231714,
      0.045062437937386304, 0.0028334909979887218, 7.459036141878097e-5, 5.514260893715718e-7,
    ],
  },
  f32: {
    numerator: [
      0.37409067153930664, 0.5052156448364258, 0.16789443790912628, -0.0009336585062555969, -0.003875350346788764,
      -0.00015205047384370118,
    ],
    denominator: [
      1, 2.0061097145080566, 1.3485016822814941, 0.35583072900772095, 0.03357571363449097, 0.0007823231862857938,
    ],
  },
};

/** x·(log Γ(x) − (x − ½)(log x − 1) − ½(log 2π − 1)) in 1/x² for x ≥ 8: minimax, relative error of the result 2.77e-19 and 1.85e-10. */
export const stirlingTable: CoefficientTable = {
  f64: [
    0.0833333333333331, -0.0027777777773586275, 0.0007936505764859886, -0.0005951896851187264, 0.0008364587309256953,
    -0.0016334352003154976,
  ],
  f32: [0.08333327621221542, -0.0027624720241874456],
};

/** What the quotient is added to: its rounding errors then count less. */
const BASE = 0.203125;

/** From here on Stirling's series is used. */
export const LARGE = 8;
const HALF_LOG_2PI_LESS_1 = 0.4189385332046727;
/** Up to here negative arguments go by products: near its zeros, which lie at the poles, log Γ is no difference of larger numbers. */
const factors: { readonly [T in FloatType]: number } = { f64: 24, f32: 14 };

/**
 * log |Γ(x)|. With a = |x| it is
 *
 *     0 ≤ x < 1:       G(a) − log a,                             G(t) = log Γ(1 + t) = t(t − 1)·R(t)
 *     1 ≤ x < 8:       G(a − 1), with the zeros of log Γ at 1 and 2
 *     8 ≤ x:           (a − ½)(log a − 1) + ½(log 2π − 1) + S(1/a²)/a        (Abramowitz & Stegun 6.1.40)
 *     not far below 0: G(t) − log |Γ(1 + t)/Γ(x)|, the last a product, see {@link below}
 *     far below 0:     −log(a·sin(πa)/π) − log Γ(a)                      (6.1.17)
 *
 * with one logarithm but for the last. ∞ at 0, −1, −2, … and ±∞ (C17, F.10.5.3).
 */
export function lgamma(args: readonly ScalarExpr[], table: RationalTable = lgammaTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'lgamma');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const a = abs(x);
  const [isNegative, isSmall] = [lt(x, number(0)), lt(a, number(1))];
  const isClose = and(isNegative, lt(a, number(factors[format.type])));
  const { t, product } = below(a, factors[format.type]);
  const near = betweenZeros(select(isClose, t, select(isSmall, a, sub(a, number(1)))), table);
  const logarithm = log([select(isClose, product, a)]);
  const far = stirling(a, logarithm);
  const sine = sineOfTurns(abs(fractionOf(a)));
  const isPole = or(eq(sine, number(0)), eq(a, number(Infinity)));
  const reflected = select(isPole, number(Infinity), neg(add(log([mul(sine, a)]), far)));
  const outside = select(isNegative, reflected, select(lt(a, number(LARGE)), near, far));
  return select(or(isClose, isSmall), sub(near, logarithm), outside);
}

/**
 * For x = −a, a = m + r, m = round(a): Γ(1 − r) = Γ(x)·Π (x + k) over k = 0 … m, whose magnitudes a, a − 1, …, |r| are exact. Where r > 0,
 * Γ(1 + t) = (1 − r)·Γ(1 − r) is taken, t = 1 − r.
 */
function below(a: ScalarExpr, count: number): { readonly t: ScalarExpr; readonly product: ScalarExpr } {
  const number = (value: number): ScalarExpr => constant(a.type, value);
  const m = nearest(a);
  const r = sub(a, m);
  const isAbove = lt(number(0), r);
  const other = sub(number(1), r);
  let product = mul(abs(r), select(isAbove, other, number(1)));
  for (let k = count; k >= 0; k--) {
    product = mul(product, select(lt(number(k), m), sub(a, number(k)), number(1)));
  }
  return { t: select(isAbove, other, neg(r)), product };
}

function betweenZeros(t: ScalarExpr, table: RationalTable): ScalarExpr {
  const { numerator, denominator } = table[t.type as FloatType];
  const ratio = add(constant(t.type, BASE), div(polynomial(t, numerator), polynomial(t, denominator)));
  const value = mul(mul(t, sub(constant(t.type, 1), t)), ratio);
  return sub(constant(t.type, 0), value);
}

function stirling(a: ScalarExpr, logarithm: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(a.type, value);
  const inverse = div(number(1), a);
  const rest = mul(inverse, polynomial(mul(inverse, inverse), stirlingTable[a.type as FloatType]));
  return add(mul(sub(a, number(0.5)), sub(logarithm, number(1))), add(number(HALF_LOG_2PI_LESS_1), rest));
}
