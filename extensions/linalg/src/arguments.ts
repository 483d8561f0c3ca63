/** Operands of functions: checked, and floating. */
import { convert, floatResult, type Operand, requireOperand, TfError } from '@tf/core';

/** The operand in floats, integers and bool as float64. */
export function withFloats(op: string, argument: string, x: unknown): Operand {
  requireOperand(op, argument, x);
  return convert(x, floatResult(x.type.dtype)) as Operand;
}

/** Matrices in floats; refuses fewer than two axes. */
export function matrixOperand(op: string, argument: string, x: unknown): Operand {
  const values = withFloats(op, argument, x);
  if (values.type.shape.length < 2) throw new TfError('ShapeError', `${op}: ${argument} has matrices in its last two axes, got ${values.type.key}. Reshape it to have two axes or more.`, { op, argument, shape: values.type.shape });
  return values;
}
