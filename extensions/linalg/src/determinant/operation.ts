/** Determinants, their logarithms, and cofactors, as functions of the matrix; its LU is a witness, constant for derivatives (see solve). */
import { abs, add, applyOperation, convert, type Dim, log, mul, type Operand, type Operation, type ParamValue, prod, realPart, sign, sum, type TensorType, tensorType, type Var } from '@tf/core';
import { diagonalOf } from '../algebra.ts';
import { batchOf, defineOperation, type LinalgDefinition, squaresOf } from '../family.ts';
import type { PackedLu } from '../lu/operation.ts';

/** What is made of a determinant: its type from the matrices'. */
function inferred(op: string, results: (a: TensorType, lead: readonly Dim[]) => readonly TensorType[]): LinalgDefinition['infer'] {
  return ([a], _params, sink) => results(a as TensorType, squaresOf(op, a as TensorType, sink).lead);
}

function parityAs(parity: Var | undefined, dtype: TensorType['dtype']): Operand {
  return convert(parity as Operand, dtype) as Operand;
}

/** Operands of all three: A, its packed LU, the order of its rows, the parity of that. */
export const detOperation: Operation = defineOperation({
  name: 'det',
  operands: 4,
  infer: inferred('det', (a, lead) => [tensorType(a.dtype, lead)]),
  lower: ([a, packed, , parity]) => [mul(prod(diagonalOf(packed as Operand), { axes: -1 }) as Operand, parityAs(parity, (a as Var).type.dtype)) as Var],
});

/** Outputs: the sign (complex: the phase, of modulus 1), and log |det A|. */
export const logDeterminantOperation: Operation = defineOperation({
  name: 'logDeterminant',
  operands: 4,
  infer: inferred('slogdet', (a, lead) => [tensorType(a.dtype, lead), tensorType(realPart(a.dtype), lead)]),
  lower: ([a, packed, , parity]) => {
    const pivots = diagonalOf(packed as Operand);
    // Of a singular matrix the sign is 0, never −0.
    const phase = add(mul(prod(sign(pivots) as Operand, { axes: -1 }) as Operand, parityAs(parity, (a as Var).type.dtype)) as Operand, 0);
    return [phase as Var, sum(log(abs(pivots) as Operand) as Operand, { axes: -1 }) as Var];
  },
});

/** C with d det A = Σ C_ij dA_ij, right for every rank. */
export const cofactorOperation: Operation = defineOperation({
  name: 'cofactor',
  operands: 4,
  infer: inferred('det', (a) => [a]),
  integers: ([a]) => {
    const matrices = squaresOf('det', a as TensorType, () => undefined);
    return [batchOf(matrices), matrices.rows];
  },
});

function apply(operation: Operation, a: Operand, { packed, order, parity }: PackedLu): readonly Operand[] {
  return applyOperation(operation, [a, packed, order, parity], {} satisfies Record<string, ParamValue>);
}

export function determinant(a: Operand, factors: PackedLu): Operand {
  return apply(detOperation, a, factors)[0] as Operand;
}

export function logDeterminant(a: Operand, factors: PackedLu): readonly [sign: Operand, logabsdet: Operand] {
  return apply(logDeterminantOperation, a, factors) as readonly [Operand, Operand];
}

export function cofactors(a: Operand, factors: PackedLu): Operand {
  return apply(cofactorOperation, a, factors)[0] as Operand;
}
