/** The values that functions are measured against, by name, to at least 100 bits. Arguments are in the function's domain. */
import { big, type Big, isBelow, magnitudeOf, minus, negative, one, over, plus, scaled, timesCut } from './big.ts';
import { acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cosh, exp2, fmod, hypot, log10, log2, logAddExp, remainder, sinh } from './inverse.ts';
import { cos, exp, expm1, log, log1p, sin, sqrt, tan } from './elementary.ts';
import { erf, erfc } from './error-function.ts';
import { digamma, erfinv, lgamma } from './gamma.ts';

const two = big(2n);
const rootOfTwo = sqrt(two);
const absolute = (x: Big): Big => big(magnitudeOf(x.significand), x.exponent);

function tanh(x: Big): Big {
  if (!isBelow(x, 9)) return x.significand < 0n ? negative(one) : one;
  const power = expm1(scaled(x, 1));
  return over(power, plus(power, two));
}

const sigmoid = (x: Big): Big => over(one, plus(one, exp(negative(x))));

/** Of |x|; an odd integral y gives the result the sign of x. */
function pow(x: Big, y: Big): Big {
  const power = exp(timesCut(y, log(absolute(x))));
  return x.significand < 0n && isOdd(y) ? negative(power) : power;
}

/** Of an integer. */
function isOdd({ significand, exponent }: Big): boolean {
  return exponent <= 0 && ((magnitudeOf(significand) >> BigInt(-exponent)) & 1n) === 1n;
}

export const exact: { readonly [name: string]: (x: Big, y: Big) => Big } = {
  acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, digamma, erf, erfc, erfinv, exp, exp2, expm1, fmod, hypot, lgamma, log, log10, log1p, log2, logAddExp, pow, remainder, sigmoid, sin, sinh, sqrt, tan, tanh,
  ndtr: (x) => scaled(erfc(negative(over(x, rootOfTwo))), -1),
  rsqrt: (x) => over(one, sqrt(x)),
};

const larger = (x: Big, y: Big): Big => (minus(absolute(x), absolute(y)).significand > 0n ? x : y);

/**
 * Of what magnitude an error is counted in units of, at least: where operands cancel, theirs; near the zeros of
 * the gamma functions, 1.
 */
export const leastMagnitude: { readonly [name: string]: (x: Big, y: Big) => Big } = {
  digamma: () => one,
  lgamma: () => one,
  logAddExp: larger,
};
