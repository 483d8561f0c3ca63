/**
 * Arithmetic on real and on complex numbers in arrays, which the kernels are written in once for both. Complex numbers are pairs, re and
 * im; places and lengths count numbers, not parts.
 */
export interface Field {
  /** Array elements per number. */
  readonly lanes: 1 | 2;
  /** y += sign·c·x for n numbers, or sign·conj(c)·x. */
  readonly addMultiple: (y: Float64Array, yAt: number, sign: number, c: Float64Array, cAt: number, conjugate: boolean, x: Float64Array, xAt: number, n: number) => void;
  /** y −= Σ a·conj(b) over n numbers. */
  readonly subtractDot: (y: Float64Array, yAt: number, a: Float64Array, aAt: number, b: Float64Array, bAt: number, n: number) => void;
  /** x *= c, n numbers. */
  readonly scale: (x: Float64Array, xAt: number, c: Float64Array, cAt: number, n: number) => void;
  /** x /= c, n numbers, or x /= conj(c). */
  readonly divide: (x: Float64Array, xAt: number, c: Float64Array, cAt: number, conjugate: boolean, n: number) => void;
  readonly isZero: (x: Float64Array, at: number) => boolean;
  /** |re| + |im|: by which LAPACK looks for pivots. */
  readonly size: (x: Float64Array, at: number) => number;
}

export const realField: Field = {
  lanes: 1,
  addMultiple(y, yAt, sign, c, cAt, _conjugate, x, xAt, n) {
    const factor = sign * (c[cAt] as number);
    for (let k = 0; k < n; k++) y[yAt + k]! += factor * (x[xAt + k] as number);
  },
  subtractDot(y, yAt, a, aAt, b, bAt, n) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += (a[aAt + k] as number) * (b[bAt + k] as number);
    y[yAt]! -= sum;
  },
  scale(x, xAt, c, cAt, n) {
    for (let k = 0; k < n; k++) x[xAt + k]! *= c[cAt] as number;
  },
  divide(x, xAt, c, cAt, _conjugate, n) {
    for (let k = 0; k < n; k++) x[xAt + k]! /= c[cAt] as number;
  },
  isZero: (x, at) => x[at] === 0,
  size: (x, at) => Math.abs(x[at] as number),
};

export const complexField: Field = {
  lanes: 2,
  addMultiple(y, yAt, sign, c, cAt, conjugate, x, xAt, n) {
    const [re, im] = [sign * (c[2 * cAt] as number), (conjugate ? -sign : sign) * (c[2 * cAt + 1] as number)];
    for (let k = 0; k < n; k++) {
      const [a, b] = [x[2 * (xAt + k)] as number, x[2 * (xAt + k) + 1] as number];
      y[2 * (yAt + k)]! += re * a - im * b;
      y[2 * (yAt + k) + 1]! += re * b + im * a;
    }
  },
  subtractDot(y, yAt, a, aAt, b, bAt, n) {
    let [re, im] = [0, 0];
    for (let k = 0; k < n; k++) {
      const [p, q] = [a[2 * (aAt + k)] as number, a[2 * (aAt + k) + 1] as number];
      const [r, s] = [b[2 * (bAt + k)] as number, b[2 * (bAt + k) + 1] as number];
      re += p * r + q * s;
      im += q * r - p * s;
    }
    y[2 * yAt]! -= re;
    y[2 * yAt + 1]! -= im;
  },
  scale(x, xAt, c, cAt, n) {
    const [re, im] = [c[2 * cAt] as number, c[2 * cAt + 1] as number];
    for (let k = xAt; k < xAt + n; k++) {
      const [a, b] = [x[2 * k] as number, x[2 * k + 1] as number];
      x[2 * k] = a * re - b * im;
      x[2 * k + 1] = a * im + b * re;
    }
  },
  divide(x, xAt, c, cAt, conjugate, n) {
    const [re, im] = [c[2 * cAt] as number, (conjugate ? -1 : 1) * (c[2 * cAt + 1] as number)];
    for (let k = xAt; k < xAt + n; k++) divideOne(x, 2 * k, re, im);
  },
  isZero: (x, at) => x[2 * at] === 0 && x[2 * at + 1] === 0,
  size: (x, at) => Math.abs(x[2 * at] as number) + Math.abs(x[2 * at + 1] as number),
};

/** Smith, Algorithm 116, Communications of the ACM 5 (1962): no intermediate is much larger than the operands. */
function divideOne(x: Float64Array, at: number, re: number, im: number): void {
  const [a, b] = [x[at] as number, x[at + 1] as number];
  if (Math.abs(re) >= Math.abs(im)) {
    const [ratio, bottom] = [im / re, re + im * (im / re)];
    x[at] = (a + b * ratio) / bottom;
    x[at + 1] = (b - a * ratio) / bottom;
  } else {
    const [ratio, bottom] = [re / im, im + re * (re / im)];
    x[at] = (a * ratio + b) / bottom;
    x[at + 1] = (b * ratio - a) / bottom;
  }
}

/** The number 1 in either field. */
export function one(): Float64Array {
  return Float64Array.of(1, 0);
}
