/** Systems whose matrix is a tensor, some axes of which count as rows and the others as columns. */
import { type ConstraintSink, type DType, type FloatResult, type Kind, normaliseAxis, type Of, type Operand, productOfDims, requireInteger, requireNumbers, requireSameDim, reshape, type Shape, shapeText, TfError, transpose } from '@tf/core';
import { checkedOperand, withFloats } from './arguments.ts';
import { inv, solve } from './solve/solve.ts';
import type { Solution } from './systems.ts';

function requireSquare(op: string, argument: string, x: Operand, rows: Shape, columns: Shape, sink: ConstraintSink): void {
  if (requireSameDim(productOfDims(rows), productOfDims(columns), `${op}: elements of the first axes of ${argument} and of the others`, sink)) return;
  throw new TfError('ShapeError', `${op}: ${x.type.key} is no square system: its axes ${shapeText(rows)} and ${shapeText(columns)} have different numbers of elements. Say with ind or axes where they are to be parted.`, { op, shape: x.type.shape });
}

/**
 * The inverse of a tensor whose first `ind` axes count as rows, the others as columns: tensordot(tensorinv(x, ind), x, ind) is the identity.
 *
 * @throws ShapeError where rows and columns have different numbers of elements, ArgumentError for an `ind` that parts nothing; otherwise
 * as {@link inv}.
 */
export function tensorinv<K extends Kind, D extends DType>(x: Operand<K, D>, ind = 2): Of<K, FloatResult<D>> {
  const op = 'tensorinv';
  const a = withFloats(op, 'x', x);
  requireInteger(op, 'ind', ind);
  const { shape } = a.type;
  if (ind < 1 || ind > shape.length) throw new TfError('ArgumentError', `${op}: ind is ${ind}; it parts the ${shape.length} axes of ${a.type.key} and lies between 1 and ${shape.length}.`, { op, argument: 'ind' });
  const [rows, columns] = [shape.slice(0, ind), shape.slice(ind)];
  const square = checkedOperand(a, (sink) => requireSquare(op, 'x', a, rows, columns, sink));
  const inverse = inv(reshape(square, [productOfDims(rows), productOfDims(columns)]) as Operand) as Operand;
  return reshape(inverse, [...columns, ...rows]) as Of<K, FloatResult<D>>;
}

/**
 * X with tensordot(a, X, X's rank) = b: the first axes of a count as rows, as many as b has, the others are those of X. `axes` of a are moved
 * to its end before (NumPy's tensorsolve).
 *
 * @throws ShapeError where a is no square system or b does not fit, AxisError, ArgumentError where axes name one twice; otherwise as {@link solve}.
 */
export function tensorsolve<A extends Operand, B extends Operand>(a: A, b: B, axes?: readonly number[]): Solution<A, B> {
  const op = 'tensorsolve';
  const [given, right] = [withFloats(op, 'a', a), withFloats(op, 'b', b)];
  if (axes !== undefined) requireNumbers(op, 'axes', axes, 'a list of axes, such as [0]');
  const last = (axes ?? []).map((axis) => normaliseAxis(op, axis, given.type.shape.length, 'axes'));
  if (new Set(last).size < last.length) throw new TfError('ArgumentError', `${op}: axes ${JSON.stringify(axes)} of a ${given.type.key} name one axis twice. Name each axis once.`, { op, argument: 'axes' });
  const moved = last.length === 0 ? given : (transpose(given, [...given.type.shape.map((_, axis) => axis).filter((axis) => !last.includes(axis)), ...last]) as Operand);
  const rank = right.type.shape.length;
  const [rows, columns] = [moved.type.shape.slice(0, rank), moved.type.shape.slice(rank)];
  const elements = productOfDims(right.type.shape);
  const square = checkedOperand(moved, (sink) => {
    requireSquare(op, 'a', moved, rows, columns, sink);
    if ([rows, columns].every((part) => requireSameDim(elements, productOfDims(part), `${op}: elements of b and rows of a`, sink))) return;
    throw new TfError('ShapeError', `${op}: b ${right.type.key} does not have the ${shapeText(rows)} rows of a ${moved.type.key}.`, { op });
  });
  const x = solve(reshape(square, [productOfDims(rows), productOfDims(columns)]) as Operand, reshape(right, [-1]) as Operand) as Operand;
  return reshape(x, columns) as Solution<A, B>;
}
