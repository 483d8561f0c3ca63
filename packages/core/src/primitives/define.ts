import type { BatchRule, Operation, Params, Rule, Traits } from '../contract.ts';
import { type ErrorName, isTfError, TfError } from '../errors.ts';
import { type DType, isComplex } from '../types/dtype.ts';
import type { ConstraintSink } from '../types/shape.ts';
import { type TensorType, typeText } from '../types/tensor-type.ts';
import { coreVersion } from '../types/version.ts';

/** The family of the operations that ship with core. */
export const coreFamily = 'tf.core';

/** An operation with its rule, as the files of this room define them. */
export interface Primitive {
  readonly operation: Operation;
  readonly rule: Rule;
}

export interface PrimitiveDefinition {
  readonly name: string;
  /** The function that users call, where it has another name: `take` for `gather`. */
  readonly called?: (params: Params) => string;
  /** How many operands, or `many` for one and more. */
  readonly inputs: number | 'many';
  readonly infer: (inputs: readonly TensorType[], params: Params, sink: ConstraintSink, op: string) => readonly TensorType[];
  readonly traits?: Traits;
  /** The same by other operations, where traits do not say what it computes. */
  readonly lower?: Operation['lower'];
  readonly rule: Rule;
  /** How it runs over a further axis, where its traits do not say. */
  readonly batch?: BatchRule;
}

export function definePrimitive(definition: PrimitiveDefinition): Primitive {
  const id = `${coreFamily}.${definition.name}`;
  const operation: Operation = Object.freeze({
    id,
    family: coreFamily,
    name: definition.name,
    package: '@tf/core',
    version: coreVersion,
    infer(inputs: readonly TensorType[], params: Params, sink: ConstraintSink): readonly TensorType[] {
      const op = definition.called?.(params) ?? definition.name;
      if (definition.inputs === 'many' ? inputs.length === 0 : inputs.length !== definition.inputs) {
        throw new TfError('ArgumentError', `${op}: takes ${definition.inputs === 'many' ? 'at least 1' : definition.inputs} operands, got ${inputs.length}.`, { op });
      }
      try {
        return definition.infer(inputs, params, sink, op);
      } catch (error) {
        throw renamed(error, op);
      }
    },
    traits: Object.freeze(definition.traits ?? {}),
    ...(definition.lower === undefined ? {} : { lower: definition.lower }),
  });
  const { rule, batch } = definition;
  return Object.freeze({ operation, rule: Object.freeze(batch === undefined ? rule : { ...rule, batch }) });
}

/** A result's type that cannot be is the operation's error, not that of `tensorType`. */
function renamed(error: unknown, op: string): unknown {
  if (!isTfError(error) || error.fields.op !== 'tensorType') return error;
  return new TfError(error.name as ErrorName, error.message.replace('tensorType', op), { ...error.fields, op }, { cause: error });
}

/** Throws unless the dtype is among `allowed`; the message names the operation and what it takes. */
export function requireDType(op: string, type: TensorType, allowed: readonly DType[]): void {
  if (allowed.includes(type.dtype)) return;
  const remedy = isComplex(type.dtype) && !allowed.some(isComplex) ? 'Take real(x), imag(x) or abs(x) first' : `Convert it first: convert(x, '${allowed.includes('float64') ? 'float64' : (allowed[0] as string)}')`;
  throw new TfError('DTypeError', `${op}: takes ${allowed.join(', ')}, got ${typeText(type)}. ${remedy}.`, { op, dtype: type.dtype });
}

export const floats: readonly DType[] = ['float32', 'float64'];
export const complexes: readonly DType[] = ['complex64', 'complex128'];
export const inexact: readonly DType[] = ['float32', 'float64', 'complex64', 'complex128'];
export const numeric: readonly DType[] = ['float32', 'float64', 'complex64', 'complex128', 'int32', 'int64'];
export const ordered: readonly DType[] = ['float32', 'float64', 'int32', 'int64', 'bool'];
export const anyDType: readonly DType[] = ['float32', 'float64', 'complex64', 'complex128', 'int32', 'int64', 'bool'];
