import { div } from '../primitives/division.ts';
import { mul } from '../primitives/arithmetic.ts';
import { equal, greater, less, notEqual } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { euclideanNorm } from '../primitives/euclidean-norm.ts';
import { abs } from '../primitives/magnitude.ts';
import { pow } from '../primitives/power.ts';
import { maxOver, minOver, type ReduceOptions, withElements, requireReduceOptions, sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { stopGradient } from '../primitives/stop-gradient.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireNumber, wrongNumber } from '../types/argument.ts';
import { type DType, floatResult, type FloatResult, isComplex } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxes } from '../types/shape.ts';

/** The dtype of a norm: floats stay, complex values give their parts' dtype, integers float64. */
export type NormResult<D extends DType> = D extends 'complex64' ? 'float32' : D extends 'complex128' ? 'float64' : FloatResult<D>;

export interface NormOptions extends ReduceOptions {
  /** p of (Σ|x|^p)^(1/p), 2 when absent; ±Infinity: the largest and smallest |x|; 0: how many are not 0. */
  readonly ord?: number;
}

/**
 * The norm of the vectors along axes (all when absent): (Σ|x|^p)^(1/p) for ord p. Neither large nor small elements overflow or
 * vanish on the way. Complex elements count by their moduli. Where the norm is 0 its gradient is 0, the least of the subgradients, and
 * so are its further derivatives; the square of the 2-norm has its Hessian 2·I there, in reverse mode and in what is made from it.
 *
 * @throws ArgumentError for an order that is no number, AxisError, DTypeError for bool; ShapeError where an infinite order finds no
 * element.
 * @example
 * import { Builder, tensorType, vectorNorm } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (vectorNorm(x, { axes: 1 }).type.key !== 'f64[2]') throw new Error('unexpected');
 */
export function vectorNorm<K extends Kind, D extends DType>(x: Operand<K, D>, options: NormOptions = {}): Of<K, NormResult<D>> {
  const op = 'vectorNorm';
  requireOperand(op, 'x', x);
  requireReduceOptions(op, options, ['ord', 'axes', 'keepdims']);
  const { ord = 2, ...given } = options as NormOptions;
  requireNumber(op, 'ord', ord);
  if (Number.isNaN(ord)) throw wrongNumber(op, 'ord', ord, 'an order, such as 2 or Infinity');
  const over: ReduceOptions = { axes: normaliseAxes(op, given.axes, x.type.shape.length), keepdims: given.keepdims === true };
  const values = convert(x, floatResult(x.type.dtype)) as Operand;
  return normOf(op, isComplex(values.type.dtype) ? (abs(values) as Operand) : values, ord, over) as Of<K, NormResult<D>>;
}

function normOf(op: string, x: Operand, ord: number, over: ReduceOptions): unknown {
  if (ord === 0) return sum(convert(notEqual(x, 0), x.type.dtype) as Operand, over);
  if (ord === 1) return sum(abs(x) as Operand, over);
  const axes = over.axes as readonly number[];
  if (Math.abs(ord) === Infinity) {
    const held = withElements(op, x, axes);
    return ord > 0 ? maxOver(abs(held) as Operand, over) : minOver(abs(held) as Operand, over);
  }
  // Of nothing the norm is 0, which a sum says without an extremum.
  if (axes.some((axis) => x.type.shape[axis] === 0)) return sum(x, over);
  return ord === 2 ? euclideanNorm(x, axes, over.keepdims === true) : general(x, ord, over);
}

/** Constant for derivatives: the norm does not depend on how it is scaled. */
function extremeOf(x: Operand, extremum: typeof maxOver, over: ReduceOptions): Operand {
  return stopGradient(extremum(abs(x) as Operand, { ...over, keepdims: true }) as Operand) as Operand;
}

/** A value with folded axes of size 1, as the result has them. */
function keptLike(scale: Operand, over: ReduceOptions): Operand {
  return over.keepdims === true ? scale : (maxOver(scale, over) as Operand);
}

function general(x: Operand, ord: number, over: ReduceOptions): unknown {
  const extreme = extremeOf(x, ord > 0 ? maxOver : minOver, over);
  const isOrdinary = select(greater(extreme, 0), less(extreme, Infinity), false) as Operand<Kind, 'bool'>;
  const scale = select(isOrdinary, extreme, 1) as Operand;
  const powers = sum(pow(div(abs(x) as Operand, scale) as Operand, ord) as Operand, over) as Operand;
  return rooted(powers, (total) => mul(pow(total, 1 / ord) as Operand, keptLike(scale, over)));
}

/** f of a total, and 0 where that is 0, where f has no slope. */
function rooted(total: Operand, f: (total: Operand) => unknown): unknown {
  const isZero = equal(total, 0);
  return select(isZero, 0, f(select(isZero, 1, total) as Operand) as Operand);
}
