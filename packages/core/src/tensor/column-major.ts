import { TfError } from '../errors.ts';
import { hostForm } from '../program/host.ts';
import { requireNumbers, requireOptions, wrongArgument } from '../types/argument.ts';
import { type DType, dtypes, requireDTypeName, type TypedArray } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import { checkShape } from '../types/shape.ts';
import { type NaturalDType, tensor } from './create.ts';
import { isTypedArray, type Leaf } from './flatten.ts';
import { HostTensor } from './host-tensor.ts';

export interface ColumnMajorOptions<D extends DType> {
  /** The dtype; a typed array holds a complex one's real and imaginary parts in turn. */
  readonly dtype?: D;
}

/**
 * A tensor of values that lie in column-major order, as Fortran, MATLAB, R and Julia store them: the first index runs fastest.
 * They are copied into row-major order. A flat list or a typed array, which must fill `shape`; dtypes are those of `tensor`.
 *
 * @throws DataLengthError when the values do not fill `shape`; ShapeError, ArgumentError for nested lists and values that the
 * dtype cannot hold.
 * @example
 * import { fromColumnMajor } from '@tf/core';
 * const x = fromColumnMajor([1, 2, 3, 4, 5, 6], [2, 3]);
 * if (JSON.stringify(x.toArray()) !== '[[1,3,5],[2,4,6]]') throw new Error('unexpected');
 */
export function fromColumnMajor<V extends TypedArray | readonly Leaf[], D extends DType = NaturalDType<V>>(data: V, shape: readonly number[], options: ColumnMajorOptions<D> = {}): HostTensor<D> {
  const op = 'fromColumnMajor';
  requireNumbers(op, 'shape', shape, 'a list of integers, such as [2, 3]');
  checkShape(op, shape);
  requireOptions(op, options, ['dtype']);
  if (options.dtype !== undefined) requireDTypeName(op, options.dtype);
  if (!isTypedArray(data) && (!Array.isArray(data) || data.some((value) => Array.isArray(value)))) throw wrongArgument(op, 'data', data, 'a flat list of values or a typed array', 'Nested lists say their order themselves: tensor([[1, 2], [3, 4]]).');
  const flat: HostTensor<D> = tensor(data as V & readonly Leaf[], options);
  const count = shape.reduce((product, size) => product * size, 1);
  const given = flat.type.shape[0] as number;
  if (given !== count) throw new TfError('DataLengthError', `${op}: shape [${shape.join(', ')}] takes ${count} values, got ${given}. Give a shape that holds them all.`, { op, needed: count, got: given });
  const form = hostForm(flat as Operand);
  if (form?.form !== 'data') throw wrongArgument(op, 'data', data, 'values on the host');
  return tensor(rowMajor(form.data, shape, dtypes[flat.type.dtype].lanes), { shape, dtype: flat.type.dtype });
}

/** The same elements with the last index running fastest. */
function rowMajor(data: TypedArray, shape: readonly number[], lanes: number): TypedArray {
  const result = data.slice();
  const index = shape.map(() => 0);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, size) => product * size, 1));
  let from = 0;
  for (let to = 0; to < data.length; to += lanes) {
    for (let lane = 0; lane < lanes; lane++) result[to + lane] = data[from * lanes + lane] as never;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = (index[axis] as number) + 1;
      from += strides[axis] as number;
      if ((index[axis] as number) < (shape[axis] as number)) break;
      from -= (shape[axis] as number) * (strides[axis] as number);
      index[axis] = 0;
    }
  }
  return result;
}
