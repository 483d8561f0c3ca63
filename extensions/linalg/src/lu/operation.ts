/** LU factors with pivoting by rows, and by rows and columns: packed, L below the diagonal (whose own is 1), U from it on. */
import { applyOperation, type Dim, type Operand, type Operation, type TensorType, tensorType } from '@tf/core';
import { batchOf, defineOperation, matricesOf } from '../family.ts';

function integers(op: string): (inputs: readonly TensorType[]) => readonly Dim[] {
  return ([a]) => {
    const matrices = matricesOf(op, a as TensorType);
    return [batchOf(matrices), matrices.rows, matrices.columns];
  };
}

/** Row i of L U is row `order[i]` of the matrix; the parity of that order is 1 or −1. */
export const luOperation: Operation = defineOperation({
  name: 'lu',
  operands: 1,
  infer: ([a]) => {
    const { lead, rows } = matricesOf('lu', a as TensorType);
    return [a as TensorType, tensorType('int32', [...lead, rows]), tensorType('int32', lead)];
  },
  integers: integers('lu'),
});

/** Element (i, j) of L U is element (rows[i], columns[j]) of the matrix; the parity is that of both orders. */
export const luFullPivotOperation: Operation = defineOperation({
  name: 'luFullPivot',
  operands: 1,
  infer: ([a]) => {
    const { lead, rows, columns } = matricesOf('fullPivLu', a as TensorType);
    return [a as TensorType, tensorType('int32', [...lead, rows]), tensorType('int32', [...lead, columns]), tensorType('int32', lead)];
  },
  integers: integers('fullPivLu'),
});

export interface PackedLu {
  readonly packed: Operand;
  readonly order: Operand;
  readonly parity: Operand;
}

export function packedLu(a: Operand): PackedLu {
  const [packed, order, parity] = applyOperation(luOperation, [a], {}) as readonly [Operand, Operand, Operand];
  return { packed, order, parity };
}

export interface PackedFullLu {
  readonly packed: Operand;
  readonly rows: Operand;
  readonly columns: Operand;
  readonly parity: Operand;
}

export function packedFullLu(a: Operand): PackedFullLu {
  const [packed, rows, columns, parity] = applyOperation(luFullPivotOperation, [a], {}) as readonly [Operand, Operand, Operand, Operand];
  return { packed, rows, columns, parity };
}
