import { TfError } from '../errors.ts';
import { reshape } from '../primitives/movement.ts';
import { slice } from '../primitives/slicing.ts';
import { type Dim, dimText, isKnown } from '../types/dim.ts';
import type { DType, TypedArray } from '../types/dtype.ts';
import { type Kind, type Listener, listenerKey, type Of, type Operand } from '../types/operand.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { tensorInfo, type TensorInfo } from './tensor-info.ts';

/** What every tensor is beside its methods. */
export interface OperandParts<K extends Kind, D extends DType> extends Operand<K, D> {
  /** What it is and where, read without its values: `console.log(x.info)` prints a line. */
  readonly info: TensorInfo;
  /**
   * The rows: slices along the first axis, in order, without that axis (as NumPy and JAX iterate). In a function that is traced, a loop over
   * them is unrolled; `scan` is not.
   *
   * @throws ShapeError for a tensor without axes, or whose first extent is known only when it runs.
   */
  [Symbol.iterator](): IterableIterator<Of<K, D>>;
}

/** A class whose instances are operands, once a subclass says their `type` and `listener`. */
export interface OperandConstructor {
  new <K extends Kind, D extends DType>(): OperandParts<K, D>;
}

/**
 * Carries the listener under the key that operations look for. Isolated declarations take no computed names in exported
 * classes, so the one class that needs such a name is an expression, and tensors of all front ends extend it.
 */
export const OperandBase: OperandConstructor = class {
  declare readonly listener: Listener<never>;

  get [listenerKey](): Listener<never> {
    return this.listener;
  }

  get info(): TensorInfo {
    return tensorInfo(this as unknown as Operand);
  }

  // Refused at once, not at the first row.
  [Symbol.iterator](): IterableIterator<unknown> {
    const x = this as unknown as Operand;
    return rowsOf(x, rowCount(x));
  }
} as unknown as OperandConstructor;

function rowCount({ type: { shape, key } }: Operand): number {
  const [rows] = shape;
  if (rows === undefined) throw new TfError('ShapeError', `A scalar ${key} was iterated over, but it has no axis. Use x.item() for its value. (Test runners that compare tensors iterate over them: compare x.toArray().)`, { shape });
  if (!isKnown(rows)) throw new TfError('ShapeError', `A ${key} was iterated over, but how many rows it has, ${dimText(rows)}, is known only when it runs. Use scan over its first axis, or vmap.`, { shape });
  return rows;
}

/** Rows that are there already, of data on the host, are data too. */
export function dataRows<T>(x: Operand, data: TypedArray, make: (type: TensorType, data: TypedArray) => T): IterableIterator<T> {
  const rows = rowCount(x);
  const type = tensorType(x.type.dtype, x.type.shape.slice(1));
  const length = data.length / Math.max(1, rows);
  return Array.from({ length: rows }, (_, row) => make(type, data.slice(row * length, (row + 1) * length))).values();
}

function* rowsOf(x: Operand, rows: number): IterableIterator<unknown> {
  const rest = x.type.shape.slice(1);
  const zeros: readonly Dim[] = rest.map(() => 0);
  for (let row = 0; row < rows; row++) yield reshape(slice(x, [row, ...zeros], [row + 1, ...rest]) as Operand, rest);
}
