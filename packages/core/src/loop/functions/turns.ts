/** Sine and cosine of half turns, which the reflection formulas of the gamma functions need. */
import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, constant, mul, nearest, sub } from '../scalar.ts';
import { smallAngle } from './atan.ts';
import { type CoefficientTable, polynomial, type FloatType } from './format.ts';

/** (sin(πr)/(πr) − 1)/r² in r² over |r| ≤ ½: minimax (Remez, 400 bits), relative error of the result 2.77e-19 and 6.07e-9. */
const sineTable: CoefficientTable = {
  f64: [
    -1.6449340668482264, 0.8117424252833401, -0.1907518241215, 0.026147847805438895, -0.0023460808935730185,
    0.00014842782942591908, -6.9720646339225905e-6, 2.4499020007857746e-7,
  ],
  f32: [-1.6449333429336548, 0.8117163777351379, -0.190447136759758, 0.024724463000893593],
};

/** (cos(πr) − 1)/r² in r² over |r| ≤ ¼: minimax, absolute error of the result 5.15e-17 and 3.22e-8. */
const cosineTable: CoefficientTable = {
  f64: [
    -4.934802200544628, 4.058712126400835, -1.33526276720369, 0.23533055170921313, -0.025804996438256907,
    0.0019070956175200333,
  ],
  f32: [-4.9347920417785645, 4.057701587677002, -1.3072755336761475],
};

/** x less the nearest integer, exactly. */
export const fractionOf = (x: ScalarExpr): ScalarExpr => sub(x, nearest(x));

/** sin(πr)/π for |r| ≤ ½. */
export const sineOfTurns = (r: ScalarExpr): ScalarExpr => smallAngle(r, sineTable[r.type as FloatType]);

/** cos(πr) for |r| ≤ ¼. */
export function cosineOfTurns(r: ScalarExpr): ScalarExpr {
  const z = mul(r, r);
  return add(constant(r.type, 1), mul(z, polynomial(z, cosineTable[r.type as FloatType])));
}
