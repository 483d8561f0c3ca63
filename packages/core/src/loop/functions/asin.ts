import type { ScalarExpr } from '../../types/loop-language.ts';
import { abs, add, constant, copysign, lt, mul, select, sqrt, sub } from '../scalar.ts';
import { quarterTurn } from './atan.ts';
import { type CoefficientTable, floatFormat, polynomial, type FloatFormat } from './format.ts';

/** (asin x / x − 1)/x² in x² over 0 ≤ x ≤ ½: minimax (Remez, 400 bits), relative error of the result 1.49e-17 and 4.86e-9. */
export const asinTable: CoefficientTable = {
  f64: [
    0.16666666666665403, 0.0750000000033873, 0.04464285682684841, 0.03038195920027401, 0.02237175648405939,
    0.01735972904354268, 0.01388498967520275, 0.012170861873054344, 0.006520689746394132, 0.01954858965846695,
    -0.016256727144126716, 0.03193491283473193,
  ],
  f32: [
    0.16666752099990845, 0.07495288550853729, 0.04547160491347313, 0.02417295053601265, 0.04217823967337608,
  ],
};

export interface HalfAngle {
  /** Whether |x| < ½. */
  readonly isNear: ScalarExpr;
  /** x, or √((1 − |x|)/2) where |x| is not below ½: the sine of half the angle that is missing from π/2. */
  readonly sine: ScalarExpr;
  /** asin(sine) = sine + rest. */
  readonly rest: ScalarExpr;
}

/** asin |x| = π/2 − 2·asin √((1 − |x|)/2) (Abramowitz & Stegun 4.4.32 and 4.3.20); the radicand is exact where it is used. */
export function halfAngle(format: FloatFormat, x: ScalarExpr, table: CoefficientTable): HalfAngle {
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const isNear = lt(abs(x), number(0.5));
  const z = select(isNear, mul(x, x), mul(sub(number(1), abs(x)), number(0.5)));
  const sine = select(isNear, x, sqrt(z));
  return { isNear, sine, rest: mul(mul(sine, z), polynomial(z, table[format.type])) };
}

/** Arcus sine; NaN beyond ±1, where the radicand is negative. */
export function asin(args: readonly ScalarExpr[], table: CoefficientTable = asinTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'asin');
  const { isNear, sine, rest } = halfAngle(format, x, table);
  const { high, low } = quarterTurn[format.type];
  const number = (value: number): ScalarExpr => constant(format.type, value);
  const far = sub(number(high), sub(add(sine, sine), sub(number(low), add(rest, rest))));
  return select(isNear, add(sine, rest), copysign(far, x));
}
