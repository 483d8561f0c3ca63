/** Host tensors that are described by a few numbers: they cost no memory until they are used, and no array is copied then. */
import { TfError } from '../errors.ts';
import { add, mul, sub } from '../primitives/arithmetic.ts';
import { equal } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { iotaPrimitive } from '../primitives/iota.ts';
import { reshape } from '../primitives/movement.ts';
import { select } from '../primitives/select.ts';
import { requireFlag, requireInteger, requireNumber, requireOptions, wrongNumber } from '../types/argument.ts';
import { type DType, dtypes, requireDTypeName } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import { stored } from './create.ts';
import { deferOperation, HostTensor } from './host-tensor.ts';

function iota(size: number, dtype: DType): HostTensor {
  return deferOperation(iotaPrimitive.operation, [], { size, dtype })[0] as HostTensor;
}

function requireSize(op: string, argument: string, size: unknown): asserts size is number {
  if (!Number.isSafeInteger(size) || (size as number) < 0) throw wrongNumber(op, argument, size, 'a size, 0 or more');
}

export interface SequenceOptions<D extends DType> {
  /** float64 when absent. */
  readonly dtype?: D;
}

/**
 * start, start + step, … before `stop`; `arange(stop)` counts from 0. Each is start + i·step, rounded to the dtype.
 *
 * @throws ArgumentError for a step of 0 or so small that the elements cannot be counted, numbers that are not
 * finite, and for fractions or elements that an integer dtype cannot hold.
 * @example
 * import { arange } from '@tf/core';
 * if (arange(2, 8, 3, { dtype: 'int32' }).type.key !== 'i32[2]') throw new Error('unexpected');
 */
export function arange<D extends DType = 'float64'>(start: number, stop?: number, step = 1, options: SequenceOptions<D> = {}): HostTensor<D> {
  const op = 'arange';
  requireOptions(op, options, ['dtype']);
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const dtype: DType = options.dtype ?? 'float64';
  requireDTypeName(op, dtype);
  const isInteger = dtypes[dtype].kind === 'int';
  for (const [name, value] of [['start', from], ['stop', to], ['step', step]] as const) {
    requireNumber(op, name, value);
    if (!Number.isFinite(value) || (isInteger && name !== 'stop' && !Number.isInteger(value))) throw new TfError('ArgumentError', `${op}: ${name} is ${value}; it takes ${isInteger ? `integers for ${dtype}` : 'finite numbers'}. Round it first, or ask for float64.`, { op, argument: name, value });
  }
  if (step === 0) throw new TfError('ArgumentError', `${op}: a step of 0 never reaches ${to}. Use full for equal elements.`, { op, argument: 'step' });
  const count = countOf(from, to, step);
  if (!Number.isSafeInteger(count)) throw new TfError('ArgumentError', `${op}: from ${from} to ${to} in steps of ${step} there are more elements than can be counted. Give a larger step.`, { op, argument: 'step', step });
  if (isInteger && count > 0) for (const value of [from, ...(count > 1 ? [step, from + (count - 1) * step] : [])]) stored(op, dtype, value);
  return affine(iota(count, isInteger ? dtype : 'float64'), from, step, dtype) as HostTensor<D>;
}

/** How many are before `to`. */
function countOf(from: number, to: number, step: number): number {
  const span = to - from;
  return Math.max(0, Math.ceil(Number.isFinite(span) ? span / step : to / step - from / step));
}

/** from + i·step. */
function affine(indices: HostTensor, from: number, step: number, dtype: DType): Operand {
  const count = indices.type.shape[0] as number;
  const scaled: Operand = step === 1 || count < 2 ? indices : mul(indices, step);
  const moved: Operand = from === 0 || count < 1 ? scaled : add(scaled, from);
  return convert(moved, dtype);
}

export interface LinspaceOptions<D extends DType> extends SequenceOptions<D> {
  /** Whether `stop` is the last element (default: true). */
  readonly endpoint?: boolean;
}

/**
 * `count` numbers evenly spaced from `start` to `stop`, or to one space before it without `endpoint`.
 *
 * @throws ArgumentError when a bound is no number or `count` no size.
 * @example
 * import { linspace } from '@tf/core';
 * if (linspace(0, 1, 5).type.key !== 'f64[5]') throw new Error('unexpected');
 */
export function linspace<D extends DType = 'float64'>(start: number, stop: number, count: number, options: LinspaceOptions<D> = {}): HostTensor<D> {
  const op = 'linspace';
  requireNumber(op, 'start', start);
  requireNumber(op, 'stop', stop);
  requireSize(op, 'count', count);
  requireOptions(op, options, ['dtype', 'endpoint']);
  requireFlag(op, 'endpoint', options.endpoint);
  const dtype: DType = options.dtype ?? 'float64';
  requireDTypeName(op, dtype);
  const closed = options.endpoint !== false && count > 1;
  const indices = iota(count, 'float64');
  const spaced = affine(indices, start, (stop - start) / Math.max(1, closed ? count - 1 : count), 'float64');
  return convert(closed ? (select(equal(indices, count - 1), stop, spaced) as Operand) : spaced, dtype) as unknown as HostTensor<D>;
}

export interface EyeOptions<D extends DType> extends SequenceOptions<D> {
  /** Which diagonal holds the ones: 0 the main one, positive ones above it. */
  readonly offset?: number;
}

/**
 * A matrix with ones on a diagonal and zeros elsewhere, square unless `columns` is given.
 *
 * @throws ArgumentError when a size is no size or the offset no integer.
 */
export function eye<D extends DType = 'float64'>(rows: number, columns: number = rows, options: EyeOptions<D> = {}): HostTensor<D> {
  const op = 'eye';
  requireSize(op, 'rows', rows);
  requireSize(op, 'columns', columns);
  requireOptions(op, options, ['dtype', 'offset']);
  const { offset = 0, dtype = 'float64' } = options;
  requireInteger(op, 'offset', offset);
  requireDTypeName(op, dtype);
  const difference = sub(iota(columns, 'int32'), reshape(iota(rows, 'int32'), [rows, 1]) as Operand);
  return convert(equal(difference, offset), dtype) as HostTensor<D>;
}
