import type { ScalarExpr } from '../../../types/loop-language.ts';
import { abs, add, and, lt, max, min, mul, select, sub } from '../../scalar.ts';
import { fastTwoSum, product, type RoundedSum } from '../format.ts';
import { type Complex, eitherInfinite, isZero, largestPart, number, real, scaled, scaleOf, squaredNorm } from './complex.ts';

/** log |z| + i·atan2(y, x): principal branch, cut along the negative axis, where the sign of y decides. */
export function complexLog(z: Complex): Complex {
  return [logModulus(z), real('atan2', z[1], z[0])];
}

/** The principal branch of {@link complexLog} to the base 2, whose real part is exact where |z|² is a power of two. */
export function complexLog2(z: Complex): Complex {
  return [logModulus(z, 'log2'), mul(real('atan2', z[1], z[0]), number(z[0], Math.LOG2E))];
}

/** The principal branch of {@link complexLog} to the base 10. */
export function complexLog10(z: Complex): Complex {
  return [logModulus(z, 'log10'), mul(real('atan2', z[1], z[0]), number(z[0], Math.LOG10E))];
}

/** Of each logarithm: that of 2, and that of e. */
const bases = { log: [Math.LN2, 1], log2: [1, Math.LOG2E], log10: [Math.LN2 * Math.LOG10E, Math.LOG10E] } as const;

/** Where |z| is of the size of 1, half the log1p of |z|² − 1, which is computed as if with twice the precision. ∞ also beside NaN. */
function logModulus(z: Complex, name: keyof typeof bases = 'log'): ScalarExpr {
  const [ofTwo, ofE] = bases[name];
  const [x, y] = [abs(z[0]), abs(z[1])];
  const largest = largestPart(z);
  const half = number(largest, 0.5);
  const scale = scaleOf(largest);
  const far = add(mul(half, real(name, squaredNorm(scaled(z, scale.factor)))), scale.logarithm(ofTwo));
  const [major, minor] = [squareOf(max(x, y)), squareOf(min(x, y))];
  const { sum, error } = fastTwoSum(major.sum, minor.sum);
  const excess = add(sub(sum, number(sum, 1)), add(error, add(major.error, minor.error)));
  const isNear = and(lt(half, largest), lt(largest, number(largest, 2)));
  return select(eitherInfinite(z), number(largest, Infinity), select(isNear, mul(number(largest, 0.5 * ofE), real('log1p', excess)), far));
}

/** log(1 + z). For small z, |1 + z|² − 1 = 2x + x² + y², whose first and last term may cancel. */
export function complexLog1p(z: Complex): Complex {
  const [x, y] = z;
  const half = number(x, 0.5);
  const shifted: Complex = [add(x, number(x, 1)), y];
  const [xx, yy] = [squareOf(x), squareOf(y)];
  const { sum, error } = twoSum(add(x, x), yy.sum);
  const excess = add(sum, add(xx.sum, add(error, add(xx.error, yy.error))));
  const near = mul(half, real('log1p', excess));
  const isNear = lt(largestPart(z), half);
  return [select(isZero(z), x, select(isNear, near, logModulus(shifted))), real('atan2', y, shifted[0])];
}

/** x² and the error of its rounding. */
const squareOf = (x: ScalarExpr): RoundedSum => product(x, x);

/** a + b and the error of its rounding (Knuth, TAOCP vol. 2, §4.2.2, theorem B). */
function twoSum(a: ScalarExpr, b: ScalarExpr): RoundedSum {
  const sum = add(a, b);
  const part = sub(sum, a);
  return { sum, error: add(sub(a, sub(sum, part)), sub(b, part)) };
}
