import { isComplex, isOperand, TfError } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import { recordOf } from './create.ts';
import type { TensorLike } from './eager-tensor.ts';
import { otherType } from './faults.ts';
import { eagerKey } from './keys.ts';
import { type OwnTensor, traceOf } from './own-tensor.ts';
import type { TraceValue } from './trace.ts';
import { unitRecord, type ValueRecord } from './value.ts';

/** A cotangent or tangent: its value, and where it comes from if a trace knows. */
export interface Seed {
  readonly record: ValueRecord;
  readonly origin: TraceValue | undefined;
}

/** `value` as the cotangent or tangent of `tensor`, whose type it must have; a number is taken for a scalar. */
export function seedFor(core: RuntimeCore, op: string, argument: string, { type }: OwnTensor, value: TensorLike): Seed {
  const record = recordOf(core, op, value, type, argument);
  if (record.type.key !== type.key) throw otherType(op, argument, type, record.type);
  return { record, origin: isOperand(value) && eagerKey in value ? traceOf(value as unknown as OwnTensor) : undefined };
}

/** How the derivative that was asked for, or the nearest one, takes a cotangent. */
function withCotangent(op: string): string {
  if (op === 'backward') return 'y.backward({ cotangent })';
  return op === 'vjpMany' ? 'runtime.vjpMany(y, inputs, cotangent)' : 'runtime.vjp(y, x, cotangent)';
}

/** The cotangent given for an output, or the 1 of a real scalar. */
export function cotangentFor(core: RuntimeCore, op: string, output: OwnTensor, cotangent: TensorLike | undefined): Seed {
  if (cotangent !== undefined) return seedFor(core, op, 'cotangent', output, cotangent);
  const { type } = output;
  if (type.shape.length === 0 && !isComplex(type.dtype)) return { record: unitRecord(core.types.of(type)), origin: undefined };
  throw new TfError('NonScalarGradError', `${op}: needs a real scalar, got ${type.key}. Reduce it first (sum), or give a cotangent of type ${type.key}: ${withCotangent(op)}.`, { op, shape: type.shape, dtype: type.dtype });
}
