import type { ScalarExpr } from '../../types/loop-language.ts';
import { add, and, bitcast, constant, div, mul, select, shl, sub, xor } from '../scalar.ts';
import { isOdd, reduceAngleExactly, type AngleTable } from './angle.ts';
import { floatFormat, roughReciprocal, type RoundedSum } from './format.ts';

/**
 * Tangent. tan(q·π/2 + r) is sin r/cos r for even q, −cos r/sin r for odd q; the sign of x is put back as a bit. The rounding
 * errors e and g of dividend and divisor d are known: their quotient t becomes t + (e − t·g)/d, with 1/d to a tenth.
 */
export function tan(args: readonly ScalarExpr[], table?: AngleTable): ScalarExpr {
  const x = args[0]!;
  const format = floatFormat(x.type, 'tan');
  const { quadrant, sine, cosine } = reduceAngleExactly(format, x, table);
  const odd = isOdd(format, quadrant);
  const choose = (yes: RoundedSum, no: RoundedSum, part: keyof RoundedSum): ScalarExpr => select(odd, yes[part], no[part]);
  const divisor = choose(sine, cosine, 'sum');
  const quotient = div(choose(cosine, sine, 'sum'), divisor);
  const rest = sub(choose(cosine, sine, 'error'), mul(quotient, choose(sine, cosine, 'error')));
  const value = bitcast(format.bits, add(quotient, mul(rest, roughReciprocal(format, divisor))));
  const signOfX = and(bitcast(format.bits, x), bitcast(format.bits, constant(format.type, -0)));
  const oddSign = shl(quadrant, constant(format.bits, format.significandBits === 52 ? 63 : 31));
  return bitcast(format.type, xor(value, xor(oddSign, signOfX)));
}
