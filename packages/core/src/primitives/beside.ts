import { chooseListener } from '../program/dispatch.ts';
import { scalarLiteral } from '../program/literal.ts';
import type { DType } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import type { Shape } from '../types/shape.ts';
import { broadcastToPrimitive } from './movement.ts';

/** A tensor of one number, made by whoever carries out operations on `beside`. */
export function filledBeside(op: string, beside: Operand, value: number, dtype: DType, shape: Shape): Operand {
  return chooseListener(op, [beside]).apply(broadcastToPrimitive.operation, [scalarLiteral(dtype, value)], { shape })[0] as Operand;
}
