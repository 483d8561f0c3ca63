import { differentiatedInside, hostForm, type HostTensor, invariant, isOperand, type Operand, tensor, type TensorType, TfError, wrongArgument } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import type { TensorLike } from './eager-tensor.ts';
import { mismatch } from './faults.ts';
import { coreKey, eagerKey, recordKey } from './keys.ts';
import { liveRecord, type OwnTensor } from './own-tensor.ts';
import { holdRecord, ValueRecord } from './value.ts';

/** The value of something that is or becomes a tensor of this runtime; a number takes the dtype of `expected`. */
export function recordOf(core: RuntimeCore, op: string, value: TensorLike, expected?: TensorType, argument = 'value'): ValueRecord {
  if (typeof value === 'number' && expected?.shape.length === 0) return (core.listener.scalar(value, expected.dtype) as OwnTensor)[recordKey] as ValueRecord;
  if (!isOperand(value)) return hostRecord(core, tensor(value));
  if (!(eagerKey in value) && hostForm(value) === undefined) throw foreign(op, argument, value.type);
  if (!(eagerKey in value)) return takeRecord(core.listener.lift(value) as OwnTensor);
  const own = value as unknown as Partial<OwnTensor>;
  if (own[coreKey] !== core) throw mismatch({ op, argument }, core.name, own[coreKey]?.name, value.type);
  return liveRecord(own as OwnTensor, op);
}

/** The value of a tensor that nobody else will see, which lets go of it. */
function takeRecord(tensor: OwnTensor): ValueRecord {
  const record = holdRecord(tensor[recordKey] as ValueRecord);
  tensor.dispose();
  record.holders--;
  return record;
}

/** A tensor of this runtime; anything else depends on none of its variables. */
export function ownTensor(core: RuntimeCore, op: string, value: Operand, argument = 'y'): OwnTensor {
  const own = eagerOperand(op, value, argument, argument !== 'y');
  if (own[coreKey] !== core) throw mismatch({ op, argument }, core.name, own[coreKey]?.name, value.type);
  return own as OwnTensor;
}

/** The runtime of the tensor. */
export function coreOf(op: string, value: Operand): RuntimeCore {
  const core = eagerOperand(op, value, 'outputs', false)[coreKey];
  if (core === undefined) throw mismatch({ op, argument: 'outputs' }, 'a runtime of this copy of @tf/eager', undefined, value.type);
  return core;
}

function eagerOperand(op: string, value: Operand, argument: string, isInput: boolean): Partial<OwnTensor> {
  if (!isOperand(value)) throw wrongArgument(op, argument, value, 'a tensor', Array.isArray(value) && isInput ? 'For several tensors: vjpMany(y, inputs, cotangent), jvpMany(y, inputs, tangents).' : undefined);
  if ('owner' in value) throw differentiatedInside(op, value.type);
  if (!(eagerKey in value) && isInput) throw new TfError('InactiveGradError', `${op}: ${argument}, a value ${value.type.key}, is no eager tensor, and nobody records what is computed from it. Make it one before: const x = runtime.variable(value); compute y from x, and pass x here.`, { op, argument });
  if (!(eagerKey in value)) throw new TfError('InactiveGradError', `${op}: ${argument}, a value ${value.type.key} that is no eager tensor, depends on no tracked variable. Compute it from variables, made with runtime.variable(…).`, { op, argument });
  return value as unknown as Partial<OwnTensor>;
}

function foreign(op: string, argument: string, { key }: TensorType): TfError {
  return new TfError('ForeignValueError', `${op}: ${argument}, a value ${key} of another front end, has no data here. Run it first (evaluate, jit or compile of @tf/traced give tensors with data), then pass its result.`, { op, argument, type: key });
}

/** The data of a host tensor that was made here: nobody else holds them. */
function hostRecord(core: RuntimeCore, host: HostTensor): ValueRecord {
  const form = hostForm(host as Operand);
  invariant(form?.form === 'data', 'A tensor made of values has no data');
  return new ValueRecord(core.types.of(host.type), undefined, form.data, 0, true);
}
