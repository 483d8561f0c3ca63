import type { ScalarExpr } from '../../../types/loop-language.ts';
import { abs, add, and, copysign, div, eq, lt, mul, neg, not, or, select } from '../../scalar.ts';
import { floatFormat } from '../format.ts';
import { type Complex, hyperbolic, isFinite, isInfinite, isNaN, number, real, signed, turned, turnedBack } from './complex.ts';

/** a·b·factor, but a zero stays beside an infinity or NaN, with the sign of the product (C99, annex G.6.2). */
function timesOrZero(a: ScalarExpr, b: ScalarExpr, factor: ScalarExpr): ScalarExpr {
  const product = mul(mul(a, b), factor);
  const zero = number(a, 0);
  return select(and(isNaN(product), or(eq(a, zero), eq(b, zero))), mul(signed(0, a), signed(1, b)), product);
}

/** The product of a circular function of x and a hyperbolic one of y, but infinite where y is, also where x has no sine. */
function timesOrInfinity(circular: ScalarExpr, hyperbola: ScalarExpr, factor: ScalarExpr): ScalarExpr {
  return select(and(isInfinite(hyperbola), isNaN(circular)), hyperbola, timesOrZero(hyperbola, circular, factor));
}

/** sin x·cosh y + i·cos x·sinh y */
export function complexSin([x, y]: Complex): Complex {
  const { sinh, cosh, factor } = hyperbolic(y, 'sin');
  return [timesOrZero(real('sin', x), cosh, factor), timesOrInfinity(real('cos', x), sinh, factor)];
}

/** cos x·cosh y − i·sin x·sinh y */
export function complexCos([x, y]: Complex): Complex {
  const { sinh, cosh, factor } = hyperbolic(y, 'cos');
  return [timesOrInfinity(real('cos', x), cosh, factor), neg(timesOrZero(real('sin', x), sinh, factor))];
}

/** sinh z = −i·sin iz */
export function complexSinh(z: Complex): Complex {
  return turnedBack(complexSin(turned(z)));
}

/** cosh z = cos iz */
export function complexCosh(z: Complex): Complex {
  return complexCos(turned(z));
}

/** Beyond, tanh x is ±1 and e^−2x all that is left of the imaginary part. */
const farLimit = { f32: 11, f64: 22 } as const;

/**
 * (sinh x·cosh x + i·sin y·cos y)/(sinh² x + cos² y) (Abramowitz and Stegun 4.5.51), in whose denominator nothing cancels.
 * ±1 ± 0i at x = ±∞ whatever y is, and a zero x stays (C99, annex G.6.2.6, and its defect report 471).
 */
export function complexTanh([x, y]: Complex): Complex {
  const limit = farLimit[floatFormat(x.type, 'tanh').type];
  const { sinh, cosh, factor } = hyperbolic(x, 'tanh');
  const [s, c] = [real('sin', y), real('cos', y)];
  const whole = mul(sinh, factor);
  const norm = add(mul(whole, whole), mul(c, c));
  const isFar = lt(number(x, limit), abs(x));
  const imaginary = select(eq(y, number(y, 0)), y, select(and(isInfinite(x), not(isFinite(y))), signed(0, y), div(mul(s, c), norm)));
  const isUnit = and(isFar, or(isFinite(y), isInfinite(x)));
  return [select(isUnit, copysign(number(x, 1), x), select(eq(x, number(x, 0)), x, div(mul(sinh, cosh), norm))), imaginary];
}

/** tan z = −i·tanh iz */
export function complexTan(z: Complex): Complex {
  return turnedBack(complexTanh(turned(z)));
}
