import { TfError } from '../errors.ts';
import { reshape } from '../primitives/movement.ts';
import { slice } from '../primitives/slicing.ts';
import { type Dim, dimText, isKnown } from '../types/dim.ts';
import { type DType, isComplex, type TypedArray } from '../types/dtype.ts';
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
  /**
   * What JavaScript's own operators see (`+x`, `x < 1`, `x + 1`): the number or boolean of one element that can be read here. Text is what
   * `toString` gives.
   *
   * @throws ArgumentError for anything else; TracerLeakError for a traced value that is not computed yet.
   */
  [Symbol.toPrimitive](hint: string): string | number | boolean;
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

  [Symbol.toPrimitive](hint: string): string | number | boolean {
    return primitiveOf(this as unknown as Readable, hint);
  }

  // Refused at once, not at the first row.
  [Symbol.iterator](): IterableIterator<unknown> {
    const x = this as unknown as Operand;
    return rowsOf(x, rowCount(x));
  }
} as unknown as OperandConstructor;

interface Readable extends Operand {
  item?(): unknown;
}

function primitiveOf(x: Readable, hint: string): string | number | boolean {
  if (hint === 'string') return String(x.toString());
  const { shape, dtype, key } = x.type;
  const isOne = shape.every((dim) => dim === 1);
  const value = isOne && !isComplex(dtype) ? x.item?.() : undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const why = !isOne ? 'it does not have exactly one element' : isComplex(dtype) ? 'a complex value is no number' : 'its value is not known here';
  throw new TfError('ArgumentError', `A tensor ${key} was used as a number, but ${why}. Compute with x.add(…), compare with x.lt(…), or read its values first: x.item() for one, x.toArray() for all.`, { argument: 'x', type: key });
}

function rowCount({ type: { shape, key } }: Operand): number {
  const [rows] = shape;
  if (rows === undefined) throw new TfError('ShapeError', `A scalar ${key} was iterated over, but it has no axis. Use x.item() for its value. (Test runners that compare tensors iterate over them: compare x.toArray().)`, { shape });
  if (!isKnown(rows)) throw new TfError('ShapeError', `A ${key} was iterated over, but how many rows it has, ${dimText(rows)}, is known only when it runs. Use scan over its first axis, or vmap.`, { shape });
  return rows;
}

/** Rows of values that can be read here are data. `read` is asked once, and not for a tensor without rows. */
export function dataRows<T>(x: Operand, read: () => TypedArray, make: (type: TensorType, data: TypedArray) => T): IterableIterator<T> {
  const rows = rowCount(x);
  const type = tensorType(x.type.dtype, x.type.shape.slice(1));
  const data = read();
  const length = data.length / Math.max(1, rows);
  return Array.from({ length: rows }, (_, row) => make(type, data.slice(row * length, (row + 1) * length))).values();
}

function* rowsOf(x: Operand, rows: number): IterableIterator<unknown> {
  const rest = x.type.shape.slice(1);
  const zeros: readonly Dim[] = rest.map(() => 0);
  for (let row = 0; row < rows; row++) yield reshape(slice(x, [row, ...zeros], [row + 1, ...rest]) as Operand, rest);
}
