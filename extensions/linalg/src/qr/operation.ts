/** QR decompositions by Householder reflections: A = Q R, Qᴴ Q = I, R upper triangular with a real diagonal. */
import { applyOperation, type Dim, type Operand, type Operation, type TensorType, tensorType } from '@tf/core';
import { batchOf, defineOperation, type MatrixShape, matricesOf, smallerDim } from '../family.ts';

function shapeOf(a: TensorType | undefined): MatrixShape & { readonly smaller: Dim } {
  const matrices = matricesOf('qr', a as TensorType);
  return { ...matrices, smaller: smallerDim('qr', matrices.rows, matrices.columns) };
}

function integers([a]: readonly TensorType[]): readonly Dim[] {
  const matrices = shapeOf(a);
  return [batchOf(matrices), matrices.rows, matrices.columns];
}

/** R alone, [..., k, n]: Q is not formed. */
export const qrUpperOperation: Operation = defineOperation({
  name: 'qrUpper',
  operands: 1,
  infer: ([a]) => {
    const { lead, smaller, columns } = shapeOf(a);
    return [tensorType((a as TensorType).dtype, [...lead, smaller, columns])];
  },
  integers,
});

/** Q [..., m, k] and R [..., k, n]. */
export const qrOperation: Operation = defineOperation({
  name: 'qr',
  operands: 1,
  infer: ([a]) => {
    const { lead, rows, smaller, columns } = shapeOf(a);
    const { dtype } = a as TensorType;
    return [tensorType(dtype, [...lead, rows, smaller]), tensorType(dtype, [...lead, smaller, columns])];
  },
  integers,
  traits: {
    prune: (params, [q]) => (q === true ? undefined : { operation: qrUpperOperation, params, inputs: [0], outputs: [undefined, 0] }),
    covers: (params) => ({ operation: qrUpperOperation, params, outputs: [1] }),
  },
});

/** Q [..., m, m] and R [..., m, n]. */
export const qrCompleteOperation: Operation = defineOperation({
  name: 'qrComplete',
  operands: 1,
  infer: ([a]) => {
    const { lead, rows, columns } = shapeOf(a);
    const { dtype } = a as TensorType;
    return [tensorType(dtype, [...lead, rows, rows]), tensorType(dtype, [...lead, rows, columns])];
  },
  integers,
});

export interface QrFactors {
  readonly q: Operand;
  readonly r: Operand;
}

export function qrOf(operation: Operation, a: Operand): QrFactors {
  const [q, r] = applyOperation(operation, [a], {}) as readonly [Operand, Operand];
  return { q, r };
}
