import { add, cast, convert, div, flattenTree, isInexact, isOperand, maximum, mul, type Operand, sqrt, square, TfError, unflattenTree, vectorNorm } from '@tf/core';
import { magnitudeDType } from './optimizer.ts';
import { requirePositive } from './settings.ts';

const isGradient = (leaf: unknown): leaf is Operand => isOperand(leaf) && isInexact(leaf.type.dtype);

/**
 * The Euclidean norm of all floating and complex tensors of a tree as one vector, in float64.
 *
 * @throws ArgumentError when there is none.
 */
export function globalNorm(tree: unknown): Operand {
  const norms = flattenTree(tree).leaves.filter(isGradient).map((leaf) => square(convert(vectorNorm(leaf) as Operand, 'float64')) as Operand);
  if (norms.length === 0) throw new TfError('ArgumentError', 'globalNorm: there is no floating or complex tensor in the tree.', { op: 'globalNorm', argument: 'tree' });
  return sqrt(norms.reduce((sum, next) => add(sum, next) as Operand));
}

/**
 * The tree, divided by what its {@link globalNorm} is above `most`; as it is where it is not (Pascanu, Mikolov & Bengio 2013, "On the
 * difficulty of training recurrent neural networks", algorithm 1).
 *
 * @throws ArgumentError for a bound that is not positive, or a tree without floating or complex tensors.
 */
export function clipByGlobalNorm<P>(tree: P, most: number): P {
  requirePositive('clipByGlobalNorm', 'most', most);
  const { structure, leaves } = flattenTree(tree);
  const scale = div(most, maximum(globalNorm(tree), most)) as Operand;
  return unflattenTree(structure, leaves.map((leaf) => (isGradient(leaf) ? mul(leaf, cast(scale, magnitudeDType(leaf.type.dtype))) : leaf))) as P;
}
