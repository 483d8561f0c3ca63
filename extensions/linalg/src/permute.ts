/** Permutations of rows and columns, and identities, beside matrices. */
import { add, argsort, broadcastTo, convert, type Dim, type DType, equal, iotaBeside, type Kind, type Operand, reshape, take, takeAlongAxis } from '@tf/core';

/** Row i of the result is row order[i] of x. */
export function permutedRows(x: Operand, order: Operand): Operand {
  return permuted(x, order, -2);
}

/** Column j of the result is column order[j] of x. */
export function permutedColumns(x: Operand, order: Operand): Operand {
  return permuted(x, order, -1);
}

function permuted(x: Operand, order: Operand, axis: -1 | -2): Operand {
  const indices = order as Operand<Kind, 'int32'>;
  const lead = order.type.shape.slice(0, -1);
  if (lead.length === 0) return take(x, indices, axis) as Operand;
  const size = order.type.shape.at(-1) as Dim;
  const along = reshape(indices, axis === -2 ? [...lead, size, 1] : [...lead, 1, size]) as Operand;
  return takeAlongAxis(x, broadcastTo(along, x.type.shape) as Operand<Kind, 'int32'>, axis) as Operand;
}

/** Where each row came from: the order that undoes another one. */
export function inverseOrder(order: Operand): Operand {
  return argsort(order) as Operand;
}

/** P with P[order[i], i] = 1: P·B has row i of B as its row order[i]. */
export function permutationMatrix(order: Operand, dtype: DType): Operand {
  const size = order.type.shape.at(-1) as Dim;
  const lead = order.type.shape.slice(0, -1);
  const rows = reshape(iotaBeside('lu', order, size), [size, 1]) as Operand;
  return convert(equal(rows, reshape(order, [...lead, 1, size]) as Operand) as Operand, dtype) as Operand;
}

/** The columns of the identity of `rows` rows from `start` on, made by whoever computes `beside`, in its dtype. */
export function identityColumns(beside: Operand, rows: Dim, columns: Dim, start = 0): Operand {
  const row = reshape(iotaBeside('identity', beside, rows), [rows, 1]) as Operand;
  return convert(equal(row, add(iotaBeside('identity', beside, columns), start) as Operand) as Operand, beside.type.dtype) as Operand;
}
