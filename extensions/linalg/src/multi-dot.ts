import { type Dim, type DType, isKnown, type Kind, matmul, type Of, type Operand, requireSameDim, reshape, TfError } from '@tf/core';
import { checkedOperand, numericOperand } from './arguments.ts';

/**
 * The product of two or more matrices in the order that takes the fewest multiplications (Cormen et al., Introduction to Algorithms, §15.2).
 * The first may be a row and the last a column, as vectors. Where a size is symbolic the product goes from left to right.
 *
 * @throws ShapeError where neighbours do not fit or one is no matrix, DTypeError for bool, ArgumentError for fewer than two.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { multiDot } from '@tf/linalg';
 * import { evaluate } from '@tf/traced';
 * console.log(evaluate(multiDot([tensor([1, 2]), tensor([[1, 0], [0, 3]]), tensor([1, 1])]), await createEngine()).item()); // → 7
 */
export function multiDot<K extends Kind, D extends DType>(matrices: readonly Operand<K, D>[]): Of<K, D> {
  const op = 'multiDot';
  if (!Array.isArray(matrices) || matrices.length < 2) throw new TfError('ArgumentError', `${op}: takes a list of two or more matrices. Write multiDot([a, b, c]).`, { op, argument: 'matrices' });
  const given = matrices as readonly Operand[];
  given.forEach((x, at) => requireMatrix(op, x, at, given.length));
  const [first, last] = [given[0] as Operand, given.at(-1) as Operand];
  const factors = given.map((x, at) => (x.type.shape.length === 2 ? x : (reshape(x, at === 0 ? [1, -1] : [-1, 1]) as Operand)));
  const extents = [...factors.map(({ type }) => type.shape[0] as Dim), (factors.at(-1) as Operand).type.shape[1] as Dim];
  factors[0] = checkedOperand(factors[0] as Operand, (sink) => factors.slice(1).forEach((factor, at) => {
    const before = factors[at] as Operand;
    if (!requireSameDim(before.type.shape[1] as Dim, factor.type.shape[0] as Dim, `${op}: columns of matrices[${at}] and rows of matrices[${at + 1}]`, sink)) throw new TfError('ShapeError', `${op}: matrices[${at}] ${before.type.key} and matrices[${at + 1}] ${factor.type.key} do not fit: the columns of one are the rows of the next.`, { op });
  }));
  const product = multiply(factors, splits(extents), 0, factors.length - 1);
  return reshape(product, product.type.shape.filter((_, axis) => (axis === 0 ? first : last).type.shape.length === 2)) as Of<K, D>;
}

function requireMatrix(op: string, x: Operand, at: number, count: number): void {
  numericOperand(op, `matrices[${at}]`, x);
  const rank = x.type.shape.length;
  if (rank === 2 || (rank === 1 && (at === 0 || at === count - 1))) return;
  throw new TfError('ShapeError', `${op}: matrices[${at}] is ${x.type.key}; it takes matrices of two axes, and vectors first and last. For batches there is matmul.`, { op, argument: `matrices[${at}]` });
}

/** Where the product of factors i to j is parted: after factor `split(i, j)`. */
type Split = (i: number, j: number) => number;

function splits(extents: readonly Dim[]): Split {
  if (!extents.every(isKnown)) return (_i, j) => j - 1;
  const sizes = extents as readonly number[];
  const count = sizes.length - 1;
  const costs = Array.from({ length: count }, () => new Float64Array(count));
  const best = Array.from({ length: count }, () => new Int32Array(count));
  for (let length = 1; length < count; length++) {
    for (let i = 0; i + length < count; i++) {
      const j = i + length;
      let least = Infinity;
      for (let k = i; k < j; k++) {
        const cost = (costs[i]?.[k] as number) + (costs[k + 1]?.[j] as number) + (sizes[i] as number) * (sizes[k + 1] as number) * (sizes[j + 1] as number);
        if (cost < least) [least, (best[i] as Int32Array)[j]] = [cost, k];
      }
      (costs[i] as Float64Array)[j] = least;
    }
  }
  return (i, j) => best[i]?.[j] as number;
}

function multiply(factors: readonly Operand[], split: Split, i: number, j: number): Operand {
  if (i === j) return factors[i] as Operand;
  const k = split(i, j);
  return matmul(multiply(factors, split, i, k), multiply(factors, split, k + 1, j)) as Operand;
}
