import { broadcastShapes, convert, type DType, type FloatResult, type JoinDTypes, type JoinKinds, type Of, type Operand, promote, requireSameDim, type Shape } from '@tf/core';
import { checkedOperand, matrixOperand } from '../arguments.ts';
import { squaresOf } from '../family.ts';
import { withLead } from '../systems.ts';
import { requireSides, schurWitness, solveSylvester } from './operation.ts';

/**
 * X with A X + X B = C for square matrices A [..., m, m] and B [..., n, n] and C [..., m, n] (Bartels & Stewart); leading axes broadcast.
 * Derivatives of every order use the same two decompositions.
 *
 * @throws ShapeError where the matrices do not fit; the run throws LinalgError where an eigenvalue of A is minus one of B.
 * @example
 * import { tensor } from '@tf/core';
 * import { sylvester } from '@tf/linalg';
 * if (sylvester(tensor([[1]]), tensor([[2, 0], [0, 3]]), tensor([[3, 4]])).type.key !== 'f64[1, 2]') throw new Error('unexpected');
 */
export function sylvester<A extends Operand, B extends Operand, C extends Operand>(a: A, b: B, c: C): Of<JoinKinds<[A, B, C]>, FloatResult<JoinDTypes<[A, B, C]>>> {
  const op = 'sylvester';
  const given = [matrixOperand(op, 'a', a), matrixOperand(op, 'b', b), matrixOperand(op, 'c', c)] as const;
  const dtype = given.map((x): DType => x.type.dtype).reduce((both, next) => promote(both, next));
  let lead: Shape = [];
  // Equal a and b stay one.
  const side = checkedOperand(given[2], (sink) => {
    squaresOf(op, given[0].type, sink, 'a');
    squaresOf(op, given[1].type, sink, 'b');
    requireSides(op, given[0].type, given[1].type, given[2].type, (l, r, what) => requireSameDim(l, r, what, sink));
    lead = broadcastShapes(op, given.map(({ type }) => type.shape.slice(0, -2)), sink);
  });
  const [left, right, sides] = [given[0], given[1], side].map((x) => withLead(convert(x, dtype) as Operand, lead, 2)) as [Operand, Operand, Operand];
  return solveSylvester(left, right, schurWitness(left, right), sides, false) as Of<JoinKinds<[A, B, C]>, FloatResult<JoinDTypes<[A, B, C]>>>;
}
