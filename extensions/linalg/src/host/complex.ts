/** Scalar operations on complex numbers that JavaScript has no operators for. */

export type Complex = readonly [re: number, im: number];

/** By the larger part of the divisor (Smith 1962): neither |b|² nor a product overflows before the quotient does. */
export function divided(aRe: number, aIm: number, bRe: number, bIm: number): Complex {
  if (bIm === 0) return [aRe / bRe, aIm / bRe];
  if (Math.abs(bRe) >= Math.abs(bIm)) {
    const ratio = bIm / bRe;
    const divisor = bRe + bIm * ratio;
    return [(aRe + aIm * ratio) / divisor, (aIm - aRe * ratio) / divisor];
  }
  const ratio = bRe / bIm;
  const divisor = bRe * ratio + bIm;
  return [(aRe * ratio + aIm) / divisor, (aIm * ratio - aRe) / divisor];
}

/** The root with a real part that is not negative; of a negative number on the real line, the one above it. */
export function squareRoot(re: number, im: number): Complex {
  if (re === 0 && im === 0) return [0, 0];
  const larger = Math.sqrt(0.5 * (Math.abs(re) + Math.hypot(re, im)));
  const smaller = im / (2 * larger);
  if (re >= 0) return [larger, smaller];
  return im < 0 ? [-smaller, -larger] : [smaller, larger];
}
