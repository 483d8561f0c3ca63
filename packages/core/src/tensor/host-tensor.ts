import type { Operation, Params } from '../contract.ts';
import { TfError } from '../errors.ts';
import { hostForm } from '../program/host.ts';
import { inferTypes } from '../program/infer.ts';
import { isLiteral, weakLiteral } from '../program/literal.ts';
import { callName } from '../types/argument.ts';
import type { DataOf, DType, TypedArray } from '../types/dtype.ts';
import { hostKey, type HostForm, type Kind, type Lifted, type Listener, type Operand, type OperationName } from '../types/operand.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { contractVersion, coreVersion } from '../types/version.ts';
import { formatTensor } from './format.ts';
import { shownAsText } from './inspect.ts';
import { TensorMethods } from './methods.generated.ts';
import { hostValues } from './host-values.ts';
import { dataRows } from './operand-base.ts';
import { regionWithMethods } from './region-tensor.ts';
import { type ElementOf, type Nested, nestedBigInts, nestedValues, singleValue, type TensorJson } from './values.ts';

/** Elements computed at most to show a tensor. */
const MOST_SHOWN = 4096;

export interface HostKind extends Kind {
  readonly out: HostTensor<this['D']>;
  readonly level: 0;
}

/**
 * An immutable tensor that belongs to no program and no engine: data, or an operation on such tensors that nobody has run.
 * The first operand of another kind lifts it; operations among host tensors only describe what to do.
 *
 * @example
 * import { tensor } from '@tf/core';
 * const x = tensor([[1, 2], [3, 4]]);
 * if (JSON.stringify(x.toArray()) !== '[[1,2],[3,4]]') throw new Error('unexpected');
 */
export class HostTensor<D extends DType = DType> extends TensorMethods<HostKind, D> {
  readonly type: TensorType<D>;

  /** Host tensors are made by `tensor`, `zeros`, `ones`, `full` and by operations. */
  constructor(type: TensorType<D>, form: HostForm) {
    super();
    this.type = type;
    (this as { [hostKey]?: HostForm })[hostKey] = form;
  }

  get listener(): Listener<HostKind> {
    return hostListener;
  }

  override [Symbol.iterator](): IterableIterator<HostTensor<D>> {
    const data = hostValues(this as Operand);
    if (data === undefined) return super[Symbol.iterator]() as IterableIterator<HostTensor<D>>;
    return dataRows(this, () => data, (type, data) => new HostTensor<D>(type as TensorType<D>, { form: 'data', data }));
  }

  /** A copy of the values in row-major order. */
  data(): Promise<DataOf<D>> {
    return Promise.resolve().then(() => valuesOf(this, 'data').slice() as DataOf<D>);
  }

  /** The values as nested arrays of numbers or booleans, complex ones as `{ re, im }`; the value itself for rank 0. */
  toArray(): Nested<ElementOf<D>> {
    return nestedValues(this.type, valuesOf(this, 'toArray'));
  }

  /** What `JSON.stringify` writes: dtype, shape and the values as {@link toArray} gives them. JSON has no NaN and no infinities: they become null. */
  toJSON(): TensorJson<D> {
    return { dtype: this.type.dtype, shape: this.type.shape as readonly number[], data: nestedValues(this.type, valuesOf(this, 'toJSON')) };
  }

  /** Integers as nested arrays of bigints. */
  toBigIntArray(): Nested<bigint> {
    return nestedBigInts(this.type, valuesOf(this, 'toBigIntArray'));
  }

  /** The value of a tensor with one element. */
  item(): ElementOf<D> {
    return singleValue(this.type, valuesOf(this, 'item'));
  }

  override toString(): string {
    const data = hostValues(this as Operand, MOST_SHOWN);
    if (data !== undefined) return formatTensor(this.type.dtype, this.type.shape as readonly number[], data);
    return `${this.type.dtype}[${this.type.shape.join(', ')}], not run yet`;
  }

  static {
    shownAsText(HostTensor.prototype);
  }
}

function valuesOf(tensor: HostTensor, op: string): TypedArray {
  const data = hostValues(tensor as Operand);
  if (data !== undefined) return data;
  throw new TfError('NoSessionError', `${op}: this ${tensor.type.key} describes an operation that needs an engine, and nobody has run it. Run it: evaluate(x, engine) of @tf/traced, or runtime.constant(x) inside a session of @tf/eager.`, { op, type: tensor.type.key });
}

/** Describes an operation on host tensors and literals: nothing is computed. */
export function deferOperation(operation: Operation, inputs: readonly Lifted[], params: Params): readonly HostTensor[] {
  const types = inferTypes(operation, inputs.map((input) => input.type), params, (constraint) => {
    throw new TfError('ShapeError', `${callName(operation.id)}: host tensors have fixed shapes (${constraint.reason}). Use an input of a program for symbolic sizes.`, { op: callName(operation.id) });
  });
  const node = { form: 'deferred', operation, inputs, params } as const;
  return types.map((type, output) => new HostTensor(type, { ...node, output }));
}

export const hostListener: Listener<HostKind> = {
  level: 0,
  contract: contractVersion,
  coreVersion,
  apply: (operation: OperationName, inputs: readonly Lifted[], params: object) => deferOperation(operation as Operation, inputs, params as Params),
  lift(value: Operand): Lifted {
    if (isLiteral(value) || hostForm(value) !== undefined) return value;
    throw new TfError('ForeignValueError', `A ${value.type.key} value that is no host tensor was used as one. Pass it to its own front end's functions.`, { type: value.type.key });
  },
  scalar: (value, dtype) => weakLiteral(dtype, value),
  region: (body, types) => regionWithMethods(body, types, { scalar: hostListener.scalar }),
};
