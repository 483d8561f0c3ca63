/** A QR decomposition that columns can be appended to. */
import { type ConstraintSink, convert, type Dim, dimText, type DType, type FloatResult, isKnown, type JoinDType, type Kind, type Of, type Operand, promote, requireNumbers, requireOperand, requireSameDim, sameShape, type Shape, stopGradient, subDims, TfError, floatResult, wrongArgument } from '@tf/core';
import { checkedOperand, matrixOperand } from '../arguments.ts';
import { block, isAtMost, joined } from '../blocks.ts';
import { matricesOf, smallerDim } from '../family.ts';
import { applyReflections, householderColumns, householderUpper, type ReflectedMatrix, reflectionsOf } from './operation.ts';

/** What a decomposition consists of: tensors, to be kept or carried through a loop, and made into a decomposition again. */
export interface HouseholderFactors<K extends Kind, D extends DType> {
  /** The columns decomposed so far, [..., m, n]: derivatives go by them. */
  readonly matrix: Of<K, D>;
  /** R in the upper triangle, below it the vectors of the reflections. */
  readonly h: Of<K, D>;
  /** [..., min(m, n)]. */
  readonly tau: Of<K, D>;
}

/**
 * A QR decomposition kept as reflections: columns are appended without factoring the earlier ones again, Q is formed only as far as asked for.
 * Values do not change; appending gives another decomposition. Made by {@link householderQr}.
 */
export class HouseholderQr<K extends Kind = Kind, D extends DType = DType> {
  readonly #factors: ReflectedMatrix;

  constructor(factors: ReflectedMatrix) {
    this.#factors = factors;
  }

  /** The decomposition with these factors, which are those of another one. */
  static fromFactors<K extends Kind, D extends DType>(factors: HouseholderFactors<K, D>): HouseholderQr<K, D> {
    const op = 'HouseholderQr.fromFactors';
    if (typeof factors !== 'object' || factors === null) throw wrongArgument(op, 'factors', factors, 'an object of matrix, h and tau');
    const { matrix, h, tau } = factors;
    requireOperand(op, 'tau', tau);
    const [a, reflections] = [matrixOperand(op, 'matrix', matrix), matrixOperand(op, 'h', h)];
    if (a.type.key !== reflections.type.key) throw new TfError('ShapeError', `${op}: matrix ${a.type.key} and h ${reflections.type.key} are not of one type. Give the factors of one decomposition.`, { op });
    const { lead, rows, columns } = matricesOf(op, a.type);
    if (tau.type.dtype !== a.type.dtype || !sameShape(tau.type.shape, [...lead, smallerDim(op, rows, columns)])) throw new TfError('ShapeError', `${op}: tau is ${tau.type.key}; of ${a.type.key} it has one element for each reflection. Give the factors of one decomposition.`, { op, argument: 'tau' });
    return new HouseholderQr<K, D>({ matrix: a, h: stopGradient(reflections) as Operand, tau: stopGradient(tau as Operand) as Operand });
  }

  get factors(): HouseholderFactors<K, D> {
    return this.#factors as unknown as HouseholderFactors<K, D>;
  }

  /** R, [..., min(m, n), n], its diagonal real. */
  r(): Of<K, D> {
    return householderUpper(this.#factors) as unknown as Of<K, D>;
  }

  /**
   * Columns of Q, [..., m, stop − start], those of range [start, stop]; the first min(m, n) when absent. There are m, those beyond the first
   * n span what is orthogonal to all columns.
   *
   * @throws ArgumentError for a range that is none or beyond m.
   */
  qColumns(range?: readonly [start: number, stop: number]): Of<K, D> {
    const op = 'qColumns';
    const [rows, columns] = this.#extents();
    if (range === undefined) return householderColumns(this.#factors, 0, smallerDim(op, rows, columns)) as unknown as Of<K, D>;
    requireNumbers(op, 'range', range, 'two numbers, such as [0, 2]');
    const [start, stop] = range;
    const isRange = range.length === 2 && range.every((at) => Number.isInteger(at)) && start >= 0 && start <= stop && (!isKnown(rows) || stop <= rows);
    if (!isRange) throw new TfError('ArgumentError', `${op}: ${JSON.stringify(range)} is no range of the ${dimText(rows)} columns of Q. Give [start, stop] with 0 ≤ start ≤ stop.`, { op, argument: 'range' });
    return householderColumns(this.#factors, start, stop) as unknown as Of<K, D>;
  }

  /**
   * The decomposition of the columns so far and those of `columns`, [..., m, p]. What was factored stays: the reflections are applied to the
   * new columns, and only what is left of these is factored.
   *
   * @throws ShapeError where rows or leading axes are not the same.
   */
  append<C extends Operand>(columns: C): HouseholderQr<K, FloatResult<JoinDType<Of<K, D>, C>>> {
    const op = 'append';
    const given = matrixOperand(op, 'columns', columns);
    const { matrix, h, tau } = this.#factors;
    const dtype = promote(floatResult(matrix.type.dtype), floatResult(given.type.dtype));
    if (dtype !== matrix.type.dtype) throw new TfError('DTypeError', `${op}: the decomposition is of ${matrix.type.key}, the columns are ${given.type.key}. Convert the matrix before it is decomposed: convert(x, '${dtype}').`, { op });
    const further = convert(given, dtype) as Operand;
    const [rows, before] = this.#extents();
    const beside = checkedOperand(further, (sink) => requireBeside(op, matrix, further, sink));
    if (!isAtMost(rows, before)) smallerDim(op, subDims(rows, before), further.type.shape.at(-1) as Dim);
    const turned = applyReflections({ h, tau }, stopGradient(beside) as Operand, true);
    const whole = joined([matrix, beside], -1);
    if (isAtMost(rows, before)) return new HouseholderQr({ matrix: whole, h: joined([h, turned], -1), tau });
    const added = further.type.shape.at(-1) as Dim;
    const rest = reflectionsOf(block(turned, [before, rows], [0, added]));
    const column = joined([block(turned, [0, before], [0, added]), rest.h], -2);
    return new HouseholderQr({ matrix: whole, h: joined([h, column], -1), tau: joined([tau, rest.tau], -1) });
  }

  #extents(): readonly [rows: Dim, columns: Dim] {
    return this.#factors.matrix.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  }
}

/** Refuses columns that do not stand beside a matrix. */
function requireBeside(op: string, { type: matrix }: Operand, { type: columns }: Operand, sink: ConstraintSink): void {
  const [wanted, there]: readonly [Shape, Shape] = [matrix.shape.slice(0, -1), columns.shape.slice(0, -1)];
  if (wanted.length === there.length && wanted.every((dim, axis) => requireSameDim(dim, there[axis] as Dim, `${op}: axis ${axis} of the matrix and of columns`, sink))) return;
  throw new TfError('ShapeError', `${op}: columns ${columns.key} do not stand beside ${matrix.key}: leading axes and rows are the same. Reshape or broadcast them.`, { op, argument: 'columns' });
}

/**
 * The QR decomposition of matrices as reflections, which columns can be appended to. R and columns of Q are differentiable where the leading
 * min(m, n) columns are independent.
 *
 * @throws ShapeError for fewer than two axes.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { householderQr } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * const r = householderQr(tensor([[3], [4]])).append(tensor([[5], [0]])).r();
 * console.log(evaluate(r, engine).toArray()); // → [ [ -5, -3 ], [ 0, -4 ] ]
 */
export function householderQr<K extends Kind, D extends DType>(x: Operand<K, D>): HouseholderQr<K, FloatResult<D>> {
  const matrix = matrixOperand('householderQr', 'x', x);
  return new HouseholderQr<K, FloatResult<D>>({ matrix, ...reflectionsOf(stopGradient(matrix) as Operand) });
}
