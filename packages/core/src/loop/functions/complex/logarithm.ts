import type { ScalarExpr } from '../../../types/loop-language.ts';
import { abs, add, and, constant, lt, max, min, mul, select, sub } from '../../scalar.ts';
import { fastTwoSum, floatFormat, type RoundedSum } from '../format.ts';
import { type Complex, largestPart, number, real, scaled, scaleOf, squaredNorm } from './complex.ts';

/** log |z| + i·atan2(y, x): principal branch, cut along the negative axis, where the sign of y decides. */
export function complexLog(z: Complex): Complex {
  return [logModulus(z), real('atan2', z[1], z[0])];
}

/** Where |z| is of the size of 1, half the log1p of |z|² − 1, which is computed as if with twice the precision. */
function logModulus(z: Complex): ScalarExpr {
  const [x, y] = [abs(z[0]), abs(z[1])];
  const largest = largestPart(z);
  const half = number(largest, 0.5);
  const scale = scaleOf(largest);
  const far = add(mul(half, real('log', squaredNorm(scaled(z, scale.factor)))), scale.logarithm);
  const [major, minor] = [square(max(x, y)), square(min(x, y))];
  const { sum, error } = fastTwoSum(major.sum, minor.sum);
  const excess = add(sub(sum, number(sum, 1)), add(error, add(major.error, minor.error)));
  const isNear = and(lt(half, largest), lt(largest, number(largest, 2)));
  return select(isNear, mul(half, real('log1p', excess)), far);
}

/** log(1 + z). For small z, |1 + z|² − 1 = 2x + x² + y², whose first and last term may cancel. */
export function complexLog1p(z: Complex): Complex {
  const [x, y] = z;
  const half = number(x, 0.5);
  const shifted: Complex = [add(x, number(x, 1)), y];
  const [xx, yy] = [square(x), square(y)];
  const { sum, error } = twoSum(add(x, x), yy.sum);
  const excess = add(sum, add(xx.sum, add(error, add(xx.error, yy.error))));
  const near = mul(half, real('log1p', excess));
  const isNear = lt(largestPart(z), half);
  return [select(isNear, near, logModulus(shifted)), real('atan2', y, shifted[0])];
}

/** x² and the error of its rounding (Veltkamp's splitting, Dekker, Numer. Math. 18 (1971) 224). */
function square(x: ScalarExpr): RoundedSum {
  const { significandBits } = floatFormat(x.type, 'log');
  const split = mul(x, constant(x.type, 2 ** Math.ceil((significandBits + 1) / 2) + 1));
  const high = sub(split, sub(split, x));
  const low = sub(x, high);
  const sum = mul(x, x);
  return { sum, error: add(add(sub(mul(high, high), sum), mul(number(x, 2), mul(high, low))), mul(low, low)) };
}

/** a + b and the error of its rounding (Knuth, TAOCP vol. 2, §4.2.2, theorem B). */
function twoSum(a: ScalarExpr, b: ScalarExpr): RoundedSum {
  const sum = add(a, b);
  const part = sub(sum, a);
  return { sum, error: add(sub(a, sub(sum, part)), sub(b, part)) };
}
