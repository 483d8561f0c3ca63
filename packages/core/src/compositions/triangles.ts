/** Triangles and diagonals of the matrices in two axes. */
import { TfError } from '../errors.ts';
import { sub } from '../primitives/arithmetic.ts';
import { equal, greaterEqual, lessEqual } from '../primitives/compare.ts';
import { takeAlongAxis } from '../primitives/indexing.ts';
import { iotaBeside } from '../primitives/iota.ts';
import { broadcastTo, reshape, transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { pad, slice } from '../primitives/slicing.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireInteger, requireNumbers, requireOptions } from '../types/argument.ts';
import { addDims, type Dim, isKnown, mulDims, sameDim } from '../types/dim.ts';
import type { DType, SumResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxis, type Shape } from '../types/shape.ts';

type Truth = Operand<Kind, 'bool'>;

/** Column less row of each element of a matrix beside x, as its two axes' indices broadcast. */
function offsets(op: string, x: Operand, rows: Dim, columns: Dim): Operand {
  return sub(iotaBeside(op, x, columns), reshape(iotaBeside(op, x, rows), [rows, 1]) as Operand);
}

function requireMatrices(op: string, x: Operand): readonly [Dim, Dim] {
  requireOperand(op, 'x', x);
  const { shape } = x.type;
  if (shape.length < 2) throw new TfError('ShapeError', `${op}: takes matrices in the last two axes, got ${x.type.key}. Reshape it to have two axes or more.`, { op, shape });
  return shape.slice(-2) as unknown as readonly [Dim, Dim];
}

function triangle(op: string, x: Operand, k: number, holds: typeof lessEqual): Operand {
  const [rows, columns] = requireMatrices(op, x);
  requireInteger(op, 'k', k);
  return select(holds(offsets(op, x, rows, columns), k) as Truth, x, 0);
}

/**
 * The elements on and below the k-th diagonal of the last two axes, and 0 elsewhere; k = 0 is the main diagonal, a negative one lies
 * below it.
 *
 * @throws ShapeError for fewer than two axes.
 * @example
 * import { Builder, tensorType, tril } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3, 4]), 'x');
 * if (tril(x, -1).type.key !== 'f64[3, 4]') throw new Error('unexpected');
 */
export function tril<K extends Kind, D extends DType>(x: Operand<K, D>, k = 0): Of<K, D> {
  return triangle('tril', x, k, lessEqual) as Of<K, D>;
}

/** The elements on and above the k-th diagonal of the last two axes, and 0 elsewhere; as {@link tril}. */
export function triu<K extends Kind, D extends DType>(x: Operand<K, D>, k = 0): Of<K, D> {
  return triangle('triu', x, k, greaterEqual) as Of<K, D>;
}

export interface DiagonalOptions {
  /** Which diagonal: 0 the main one, positive ones above it. */
  readonly offset?: number;
  /** The axes of rows and of columns; the last two when absent. */
  readonly axes?: readonly [number, number];
}

function requireDiagonalOptions(op: string, options: DiagonalOptions): void {
  requireOptions(op, options, ['offset', 'axes']);
  if (options.offset !== undefined) requireInteger(op, 'offset', options.offset);
  if (options.axes !== undefined) requireNumbers(op, 'axes', options.axes, 'two axes, such as [-2, -1]');
}

/** The axes of rows and columns of a tensor with this many axes. */
function matrixAxes(op: string, rank: number, { axes = [-2, -1] }: DiagonalOptions): readonly [number, number] {
  if (rank < 2) throw new TfError('ShapeError', `${op}: rank ${rank} has no rows and columns. Reshape it to have two axes or more.`, { op });
  const [row, column] = [normaliseAxis(op, axes[0], rank, 'axes'), normaliseAxis(op, axes[1], rank, 'axes')];
  if (row === column || axes.length !== 2) throw new TfError('AxisError', `${op}: axes ${JSON.stringify(axes)} must name two different axes, that of the rows and that of the columns.`, { op, argument: 'axes' });
  return [row, column];
}

/** Rows and columns last. */
function withMatricesLast(op: string, x: Operand, options: DiagonalOptions): Operand {
  requireOperand(op, 'x', x);
  requireDiagonalOptions(op, options);
  const rank = x.type.shape.length;
  const [row, column] = matrixAxes(op, rank, options);
  return transpose(x, [...x.type.shape.map((_, axis) => axis).filter((axis) => axis !== row && axis !== column), row, column]) as Operand;
}

/**
 * A diagonal of two axes, which the result has as its last axis: element i is x[i, i + offset], as many as there are. In row-major
 * order they lie one row and one element apart, so nothing is copied of a contiguous x.
 *
 * @throws AxisError, ShapeError for fewer than two axes, or for symbolic sizes that are not those of a square's main diagonal.
 * @example
 * import { Builder, diagonal, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3, 4]), 'x');
 * if (diagonal(x, { offset: 2 }).type.key !== 'f64[2, 2]') throw new Error('unexpected');
 */
export function diagonal<K extends Kind, D extends DType>(x: Operand<K, D>, options: DiagonalOptions = {}): Of<K, D> {
  return lastDiagonal('diagonal', withMatricesLast('diagonal', x, options), options.offset ?? 0) as Of<K, D>;
}

function lastDiagonal(op: string, x: Operand, offset: number): Operand {
  const { shape } = x.type;
  const lead = shape.slice(0, -2);
  const [rows, columns] = shape.slice(-2) as unknown as readonly [Dim, Dim];
  if (!isKnown(rows) || !isKnown(columns)) return symbolicDiagonal(op, x, offset);
  const count = Math.max(0, Math.min(rows - Math.max(0, -offset), columns - Math.max(0, offset)));
  const first = offset >= 0 ? Math.min(offset, rows * columns) : Math.min(-offset, rows) * columns;
  const flat = reshape(x, [...lead, rows * columns]) as Operand;
  const stop = count === 0 ? first : first + (count - 1) * (columns + 1) + 1;
  return slice(flat, [...lead.map(() => 0), first], [...lead, stop], [...lead.map(() => 1), columns + 1]);
}

function symbolicDiagonal(op: string, x: Operand, offset: number): Operand {
  const { shape } = x.type;
  const size = shape.at(-1) as Dim;
  if (offset !== 0 || !sameDim(size, shape.at(-2) as Dim)) throw new TfError('ShapeError', `${op}: how long the diagonal ${offset} of ${x.type.key} is depends on sizes that are not known yet. Bind them first, or take the main diagonal of square matrices.`, { op, shape });
  const column = broadcastTo(reshape(iotaBeside(op, x, size), [size, 1]) as Operand, [...shape.slice(0, -1), 1]) as Operand<Kind, 'int32'>;
  return reshape(takeAlongAxis(x, column), shape.slice(0, -1)) as Operand;
}

/**
 * Matrices with the last axis of x on their diagonal and 0 elsewhere, square and just large enough; `axes` say where rows and columns
 * are in the result. The adjoint of {@link diagonal}.
 *
 * @throws ShapeError for rank 0, AxisError.
 */
export function diagEmbed<K extends Kind, D extends DType>(x: Operand<K, D>, options: DiagonalOptions = {}): Of<K, D> {
  const op = 'diagEmbed';
  requireOperand(op, 'x', x);
  requireDiagonalOptions(op, options);
  const { shape } = x.type;
  if (shape.length === 0) throw new TfError('ShapeError', `${op}: ${x.type.key} has no axis to put on a diagonal. Reshape it to [1].`, { op });
  const [row, column] = matrixAxes(op, shape.length + 1, options);
  const rest = shape.slice(0, -1).map((_, axis) => axis).values();
  const matrices = lastDiagonalOf(op, x, options.offset ?? 0);
  return transpose(matrices, [...shape, 1].map((_, at) => (at === row ? shape.length - 1 : at === column ? shape.length : (rest.next().value as number)))) as Of<K, D>;
}

function lastDiagonalOf(op: string, x: Operand, offset: number): Operand {
  const lead: Shape = x.type.shape.slice(0, -1);
  const count = x.type.shape.at(-1) as Dim;
  const size = addDims(count, Math.abs(offset));
  if (!isKnown(size) || !isKnown(count)) {
    const rows = offset >= 0 ? pad(x, { low: [...lead.map(() => 0), 0], high: [...lead.map(() => 0), offset] }) : pad(x, { low: [...lead.map(() => 0), -offset], high: [...lead.map(() => 0), 0] });
    return select(equal(offsets(op, x, size, size), offset) as Truth, broadcastTo(reshape(rows as Operand, [...lead, size, 1]) as Operand, [...lead, size, size]) as Operand, 0);
  }
  const first = offset >= 0 ? offset : -offset * size;
  const reach = count === 0 ? 0 : (count - 1) * (size + 1) + 1;
  const zeros = lead.map(() => 0);
  const flat = pad(x, { low: [...zeros, first], high: [...zeros, size * size - first - reach], interior: [...zeros, size] }) as Operand;
  return reshape(flat, [...lead, size, size]) as Operand;
}

/** The sum of a diagonal of two axes, booleans counted in int32; of symbolic sizes too. Errors as {@link diagonal}. */
export function trace<K extends Kind, D extends DType>(x: Operand<K, D>, options: DiagonalOptions = {}): Of<K, SumResult<D>> {
  const matrices = withMatricesLast('trace', x, options);
  const { shape } = matrices.type;
  const [rows, columns] = shape.slice(-2) as unknown as readonly [Dim, Dim];
  const offset = options.offset ?? 0;
  if (isKnown(mulDims(rows, columns))) return sum(lastDiagonal('trace', matrices, offset), { axes: -1 }) as Of<K, SumResult<D>>;
  return sum(select(equal(offsets('trace', matrices, rows, columns), offset) as Truth, matrices, 0), { axes: [-2, -1] }) as Of<K, SumResult<D>>;
}
