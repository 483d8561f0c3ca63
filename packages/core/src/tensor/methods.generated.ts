// Written by scripts/methods.mjs: change the table there and run `pnpm methods`.
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { equal, greater, greaterEqual, less, lessEqual, notEqual } from '../primitives/compare.ts';
import { matmul } from '../primitives/contraction.ts';
import { convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { maximum } from '../primitives/extrema.ts';
import { exp, log, tanh } from '../primitives/functions.ts';
import { broadcastTo, reshape, transpose } from '../primitives/movement.ts';
import { reduceMax, type ReduceOptions, sum } from '../primitives/reduce.ts';
import type { DType, FloatResult } from '../types/dtype.ts';
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

  /** {@link neg} */
  neg(): Of<K, D> {
    return neg(this);
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

  /** {@link maximum} */
  maximum<A extends Operand, B extends Argument>(this: A, other: B): Joined<A, B> {
    return maximum(this, other);
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
  sum(options: ReduceOptions = {}): Of<K, D> {
    return sum(this, options);
  }

  /** {@link reduceMax} */
  max(options: ReduceOptions = {}): Of<K, D> {
    return reduceMax(this, options);
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

  /** {@link matmul} */
  matmul<A extends Operand, B extends Operand>(this: A, other: B): Of<JoinKind<A, B>, JoinDType<A, B>> {
    return matmul(this, other);
  }

  /** {@link convert} */
  convert<E extends DType>(dtype: E): Of<K, E> {
    return convert(this, dtype);
  }
}
