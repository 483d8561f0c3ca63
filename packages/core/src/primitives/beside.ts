import { chooseListener } from '../program/dispatch.ts';
import { scalarLiteral } from '../program/literal.ts';
import type { DType } from '../types/dtype.ts';
import type { Operand, Weak } from '../types/operand.ts';
import type { Shape } from '../types/shape.ts';
import { broadcastToPrimitive } from './movement.ts';

/** A number of the user's in every element: it may change from call to call, so whoever carries out operations on `beside` takes it in as an operand. */
export function spreadBeside(op: string, beside: Operand, value: Weak, dtype: DType, shape: Shape): Operand {
  const listener = chooseListener(op, [beside]);
  return listener.apply(broadcastToPrimitive.operation, [listener.scalar(value, dtype)], { shape })[0] as Operand;
}

/** A tensor of one number that is part of the program, made by whoever carries out operations on `beside`. */
export function filledBeside(op: string, beside: Operand, value: number, dtype: DType, shape: Shape): Operand {
  return chooseListener(op, [beside]).apply(broadcastToPrimitive.operation, [scalarLiteral(dtype, value)], { shape })[0] as Operand;
}
