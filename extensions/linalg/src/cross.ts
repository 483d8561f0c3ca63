import { broadcastShapes, broadcastTo, type ConstraintSink, type Dim, type Joined, moveaxis, mul, normaliseAxis, type Operand, requireSameDim, roll, type Shape, sub, TfError } from '@tf/core';
import { checkedOperand, numericOperand } from './arguments.ts';

/**
 * The vector product a × b of vectors of three elements along an axis, that of either operand and of the result; the other axes
 * broadcast.
 *
 * @throws ShapeError where the axis does not have 3 elements or shapes do not broadcast, AxisError, DTypeError for bool.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { cross } from '@tf/linalg';
 * import { evaluate } from '@tf/traced';
 * console.log(evaluate(cross(tensor([1, 0, 0]), tensor([0, 1, 0])), await createEngine()).toArray()); // → [ 0, 0, 1 ]
 */
export function cross<A extends Operand, B extends Operand>(a: A, b: B, axis = -1): Joined<A, B> {
  const op = 'cross';
  numericOperand(op, 'a', a);
  numericOperand(op, 'b', b);
  let shape: Shape = [];
  const [moved, y] = [vectorsLast(a, axis), vectorsLast(b, axis)];
  const x = checkedOperand(moved, (sink) => {
    requireVectors(op, 'a', a, axis, sink);
    requireVectors(op, 'b', b, axis, sink);
    shape = broadcastShapes(op, [moved.type.shape, y.type.shape], sink);
  });
  const turned = (vectors: Operand, by: number): Operand => roll(broadcastTo(vectors, shape) as Operand, -by, -1) as Operand;
  // Element i is a[i + 1]·b[i + 2] − a[i + 2]·b[i + 1], indices modulo 3.
  const product = sub(mul(turned(x, 1), turned(y, 2)) as Operand, mul(turned(x, 2), turned(y, 1)) as Operand) as Operand;
  const at = normaliseAxis(op, axis, shape.length);
  return (at === shape.length - 1 ? product : moveaxis(product, -1, at)) as Joined<A, B>;
}

function requireVectors(op: string, name: string, x: Operand, axis: number, sink: ConstraintSink): void {
  const { shape } = x.type;
  if (requireSameDim(shape[normaliseAxis(op, axis, shape.length)] as Dim, 3, `${op}: axis ${axis} of ${name} and the 3 elements of a vector`, sink)) return;
  throw new TfError('ShapeError', `${op}: axis ${axis} of ${name} ${x.type.key} does not have 3 elements. Vectors of two elements have no vector product: fill them up with a 0.`, { op, argument: name, axis });
}

/** The axis of the vectors as the last one, so that the others broadcast whatever the ranks. */
function vectorsLast(x: Operand, axis: number): Operand {
  const at = normaliseAxis('cross', axis, x.type.shape.length);
  return at === x.type.shape.length - 1 ? x : (moveaxis(x, at, -1) as Operand);
}
