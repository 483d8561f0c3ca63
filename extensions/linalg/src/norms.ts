/** Norms of matrices and of vectors. */
import { abs, type ArgumentCheck, checkOptions, type Dim, type DType, expandDims, type Kind, normaliseAxes, type NormResult, normaliseAxis, type Of, type Operand, type OptionChecks, reduceMax, reduceMin, requireAtMost, requireFlag, sum, TfError, transpose, vectorNorm, wrongArgument } from '@tf/core';
import { checkedOperand, matrixOperand, requireComparable, withFloats } from './arguments.ts';
import { svdvals } from './svd/svd.ts';

/**
 * `fro`: the root of the sum of squares; `nuc`: the sum of singular values; 2 and −2: the largest and the smallest of them; 1 and −1: the
 * largest and the smallest sum of moduli of a column; Infinity and −Infinity: of a row.
 */
export type MatrixOrder = 'fro' | 'nuc' | number;

export interface MatrixNormOptions {
  /** `fro` when absent. */
  readonly ord?: MatrixOrder;
  /** Whether rows and columns stay, with extent 1. */
  readonly keepdims?: boolean;
}

export interface LinalgNormOptions extends MatrixNormOptions {
  /** One axis: vectors. Two: matrices, of rows and of columns. When absent: all, of a tensor of one axis or two where `ord` is given. */
  readonly axes?: number | readonly number[];
}

const matrixOrders: readonly MatrixOrder[] = ['fro', 'nuc', 1, -1, 2, -2, Infinity, -Infinity];

export const requireOrder: ArgumentCheck = (op, argument, value) => {
  if (!matrixOrders.includes(value as MatrixOrder)) throw wrongArgument(op, argument, value, "an order of matrices: 'fro', 'nuc', 1, -1, 2, -2, Infinity or -Infinity");
};

const matrixChecks: OptionChecks = { ord: requireOrder, keepdims: requireFlag };
const anyValue: ArgumentCheck = () => undefined;
const normChecks: OptionChecks = { ord: anyValue, axes: anyValue, keepdims: requireFlag };

/** The matrices; refuses those without the sums or values of which the order takes the largest or the smallest. */
export function withExtremum(op: string, x: Operand, ord: MatrixOrder): Operand {
  if (ord === 'fro' || ord === 'nuc') return x;
  const { key, shape } = x.type;
  const [rows, columns] = shape.slice(-2) as [Dim, Dim];
  const counted = Math.abs(ord) === 1 ? [columns] : Math.abs(ord) === 2 ? [rows, columns] : [rows];
  const taken = `order ${ord} takes the ${ord > 0 ? 'largest' : 'smallest'} of what ${key}`;
  if (counted.includes(0)) throw new TfError('ShapeError', `${op}: ${taken} has none of. Check for empty matrices first, or take 'fro' or 'nuc'.`, { op, shape });
  return checkedOperand(x, (sink) => counted.forEach((size) => requireAtMost(1, size, `${op}: ${taken} must have`, sink)));
}

/** A norm without the axes of rows and columns, the last two. */
function reduced(op: string, matrices: Operand, ord: MatrixOrder): Operand {
  const x = withExtremum(op, matrices, ord);
  if (ord === 'nuc' || Math.abs(ord as number) === 2) requireComparable(op, x);
  switch (ord) {
    case 'fro': return vectorNorm(x, { axes: [-2, -1] }) as Operand;
    case 'nuc': return sum(svdvals(x) as Operand, { axes: -1 }) as Operand;
    case 2: return reduceMax(svdvals(x) as Operand, { axes: -1 }) as Operand;
    case -2: return reduceMin(svdvals(x) as Operand, { axes: -1 }) as Operand;
    case 1: return reduceMax(sum(abs(x) as Operand, { axes: -2 }) as Operand, { axes: -1 }) as Operand;
    case -1: return reduceMin(sum(abs(x) as Operand, { axes: -2 }) as Operand, { axes: -1 }) as Operand;
    case Infinity: return reduceMax(sum(abs(x) as Operand, { axes: -1 }) as Operand, { axes: -1 }) as Operand;
    default: return reduceMin(sum(abs(x) as Operand, { axes: -1 }) as Operand, { axes: -1 }) as Operand;
  }
}

/**
 * A norm of matrices, the last two axes of x; see {@link MatrixOrder}. Where the largest value or sum is taken several times, each of
 * them has an equal share of the gradient.
 *
 * @throws ArgumentError for another order, ShapeError for fewer than two axes, or where the largest or smallest of nothing is asked for.
 * @example
 * import { tensor } from '@tf/core';
 * import { matrixNorm } from '@tf/linalg';
 * if (matrixNorm(tensor([[1, 2], [3, 4]]), { ord: 'nuc', keepdims: true }).type.key !== 'f64[1, 1]') throw new Error('unexpected');
 */
export function matrixNorm<K extends Kind, D extends DType>(x: Operand<K, D>, options: MatrixNormOptions = {}): Of<K, NormResult<D>> {
  const op = 'matrixNorm';
  checkOptions(op, options, matrixChecks);
  const value = reduced(op, matrixOperand(op, 'x', x), options.ord ?? 'fro');
  return (options.keepdims === true ? expandDims(value, [-2, -1]) : value) as Of<K, NormResult<D>>;
}

/**
 * The norm of vectors along one axis, or of matrices along two, by NumPy's rules: without an order the root of the sum of squares, over all
 * elements when there are no axes either.
 *
 * @throws ArgumentError for an order that is none, AxisError, ShapeError for other than one or two axes with an order.
 * @example
 * import { tensor } from '@tf/core';
 * import { norm } from '@tf/linalg';
 * const x = tensor([[3, 0], [4, 0]]);
 * if ([norm(x), norm(x, { axes: 0 }), norm(x, { ord: 1 })].map(({ type }) => type.key).join() !== 'f64[],f64[2],f64[]') throw new Error('unexpected');
 */
export function norm<K extends Kind, D extends DType>(x: Operand<K, D>, options: LinalgNormOptions = {}): Of<K, NormResult<D>> {
  const op = 'norm';
  checkOptions(op, options, normChecks);
  const values = withFloats(op, 'x', x);
  const rank = values.type.shape.length;
  const { ord, keepdims = false } = options;
  if (options.axes === undefined && ord === undefined) return vectorNorm(values, { keepdims }) as Of<K, NormResult<D>>;
  const axes = typeof options.axes === 'number' ? [normaliseAxis(op, options.axes, rank)] : inOrder(op, options.axes, rank);
  if (axes.length === 1) return alongOne(op, values, axes[0] as number, options) as Of<K, NormResult<D>>;
  if (axes.length !== 2) throw new TfError('ShapeError', `${op}: vectors lie along one axis and matrices along two, got ${axes.length} of ${values.type.key}. Name them: norm(x, { axes: [-2, -1], ord }).`, { op, argument: 'axes' });
  return alongTwo(op, values, axes as unknown as readonly [number, number], options) as Of<K, NormResult<D>>;
}

function alongOne(op: string, x: Operand, axis: number, { ord = 2, keepdims = false }: LinalgNormOptions): Operand {
  if (typeof ord !== 'number' || Number.isNaN(ord)) throw wrongArgument(op, 'ord', ord, 'a number for vectors', "'fro' and 'nuc' are orders of matrices: name two axes.");
  if (Math.abs(ord) === Infinity && x.type.shape[axis] === 0) throw new TfError('ShapeError', `${op}: order ${ord} takes the ${ord > 0 ? 'largest' : 'smallest'} element along axis ${axis}, where ${x.type.key} has none. Check for empty tensors first.`, { op, axis, shape: x.type.shape });
  return vectorNorm(x, { axes: [axis], keepdims, ord }) as Operand;
}

/** The axes from the beginning, in the order in which they were given. */
function inOrder(op: string, axes: readonly number[] | undefined, rank: number): readonly number[] {
  const sorted = normaliseAxes(op, axes, rank);
  return axes === undefined ? sorted : axes.map((axis) => normaliseAxis(op, axis, rank));
}

function alongTwo(op: string, x: Operand, [row, column]: readonly [number, number], { ord = 'fro', keepdims }: LinalgNormOptions): Operand {
  requireOrder(op, 'ord', ord);
  const rest = x.type.shape.map((_, axis) => axis).filter((axis) => axis !== row && axis !== column);
  const value = reduced(op, transpose(x, [...rest, row, column]) as Operand, ord);
  return keepdims === true ? (expandDims(value, [row, column].sort((a, b) => a - b)) as Operand) : value;
}
