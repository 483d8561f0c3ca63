/** The discrete Fourier transform of complex lines, unnormalised: X_k = Σ_j x_j e^{∓2πijk/n}. */
import { applyOperation, type Dim, type Kind, type Of, type Operand, type TensorType, tensorType, type Var } from '@tf/core';
import { axisOf, defineTransform, type FamilyOperation, requireLength } from './family.ts';

const lengthOf = (x: TensorType, at: number): Dim => x.shape[at] as Dim;

export const dftOperation: FamilyOperation = defineTransform({
  name: 'dft',
  takes: ['complex64', 'complex128'],
  infer: (x, params, sink) => {
    requireLength('dft', lengthOf(x, axisOf(params, x)), sink);
    return tensorType(x.dtype, x.shape);
  },
  length: (params, x) => lengthOf(x, axisOf(params, x)),
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    // The adjoint of F is conj(F)ᵀ = conj(F), the unnormalised inverse.
    transpose: (ctx, [ct]) => [ct === undefined ? undefined : (dft(ct, ctx.params['axis'] as number, ctx.params['inverse'] !== true) as Var)],
  },
});

/** The transform along an axis counted from the end. */
export function dft<K extends Kind>(x: Operand<K>, axis: number, inverse: boolean): Of<K, 'complex64' | 'complex128'> {
  return applyOperation(dftOperation.operation, [x], { axis, inverse })[0] as Of<K, 'complex64' | 'complex128'>;
}
