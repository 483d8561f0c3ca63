// Written by scripts/methods.mjs: change the table there and run `pnpm methods`.
import { type AxisList, expandDims, squeeze } from '../compositions/arrangement.ts';
import { all, any, argmax, argmin, type ArgOptions } from '../compositions/choices.ts';
import { mean, std, variance, type VarianceOptions } from '../compositions/statistics.ts';
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { equal, greater, greaterEqual, less, lessEqual, notEqual } from '../primitives/compare.ts';
import { matmul } from '../primitives/contraction.ts';
import { cast, convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { maximum, minimum } from '../primitives/extrema.ts';
import { exp, log, sqrt, tanh } from '../primitives/functions.ts';
import { type Indices, take } from '../primitives/indexing.ts';
import { abs } from '../primitives/magnitude.ts';
import { broadcastTo, reshape, transpose } from '../primitives/movement.ts';
import { pow } from '../primitives/power.ts';
import { prod } from '../primitives/product.ts';
import { reduceMax, reduceMin, type ReduceOptions, sum } from '../primitives/reduce.ts';
import { slice } from '../primitives/slicing.ts';
import { cos, sigmoid, sin } from '../primitives/special.ts';
import type { Dim } from '../types/dim.ts';
import type { DType, FloatResult, RealPart, SumResult } from '../types/dtype.ts';
import type { Argument, JoinDType, Joined, JoinKind, Kind, Listener, Of, Operand } from '../types/operand.ts';
import type { Shape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { OperandBase } from './operand-base.ts';

/** The methods that every tensor has. Each is a public function of the same arguments, `this` being the first. */
export abstract class TensorMethods<K extends Kind, D extends DType> extends OperandBase<K, D> implements Operand<K, D> {
  abstract override readonly type: TensorType<D>;

  /** Whoever carries out operations on this tensor. */
  abstract get listener(): Listener<K>;

  get dtype(): D {
    return this.type.dtype;
  }

  get shape(): Shape {
    return this.type.shape;
  }

  /** The number of axes. */
  get rank(): number {
    return this.type.shape.length;
  }

  /** {@link add} */
  add<A extends Operand, B extends Argument>(this: A, other: B): Joined<A, B> {
    return add(this, other);
  }

  /** {@link sub} */
  sub<A extends Operand, B extends Argument>(this: A, other: B): Joined<A, B> {
    return sub(this, other);
  }

  /** {@link mul} */
  mul<A extends Operand, B extends Argument>(this: A, other: B): Joined<A, B> {
    return mul(this, other);
  }

  /** {@link div} */
  div<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>> {
    return div(this, other);
  }

  /** {@link pow} */
  pow<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>> {
    return pow(this, other);
  }

  /** {@link neg} */
  neg(): Of<K, D> {
    return neg(this);
  }

  /** {@link abs} */
  abs(): Of<K, RealPart<D>> {
    return abs(this);
  }

  /** {@link sqrt} */
  sqrt(): Of<K, FloatResult<D>> {
    return sqrt(this);
  }

  /** {@link exp} */
  exp(): Of<K, FloatResult<D>> {
    return exp(this);
  }

  /** {@link log} */
  log(): Of<K, FloatResult<D>> {
    return log(this);
  }

  /** {@link tanh} */
  tanh(): Of<K, FloatResult<D>> {
    return tanh(this);
  }

  /** {@link sigmoid} */
  sigmoid(): Of<K, FloatResult<D>> {
    return sigmoid(this);
  }

  /** {@link sin} */
  sin(): Of<K, FloatResult<D>> {
    return sin(this);
  }

  /** {@link cos} */
  cos(): Of<K, FloatResult<D>> {
    return cos(this);
  }

  /** {@link maximum} */
  maximum<A extends Operand, B extends Argument>(this: A, other: B): Joined<A, B> {
    return maximum(this, other);
  }

  /** {@link minimum} */
  minimum<A extends Operand, B extends Argument>(this: A, other: B): Joined<A, B> {
    return minimum(this, other);
  }

  /** {@link equal} */
  eq<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, 'bool'> {
    return equal(this, other);
  }

  /** {@link notEqual} */
  ne<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, 'bool'> {
    return notEqual(this, other);
  }

  /** {@link less} */
  lt<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, 'bool'> {
    return less(this, other);
  }

  /** {@link lessEqual} */
  le<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, 'bool'> {
    return lessEqual(this, other);
  }

  /** {@link greater} */
  gt<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, 'bool'> {
    return greater(this, other);
  }

  /** {@link greaterEqual} */
  ge<A extends Operand, B extends Argument>(this: A, other: B): Of<JoinKind<A, B>, 'bool'> {
    return greaterEqual(this, other);
  }

  /** {@link sum} */
  sum(options: ReduceOptions = {}): Of<K, SumResult<D>> {
    return sum(this, options);
  }

  /** {@link prod} */
  prod(options: ReduceOptions = {}): Of<K, SumResult<D>> {
    return prod(this, options);
  }

  /** {@link mean} */
  mean(options: ReduceOptions = {}): Of<K, FloatResult<D>> {
    return mean(this, options);
  }

  /** {@link variance} */
  variance(options: VarianceOptions = {}): Of<K, RealPart<FloatResult<D>>> {
    return variance(this, options);
  }

  /** {@link std} */
  std(options: VarianceOptions = {}): Of<K, RealPart<FloatResult<D>>> {
    return std(this, options);
  }

  /** {@link reduceMax} */
  max(options: ReduceOptions = {}): Of<K, D> {
    return reduceMax(this, options);
  }

  /** {@link reduceMin} */
  min(options: ReduceOptions = {}): Of<K, D> {
    return reduceMin(this, options);
  }

  /** {@link argmax} */
  argmax(options: ArgOptions = {}): Of<K, 'int32'> {
    return argmax(this, options);
  }

  /** {@link argmin} */
  argmin(options: ArgOptions = {}): Of<K, 'int32'> {
    return argmin(this, options);
  }

  /** {@link any} */
  any(options: ReduceOptions = {}): Of<K, 'bool'> {
    return any(this, options);
  }

  /** {@link all} */
  all(options: ReduceOptions = {}): Of<K, 'bool'> {
    return all(this, options);
  }

  /** {@link reshape} */
  reshape(shape: Shape): Of<K, D> {
    return reshape(this, shape);
  }

  /** {@link broadcastTo} */
  broadcastTo(shape: Shape): Of<K, D> {
    return broadcastTo(this, shape);
  }

  /** {@link transpose} */
  transpose(perm?: readonly number[]): Of<K, D> {
    return transpose(this, perm);
  }

  /** {@link expandDims} */
  expandDims(axes: AxisList): Of<K, D> {
    return expandDims(this, axes);
  }

  /** {@link squeeze} */
  squeeze(axes?: AxisList): Of<K, D> {
    return squeeze(this, axes);
  }

  /** {@link slice} */
  slice(start: readonly Dim[], stop: readonly Dim[], step?: readonly number[]): Of<K, D> {
    return slice(this, start, stop, step);
  }

  /** {@link take} */
  take(indices: Indices, axis = 0): Of<K, D> {
    return take(this, indices, axis);
  }

  /** {@link matmul} */
  matmul<A extends Operand, B extends Operand>(this: A, other: B): Of<JoinKind<A, B>, JoinDType<A, B>> {
    return matmul(this, other);
  }

  /** {@link convert} */
  convert<E extends DType>(dtype: E): Of<K, E> {
    return convert(this, dtype);
  }

  /** {@link cast} */
  cast<E extends DType>(dtype: E): Of<K, E> {
    return cast(this, dtype);
  }
}
