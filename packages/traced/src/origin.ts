import type { AdContext, DimConstraint, Literal, Operation, Params, TensorType } from '@tf/core';

/**
 * A traced value: its type and where it comes from. Immutable; a computation is the graph of these, and becomes a program
 * when somebody asks for one (`extract.ts`).
 */
export interface TracedValue {
  readonly type: TensorType;
  readonly origin: Origin;
  /** Which output of its origin it is. */
  readonly output: number;
  /** Rules and caches that its derivatives use, if the user gave any. */
  readonly context: AdContext | undefined;
}

export type TracedAtom = TracedValue | Literal;

/** `number` orders creations: an origin is younger than everything that it is computed from. */
export type Origin = NodeOrigin | InputOrigin | BoundOrigin;

/** The result of an operation. */
export interface NodeOrigin {
  readonly kind: 'node';
  readonly number: number;
  readonly operation: Operation;
  readonly params: Params;
  readonly inputs: readonly TracedAtom[];
  readonly outputs: readonly TracedValue[];
  /** What must hold between symbolic extents that its types rest on. */
  readonly constraints: readonly DimConstraint[];
  /** Values that its symbolic extents come from, where it may read none of them: the gradient of a sum has its input's shape. */
  readonly sizes: readonly TracedValue[] | undefined;
  /** The transform that differentiates by this value, for its fresh leaves. */
  readonly trace: Trace | undefined;
}

/** A named place for data that comes later. */
export interface InputOrigin {
  readonly kind: 'input';
  readonly number: number;
  readonly name: string;
  /** The run of a traced function that it is an argument of; none for `input()`. */
  readonly trace: Trace | undefined;
}

/** A value known now, outside the program's hash: a number, a host tensor, or a buffer on an engine. */
export interface BoundOrigin {
  readonly kind: 'bound';
  readonly number: number;
  readonly value: unknown;
}

/** One run of a user's function on traced arguments. */
export interface Trace {
  /** Who runs it, e.g. `jit(step)`. */
  readonly name: string;
  /** False as soon as the function has returned. */
  open: boolean;
}
