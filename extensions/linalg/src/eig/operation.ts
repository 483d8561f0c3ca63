/** Eigenvalues and vectors of square matrices: A V = V diag(w), complex also for real A, in no particular order. */
import { applyOperation, type ArgumentCheck, checkOptions, complexOf, type ComplexOf, type DType, type FloatDType, isComplex, type Kind, type Of, type Operand, type Operation, type OptionChecks, type TensorType, tensorType } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { batchOf, defineOperation, type LinalgDefinition, squaresOf } from '../family.ts';
import { withPositivePivots } from '../gauge.ts';
import { spectralChecks, type SpectralOptions } from '../options.ts';

const complexDType = (dtype: DType): DType => (isComplex(dtype) ? dtype : complexOf(dtype as FloatDType));

const integers: LinalgDefinition['integers'] = ([a]) => {
  const matrices = squaresOf('eig', a as TensorType, () => undefined);
  return [batchOf(matrices), matrices.rows];
};

/** Values alone, by an algorithm that forms no vectors. */
export const eigvalsOperation: Operation = defineOperation({
  name: 'eigvals',
  operands: 1,
  infer: ([a], _params, sink) => {
    const { lead, rows } = squaresOf('eigvals', a as TensorType, sink);
    return [tensorType(complexDType((a as TensorType).dtype), [...lead, rows])];
  },
  integers,
});

export const eigOperation: Operation = defineOperation({
  name: 'eig',
  operands: 1,
  infer: ([a], _params, sink) => {
    const { lead, rows } = squaresOf('eig', a as TensorType, sink);
    const dtype = complexDType((a as TensorType).dtype);
    return [tensorType(dtype, [...lead, rows]), tensorType(dtype, (a as TensorType).shape)];
  },
  integers,
  traits: {
    prune: (params, [, vectors]) => (vectors === true ? undefined : { operation: eigvalsOperation, params, inputs: [0], outputs: [0, undefined], exact: false }),
    covers: (params) => ({ operation: eigvalsOperation, params, outputs: [0], exact: false }),
  },
});

export interface Eig<K extends Kind, D extends DType> {
  /** In no particular order, [..., n]. */
  readonly values: Of<K, ComplexOf<D>>;
  /** Column i belongs to value i and has norm 1, [..., n, n]; its phase is not determined. */
  readonly vectors: Of<K, ComplexOf<D>>;
}

export type EigOptions = Pick<SpectralOptions, 'gauge' | 'derivativeEps'>;

const eigChecks: OptionChecks = { gauge: spectralChecks['gauge'] as ArgumentCheck, derivativeEps: spectralChecks['derivativeEps'] as ArgumentCheck };

/**
 * Eigenvalues and eigenvectors of square matrices, the last two axes of x: x V = V diag(w), both complex. Losses may not depend on phases
 * of vectors, nor on the order. At a defective matrix, whose vectors do not span, there is no derivative: the run fails with
 * a LinalgError, or gives huge numbers close to it.
 *
 * @throws ShapeError where matrices are not square, ArgumentError for options that are none.
 * @example
 * import { tensor } from '@tf/core';
 * import { eig } from '@tf/linalg';
 * if (eig(tensor([[0, 1], [-1, 0]])).values.type.key !== 'c128[2]') throw new Error('unexpected');
 */
export function eig<K extends Kind, D extends DType>(x: Operand<K, D>, options: EigOptions = {}): Eig<K, D> {
  const op = 'eig';
  checkOptions(op, options, eigChecks);
  const [values, vectors] = applyOperation(eigOperation, [squareOperand(op, 'x', x)], { derivativeEps: options.derivativeEps ?? null }) as readonly [Operand, Operand];
  return { values, vectors: options.gauge === 'canonicalPivot' ? withPositivePivots(vectors) : vectors } as unknown as Eig<K, D>;
}

/** The eigenvalues alone, in no particular order, by a faster algorithm; as {@link eig} of which it is the first part, last digits apart. */
export function eigvals<K extends Kind, D extends DType>(x: Operand<K, D>, options: Pick<EigOptions, 'derivativeEps'> = {}): Of<K, ComplexOf<D>> {
  const op = 'eigvals';
  checkOptions(op, options, eigChecks);
  return applyOperation(eigvalsOperation, [squareOperand(op, 'x', x)], { derivativeEps: options.derivativeEps ?? null })[0] as Of<K, ComplexOf<D>>;
}
