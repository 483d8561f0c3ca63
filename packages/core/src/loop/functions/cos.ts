import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, bitcast, constant, select, xor } from '../scalar.ts';
import { halfTurnSign, isOdd, reduceAngle, type AngleTable } from './angle.ts';
import { floatFormat } from './format.ts';

/** Cosine. cos(q·π/2 + r) is cos r, −sin r, −cos r, sin r for q = 0, 1, 2, 3 modulo 4: negative where q + 1 is 2 or 3. */
export function cos(args: readonly ScalarExpr[], table?: AngleTable): ScalarExpr {
  const format = floatFormat(args[0]!.type, 'cos');
  const { quadrant, sine, cosine } = reduceAngle(format, args[0]!, table);
  const value = bitcast(format.bits, select(isOdd(format, quadrant), sine, cosine));
  return bitcast(format.type, xor(value, halfTurnSign(format, add(quadrant, constant(format.bits, 1)))));
}
