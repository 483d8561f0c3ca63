/** Eigenvalues and vectors of Hermitian matrices: A = V diag(w) Vᴴ, w ascending. */
import { applyOperation, checkOptions, type ConstraintSink, type Dim, type DType, type FloatResult, type Kind, type Of, type Operand, type Operation, type OptionChecks, type Params, type RealPart, realPart, type TensorType, tensorType } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { batchOf, defineOperation, squaresOf } from '../family.ts';
import { withPositivePivots } from '../gauge.ts';
import { oneOf, spectralChecks, type SpectralOptions, spectralParams } from '../options.ts';

function integers([a]: readonly TensorType[], { upper }: Params): readonly Dim[] {
  const matrices = squaresOf('eigh', a as TensorType, () => undefined);
  return [batchOf(matrices), matrices.rows, upper === true ? 1 : 0];
}

function valuesType(op: string, a: TensorType, sink: ConstraintSink): TensorType {
  const { lead, columns } = squaresOf(op, a, sink);
  return tensorType(realPart(a.dtype), [...lead, columns]);
}

/** Values alone, by an algorithm that forms no vectors. */
export const eigvalshOperation: Operation = defineOperation({
  name: 'eigvalsh',
  operands: 1,
  infer: ([a], _params, sink) => [valuesType('eigvalsh', a as TensorType, sink)],
  integers,
});

export const eighOperation: Operation = defineOperation({
  name: 'eigh',
  operands: 1,
  infer: ([a], _params, sink) => [valuesType('eigh', a as TensorType, sink), a as TensorType],
  integers,
  traits: {
    prune: (params, [, vectors]) => (vectors === true ? undefined : { operation: eigvalshOperation, params, inputs: [0], outputs: [0, undefined], exact: false }),
    covers: (params) => ({ operation: eigvalshOperation, params, outputs: [0], exact: false }),
  },
});

export interface EighOptions extends SpectralOptions {
  /** Which triangle is read, `L` (lower) or `U` (upper); `L` when absent. */
  readonly uplo?: 'L' | 'U';
}

const eighChecks: OptionChecks = { uplo: oneOf('L', 'U'), ...spectralChecks };

function paramsOf(options: EighOptions): Params {
  return { upper: options.uplo === 'U', ...spectralParams(options) };
}

export interface Eigh<K extends Kind, D extends DType> {
  /** Ascending, [..., n]. */
  readonly values: Of<K, RealPart<FloatResult<D>>>;
  /** Column i belongs to value i, [..., n, n]; orthonormal. */
  readonly vectors: Of<K, FloatResult<D>>;
}

/**
 * Eigenvalues and eigenvectors of Hermitian (real: symmetric) matrices, the last two axes of x: x = V diag(w) Vᴴ. One triangle is
 * read, and of the diagonal the real part; the other may hold anything. The derivative is that on Hermitian matrices: of a tangent
 * its Hermitian part counts, and gradients are Hermitian, (G + Gᴴ)/2. Vectors of equal values, and phases, are not determined: losses
 * that depend on them have no gradient, and {@link SpectralOptions} say what they get.
 *
 * @throws ShapeError where matrices are not square, ArgumentError for options that are none.
 * @example
 * import { tensor } from '@tf/core';
 * import { eigh } from '@tf/linalg';
 * const { values, vectors } = eigh(tensor([[2, 1], [1, 2]]));
 * if (values.type.key !== 'f64[2]' || vectors.type.key !== 'f64[2, 2]') throw new Error('unexpected');
 */
export function eigh<K extends Kind, D extends DType>(x: Operand<K, D>, options: EighOptions = {}): Eigh<K, D> {
  const op = 'eigh';
  checkOptions(op, options, eighChecks);
  const [values, vectors] = applyOperation(eighOperation, [squareOperand(op, 'x', x)], paramsOf(options)) as readonly [Operand, Operand];
  return { values, vectors: options.gauge === 'canonicalPivot' ? withPositivePivots(vectors) : vectors } as unknown as Eigh<K, D>;
}

/** The eigenvalues alone, ascending, by a faster algorithm; as {@link eigh} of which it is the first part, last digits apart. */
export function eigvalsh<K extends Kind, D extends DType>(x: Operand<K, D>, options: Omit<EighOptions, 'gauge'> = {}): Of<K, RealPart<FloatResult<D>>> {
  const op = 'eigvalsh';
  checkOptions(op, options, eighChecks);
  return applyOperation(eigvalshOperation, [squareOperand(op, 'x', x)], paramsOf(options))[0] as Of<K, RealPart<FloatResult<D>>>;
}
