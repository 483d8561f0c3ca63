/** Operands of functions: checked, and floating. */
import { constrain, type ConstraintSink, convert, type Dim, type DimConstraint, floatResult, type Operand, requireOperand, TfError } from '@tf/core';
import { smallerDim, squaresOf } from './family.ts';

/** The operand in floats, integers and bool as float64. */
export function withFloats(op: string, argument: string, x: unknown): Operand {
  requireOperand(op, argument, x);
  return convert(x, floatResult(x.type.dtype)) as Operand;
}

/** The operand as it is; refuses bool, which has no products. */
export function numericOperand(op: string, argument: string, x: unknown): Operand {
  requireOperand(op, argument, x);
  if (x.type.dtype === 'bool') throw new TfError('DTypeError', `${op}: takes float32, float64, complex64, complex128, int32, int64, got ${argument} ${x.type.key}. Convert it first: convert(x, 'float64').`, { op, argument, dtype: x.type.dtype });
  return x;
}

/** Matrices in floats of which it is known whether they are wide or tall. */
export function rectangularOperand(op: string, argument: string, x: unknown): Operand {
  const values = matrixOperand(op, argument, x);
  requireComparable(op, values);
  return values;
}

/** Refuses matrices of which it is not known whether they are wide or tall. */
export function requireComparable(op: string, { type: { shape } }: Operand): void {
  smallerDim(op, shape.at(-2) as Dim, shape.at(-1) as Dim);
}

/** Matrices in floats; refuses fewer than two axes. */
export function matrixOperand(op: string, argument: string, x: unknown): Operand {
  const values = withFloats(op, argument, x);
  if (values.type.shape.length < 2) throw new TfError('ShapeError', `${op}: ${argument} has matrices in its last two axes, got ${values.type.key}. Reshape it to have two axes or more.`, { op, argument, shape: values.type.shape });
  return values;
}

/** The operand as `check` leaves it: what the sizes of a run decide is asked for in the words of the function, before any operation inside asks in its own. */
export function checkedOperand(x: Operand, check: (sink: ConstraintSink) => void): Operand {
  const open: DimConstraint[] = [];
  check((constraint) => open.push(constraint));
  return constrain(x, open) as Operand;
}

/** Square matrices in floats. */
export function squareOperand(op: string, argument: string, x: unknown): Operand {
  const values = matrixOperand(op, argument, x);
  return checkedOperand(values, (sink) => squaresOf(op, values.type, sink, argument));
}
