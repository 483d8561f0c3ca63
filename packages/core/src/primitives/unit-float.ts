import * as scalar from '../loop/scalar.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { applyOperation } from '../program/dispatch.ts';
import { definePrimitive, type Primitive, requireDType } from './define.ts';
import { noRule } from './rules.ts';

/** [0, 1); (0, 1), odd multiples of the spacing; (−1, 1), alike, symmetric about 0. */
export type UnitRange = 'unit' | 'open' | 'signed';

/** The upper bits of a word as a float, p being the precision of its dtype: every step is exact. */
function unitFloat(bits: ScalarExpr, range: UnitRange): ScalarExpr {
  const [type, width, precision] = bits.type === 'i64' ? (['f64', 64, 53] as const) : (['f32', 32, 24] as const);
  const whole = (value: number): ScalarExpr => scalar.constant(bits.type, value);
  // Less 2^(width − 1), as 2u − 1 is: the sign bit changes. An odd number below 2^p in magnitude has p bits beside the sign.
  const centred = scalar.xor(bits, scalar.shl(whole(1), whole(width - 1)));
  const upper = range === 'signed' ? scalar.shrS(centred, whole(width - precision - 1)) : scalar.shrU(bits, whole(width - precision));
  const numerator = range === 'unit' ? upper : scalar.or(upper, whole(1));
  return scalar.mul(scalar.convert(type, numerator), scalar.constant(type, 2 ** -precision));
}

/** Random bits as floats, elementwise: int32 as float32 with 24 bits, int64 as float64 with 53. */
export const unitFloatPrimitive: Primitive = definePrimitive({
  name: 'unitFloat',
  inputs: 1,
  infer: ([bits], _params, _sink, op) => {
    requireDType(op, bits!, ['int32', 'int64']);
    return [tensorType(bits!.dtype === 'int64' ? 'float64' : 'float32', bits!.shape)];
  },
  traits: { elementwise: (params, [dtype]) => [unitFloat(scalar.argument(scalar.scalarTypeOf(dtype!), 0), params['range'] as UnitRange)] },
  rule: noRule('integers carry no tangents'),
});

export function unitFloats(bits: Operand, range: UnitRange): Operand {
  return applyOperation(unitFloatPrimitive.operation, [bits], { range })[0] as Operand;
}
