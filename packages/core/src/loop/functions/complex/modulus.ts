import type { ScalarExpr } from '../../../types/loop-language.ts';
import { copysign, div, eq, mul, select, sqrt } from '../../scalar.ts';
import { type Complex, eitherInfinite, isInfinite, isZero, largestPart, number, scaled, scaleOf, selectComplex, squaredNorm } from './complex.ts';

/** |z| without overflow or underflow on the way; ∞ where a part is infinite, also beside NaN (C99, annex G.6). */
export function modulus(z: Complex): ScalarExpr {
  const scale = scaleOf(largestPart(z));
  const length = mul(sqrt(squaredNorm(scaled(z, scale.factor))), scale.inverse);
  return select(eitherInfinite(z), number(z[0], Infinity), length);
}

/** z/|z|, accurate for every z but 0, which stays as it is; infinite parts count as 1 beside finite ones as 0. */
export function direction(z: Complex): Complex {
  const unit = (part: ScalarExpr): ScalarExpr => select(isInfinite(part), copysign(number(part, 1), part), select(eq(part, part), copysign(number(part, 0), part), part));
  const finite = selectComplex(eitherInfinite(z), [unit(z[0]), unit(z[1])], z);
  const parts = scaled(finite, scaleOf(largestPart(finite)).factor);
  const length = sqrt(squaredNorm(parts));
  return selectComplex(isZero(z), z, [div(parts[0], length), div(parts[1], length)]);
}
