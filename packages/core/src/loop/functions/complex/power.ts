import { and, eq, lt } from '../../scalar.ts';
import { type Complex, isZero, number, selectComplex, times } from './complex.ts';
import { complexExp } from './exponential.ts';
import { complexLog } from './logarithm.ts';

/** e^(w·log z), but exact for the exponents 0, 1 and 2; 0^w is 0 where the real part of w is positive. */
export function complexPow(z: Complex, w: Complex): Complex {
  const [zero, one] = [number(z[0], 0), number(z[0], 1)];
  const is = (exponent: number): ReturnType<typeof and> => and(eq(w[0], number(w[0], exponent)), eq(w[1], zero));
  const general = complexExp(times(w, complexLog(z)));
  const isNothing = and(isZero(z), lt(zero, w[0]));
  return selectComplex(is(0), [one, zero], selectComplex(is(1), z, selectComplex(is(2), times(z, z), selectComplex(isNothing, [zero, zero], general))));
}
