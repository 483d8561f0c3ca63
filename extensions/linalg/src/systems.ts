/** Operands of linear systems: matrices and right sides, of one dtype, with leading axes that broadcast. */
import { broadcastShapes, broadcastTo, constrain, convert, type Dim, type DimConstraint, type DType, type FloatResult, floatResult, type JoinDType, type JoinKind, type Of, type Operand, promote, requireSameDim, reshape, sameShape, type Shape, TfError } from '@tf/core';
import { asColumn } from './algebra.ts';
import { matrixOperand, withFloats } from './arguments.ts';
import { squaresOf } from './family.ts';

/** What solves give, of matrices and right sides. */
export type Solution<A extends Operand, B extends Operand> = Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>;

export interface Systems {
  readonly a: Operand;
  /** Right sides as columns. */
  readonly b: Operand;
  /** The leading axes of both. */
  readonly lead: Shape;
  /** The solution in the form of the right side that was given: a vector, where that was one. */
  readonly asGiven: (x: Operand) => Operand;
}

/** Square matrices and what they are to be solved with; a right side of one axis is a vector. `named`: what the function calls the matrices, and what fits what. */
export function systemsOf(op: string, a: unknown, b: unknown, named: { readonly matrices: string; readonly fit: string } = { matrices: 'a', fit: 'rows of a and of b' }): Systems {
  const open: DimConstraint[] = [];
  const sink = (constraint: DimConstraint): unknown => open.push(constraint);
  const matrices = matrixOperand(op, named.matrices, a);
  const given = withFloats(op, 'b', b);
  const dtype: DType = promote(floatResult(matrices.type.dtype), floatResult(given.type.dtype));
  const { rows } = squaresOf(op, matrices.type, sink, named.matrices);
  const isVector = given.type.shape.length === 1;
  if (given.type.shape.length === 0) throw new TfError('ShapeError', `${op}: b is a vector or has matrices in its last two axes, got ${given.type.key}. Reshape it.`, { op, argument: 'b' });
  const columns = isVector ? asColumn(given) : given;
  if (!requireSameDim(rows, columns.type.shape.at(-2) as Dim, `${op}: ${named.fit}`, sink)) throw new TfError('ShapeError', `${op}: a ${matrices.type.key} and b ${given.type.key} differ in the number of rows. ${isVector ? 'A vector has as many elements as the matrix has rows' : 'Vectors of a batch are columns: give them a last axis of 1'}.`, { op, a: matrices.type.shape, b: given.type.shape });
  const lead = broadcastShapes(op, [matrices.type.shape.slice(0, -2), columns.type.shape.slice(0, -2)], sink);
  return {
    a: convert(constrain(matrices, open), dtype) as Operand,
    b: convert(columns, dtype) as Operand,
    lead,
    asGiven: (x) => (isVector ? (reshape(x, x.type.shape.slice(0, -1)) as Operand) : x),
  };
}

/** A tensor whose last `own` axes stay, with these leading axes. */
export function withLead(x: Operand, lead: Shape, own: number): Operand {
  const { shape } = x.type;
  const wanted = [...lead, ...shape.slice(shape.length - own)];
  return sameShape(shape, wanted) ? x : (broadcastTo(x, wanted) as Operand);
}
