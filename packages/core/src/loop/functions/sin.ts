import type { ScalarExpr } from '../../types/loop-language.ts';
import { and, bitcast, constant, select, xor } from '../scalar.ts';
import { halfTurnSign, isOdd, reduceAngle, type AngleTable } from './angle.ts';
import { floatFormat } from './format.ts';

/** Sine. sin(q·π/2 + r) is sin r, cos r, −sin r, −cos r for q = 0, 1, 2, 3 modulo 4; the sign of x is put back as a bit. */
export function sin(args: readonly ScalarExpr[], table?: AngleTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'sin');
  const { quadrant, sine, cosine } = reduceAngle(format, x, table);
  const value = bitcast(format.bits, select(isOdd(format, quadrant), cosine, sine));
  const signOfX = and(bitcast(format.bits, x), bitcast(format.bits, constant(format.type, -0)));
  return bitcast(format.type, xor(value, xor(halfTurnSign(format, quadrant), signOfX)));
}
