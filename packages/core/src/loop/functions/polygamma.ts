import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, div, eq, lt, mul, select, sub } from '../scalar.ts';
import { floatFormat, polynomial } from './format.ts';
import { cosineOfTurns, fractionOf, sineOfTurns } from './turns.ts';

/** B₂, B₄, … */
const bernoulli: readonly number[] = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798];

/**
 * The n-th derivative of ψ for an order n ≥ 1: (−1)^(n+1)·n!·ζ(n + 1, x), and for x < 0 by the n-th derivative of the reflection
 * formula, with a = −x and c = π·cot(πa)
 *
 *     ψ⁽ⁿ⁾(x) = (−1)ⁿ·(ψ⁽ⁿ⁾(1 + a) + q_n(c)),   q_0 = c,   q_(k+1) = −(π² + c²)·q_k′
 *
 * Errors of a few ulp for small orders. (−1)^(n+1)·∞ at 0, −1, −2, … and −∞, as SciPy has it: for odd n the limit, for even n the one from
 * the left.
 */
export function polygamma(n: number, x: ScalarExpr): ScalarExpr {
  const format = floatFormat(x.type, 'polygamma');
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const a = abs(x);
  const isNegative = lt(x, number(0));
  const sign = n % 2 === 0 ? -1 : 1;
  const above = mul(hurwitzZeta(n + 1, select(isNegative, add(a, number(1)), a), n), number(sign * factorial(n)));
  const c = cotangentOfTurns(a);
  const below = mul(add(above, cotangentDerivative(n, c)), number(-sign));
  return select(isNegative, select(eq(c, c), below, number(sign * Infinity)), above);
}

/** π·cot(πa) for a > 0; NaN at integers and ∞. Beyond a quarter it is π·tan(π(½ − |r|)), so that no cosine is near its zero. */
function cotangentOfTurns(a: ScalarExpr): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(a.type, value);
  const r = fractionOf(a);
  const isWide = lt(number(0.25), abs(r));
  const u = select(isWide, sub(number(0.5), abs(r)), abs(r));
  const [sine, cosine] = [sineOfTurns(u), cosineOfTurns(u)];
  const value = div(select(isWide, mul(sine, number(Math.PI ** 2)), cosine), select(isWide, cosine, sine));
  return select(eq(r, number(0)), number(NaN), copysign(value, r));
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** q_n(c), which is even or odd. */
function cotangentDerivative(n: number, c: ScalarExpr): ScalarExpr {
  let q: readonly number[] = [0, 1];
  for (let k = 0; k < n; k++) {
    const slope = q.slice(1).map((coefficient, i) => coefficient * (i + 1));
    q = [...slope, 0, 0].map((_, i) => -(Math.PI ** 2 * (slope[i] ?? 0) + (slope[i - 2] ?? 0)));
  }
  const isOdd = n % 2 === 0;
  const value = polynomial(mul(c, c), q.filter((_, i) => i % 2 === (isOdd ? 1 : 0)));
  return isOdd ? mul(value, c) : value;
}

/**
 * ζ(s, a) = Σ (a + k)^−s for a ≥ 0 by the Euler–Maclaurin formula (Johansson, Numer. Algorithms 69 (2015) 253, equation 4): the first
 * terms, and with y beyond them y^(1−s)/(s − 1) + y^−s/2 + Σ B_2j/(2j)!·s(s + 1)…(s + 2j − 2)·y^(1−s−2j). The smallest come first.
 */
function hurwitzZeta(s: number, a: ScalarExpr, n: number): ScalarExpr {
  const number = (value: number): ScalarExpr => constant(a.type, value);
  const count = (a.type === 'f64' ? 9 : 4) + n;
  const inverse = div(number(1), add(a, number(count)));
  const corrections = bernoulli.slice(0, a.type === 'f64' ? 9 : 4).map((b, j) => b * risingRatio(s, 2 * j + 2));
  const tail = add(mul(inverse, number(0.5)), mul(mul(inverse, inverse), polynomial(mul(inverse, inverse), corrections)));
  let sum = mul(power(inverse, s - 1), add(number(1 / (s - 1)), tail));
  for (let k = count - 1; k >= 0; k--) sum = add(sum, power(div(number(1), add(a, number(k))), s));
  return sum;
}

/** s(s + 1)…(s + m − 2)/m! */
function risingRatio(s: number, m: number): number {
  let ratio = 1 / m;
  for (let i = 1; i < m; i++) ratio *= (s + i - 1) / i;
  return ratio;
}

/** xⁿ by repeated squaring, n ≥ 1. */
function power(x: ScalarExpr, n: number): ScalarExpr {
  if (n === 1) return x;
  const half = power(x, n >> 1);
  const square = mul(half, half);
  return n % 2 === 0 ? square : mul(square, x);
}
