import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, lt, mul, select, sqrt, sub } from '../scalar.ts';
import { logOfSum } from './asinh.ts';
import { type CoefficientTable, floatFormat, polynomial } from './format.ts';

/** (acosh(1 + t)/√(2t) − 1)/t in t over 0 ≤ t ≤ ½: minimax (Remez, 400 bits), relative error of the result 1.31e-17 and 1.24e-9. */
export const acoshTable: CoefficientTable = {
  f64: [
    -0.08333333333332846, 0.018749999999426437, -0.0055803571193656434, 0.0018988710467401175,
    -0.0006991242265990176, 0.00027109354993587925, -0.00010888366246747971, 4.439392443197895e-5,
    -1.7399888854097524e-5, 5.658254297158582e-6, -1.0665121941917452e-6,
  ],
  f32: [
    -0.08333321660757065, 0.018746627494692802, -0.005548048298805952, 0.0017605264438316226, -0.0004136326315347105,
  ],
};

/**
 * Area cosine: with t = x − 1, √(2t)·(1 + t·P(t)) below 1.5, where t is exact, and log(x + √((x − 1)(x + 1))) above. NaN below 1, where
 * the radicand is negative.
 */
export function acosh(args: readonly ScalarExpr[], table: CoefficientTable = acoshTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'acosh');
  const t = sub(x, constant(format.type, 1));
  const root = sqrt(add(t, t));
  const near = add(root, mul(mul(root, t), polynomial(t, table[format.type])));
  const far = logOfSum(format, x, x, sqrt(mul(t, add(x, constant(format.type, 1)))));
  return select(lt(t, constant(format.type, 0.5)), near, far);
}
