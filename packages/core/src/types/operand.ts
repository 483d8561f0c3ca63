import type { Dim } from './dim.ts';
import type { DType, Promote, TypedArray } from './dtype.ts';
import type { TensorType } from './tensor-type.ts';
import { listenerKey } from './operand-key.ts';

export { listenerKey };

/** The key under which a host tensor describes itself to whoever lifts it. */
export const hostKey: unique symbol = Symbol.for('tf.host') as never;

/** Join order of mixed operands: the highest level listens. */
export type Level = 0 | 1 | 2 | 3;

/** A family of tensor types indexed by dtype (a type-level function: see {@link Of}). */
export interface Kind {
  readonly D: DType;
  readonly out: Operand<Kind, this['D']>;
  readonly level: Level;
}

/** The tensor of kind `K` with dtype `D`. */
export type Of<K extends Kind, D extends DType> = (K & { readonly D: D })['out'];

/** Anything an operation accepts besides numbers: a Var, a traced, an eager or a host tensor. */
export interface Operand<K extends Kind = Kind, D extends DType = DType> {
  readonly type: TensorType<D>;
  /** A scalar that takes the other operand's dtype, as a JavaScript number does. */
  readonly weak?: boolean;
  readonly [listenerKey]: Listener<K>;
}

/** A JavaScript number or boolean is weakly typed: it takes the other operand's dtype. */
export type Weak = number | boolean;
export type Argument = Weak | Operand<Kind, DType>;

/** The part of an operation that operands know: its name. (The whole is in the contract, which imports this file.) */
export interface OperationName {
  readonly id: string;
  readonly family: string;
  readonly name: string;
}

/** An operand as its listener wants it: one of its own, or a literal. */
export type Lifted = Operand | { readonly literal: true; readonly type: TensorType };

/** Whoever carries out operations on a kind of operand. */
export interface Listener<K extends Kind = Kind> {
  /** Exists in types only: lets `Operand<K, D>` be inferred. */
  readonly kind?: K;
  readonly level: Level;
  readonly contract: number;
  /** The version of the `@tf/core` that made the listener: named when two copies disagree. */
  readonly coreVersion: string;
  /** Carries out `operation` on operands that {@link lift} or {@link scalar} returned or that are its own. */
  apply(operation: OperationName, inputs: readonly Lifted[], params: object): readonly Operand[];
  /** Makes an operand of a lower level its own, or throws with the remedy. */
  lift(value: Operand): Lifted;
  /** A weakly typed scalar, once its dtype is known. */
  scalar(value: Weak, dtype: DType): Lifted;
  /** Of two listeners of one level the deeper one carries out: a program inside another may use the other's values. Absent: 0. */
  readonly depth?: number;
  /**
   * Runs a function on operands of this kind that stand for values of these types, and begin as `starts`; absent, on those of a
   * program.
   */
  readonly region?: (body: RegionBody, types: readonly TensorType[], starts: readonly Operand[]) => TracedRegion;
  /**
   * What a family has worked out from types and parameters, found again under its key, which begins with the family's name. Bounded.
   * Absent: nothing is kept.
   */
  memo?<T>(key: string, make: () => T): T;
  /**
   * An extent that `k`, an int32 scalar of its own, decides: min(max(k, 0), bound). One that computes at once gives a number, one
   * that builds a program carries out `operation` (trait `extent`) with a symbol that is new there, or gives the symbol it has
   * for equal arguments. Absent: sizes must be known.
   */
  extent?(operation: OperationName, k: Lifted, bound: Dim): Dim;
}

/** What a region computes from its arguments. */
export type RegionBody = (args: readonly Operand[]) => readonly Operand[];

/** A function as a program: its inputs are what it captured from outside, then its arguments. */
export interface TracedRegion {
  /** A `Program` of the contract, which imports this file. */
  readonly program: object;
  readonly captures: readonly Operand[];
}

/**
 * What a tensor that belongs to no program is: data on the host, a value resident on an engine (a `DeviceBuffer`), or an
 * operation on such tensors and literals that nobody has run yet.
 */
export type HostForm =
  | { readonly form: 'data'; readonly data: TypedArray }
  | { readonly form: 'resident'; readonly buffer: unknown }
  | { readonly form: 'deferred'; readonly operation: OperationName; readonly inputs: readonly Lifted[]; readonly params: object; readonly output: number };

export type KindOf<A> = A extends Operand<infer K, DType> ? K : never;
export type DTypeOf<A> = A extends { readonly type: TensorType<infer D> } ? D : never;

interface Above { 0: 1 | 2 | 3; 1: 2 | 3; 2: 3; 3: never }

/** The kind that listens when kinds meet: the one of the highest level. */
export type JoinKind<A, B> = [KindOf<A>] extends [never] ? KindOf<B>
  : [KindOf<B>] extends [never] ? KindOf<A>
  : KindOf<B>['level'] extends Above[KindOf<A>['level']] ? KindOf<B> : KindOf<A>;

/** The dtype of an arithmetic result; a weak operand adds nothing (a fraction with an integer tensor gives float64 at run time). */
export type JoinDType<A, B> = [DTypeOf<A>] extends [never] ? DTypeOf<B>
  : [DTypeOf<B>] extends [never] ? DTypeOf<A>
  : Promote<DTypeOf<A>, DTypeOf<B>>;

type Highest<K extends Kind> = [Extract<K, { level: 3 }>] extends [never]
  ? [Extract<K, { level: 2 }>] extends [never] ? [Extract<K, { level: 1 }>] extends [never] ? K : Extract<K, { level: 1 }> : Extract<K, { level: 2 }>
  : Extract<K, { level: 3 }>;

/** The kind that listens in a list of tensors, as {@link JoinKind} for two. */
export type JoinKinds<T extends readonly Operand[]> = Highest<KindOf<T[number]>>;

/** The dtype in which a list of tensors meets, as {@link JoinDType} for two; of a list of unknown length, all that it can be. */
export type JoinDTypes<T extends readonly Operand[]> = T extends readonly [infer A extends Operand, ...infer R extends readonly Operand[]]
  ? R extends readonly [] ? DTypeOf<A> : Promote<DTypeOf<A>, JoinDTypes<R>>
  : Promote<DTypeOf<T[number]>, DTypeOf<T[number]>>;

export function isOperand(value: unknown): value is Operand {
  return typeof value === 'object' && value !== null && listenerKey in value;
}

/** The tensor of two operands joined: `Of<kind that listens, promoted dtype>`. */
export type Joined<A extends Argument, B extends Argument> = Of<JoinKind<A, B>, JoinDType<A, B>>;
