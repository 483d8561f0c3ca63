/**
 * QR decompositions kept as Householder reflections: H has R in its upper triangle and below it the vectors, of which the first
 * element is 1 and not stored; Q = (I − τ₀ v₀ v₀ᴴ) (I − τ₁ v₁ v₁ᴴ) …
 */
import { applyOperation, type Dim, type Operand, type Operation, requireSameDim, subDims, triu, type TensorType, tensorType, TfError, type Var } from '@tf/core';
import { leadingBlock } from '../blocks.ts';
import { batchOf, defineOperation, type MatrixShape, matricesOf, smallerDim } from '../family.ts';
import { identityColumns } from '../permute.ts';
import { withLead } from '../systems.ts';

const op = 'householderQr';

function shapeOf(a: TensorType | undefined): MatrixShape & { readonly smaller: Dim } {
  const matrices = matricesOf(op, a as TensorType);
  return { ...matrices, smaller: smallerDim(op, matrices.rows, matrices.columns) };
}

/** H, of the type of the matrix, and τ [..., min(m, n)]. */
export const householderOperation: Operation = defineOperation({
  name: 'householder',
  operands: 1,
  infer: ([a]) => {
    const { lead, smaller } = shapeOf(a);
    return [a as TensorType, tensorType((a as TensorType).dtype, [...lead, smaller])];
  },
  integers: ([a]) => {
    const matrices = shapeOf(a);
    return [batchOf(matrices), matrices.rows, matrices.columns];
  },
});

/** Q C, or Qᴴ C, of H, τ and C. */
export const householderApplyOperation: Operation = defineOperation({
  name: 'householderApply',
  operands: 3,
  infer: ([h, tau, c], _params, sink) => {
    const [factors, given] = [shapeOf(h), matricesOf(op, c as TensorType)];
    const [wanted, there] = [[...factors.lead, factors.rows, factors.smaller], [...given.lead, given.rows, (tau as TensorType).shape.at(-1) as Dim]];
    const fits = factors.lead.length === given.lead.length && (tau as TensorType).shape.length === factors.lead.length + 1 && wanted.every((dim, axis) => requireSameDim(dim, there[axis] as Dim, `${op}: the reflections and what they are applied to`, sink));
    if (!fits || (h as TensorType).dtype !== (c as TensorType).dtype) throw new TfError('ShapeError', `${op}: reflections ${(h as TensorType).key}, ${(tau as TensorType).key} do not apply to ${(c as TensorType).key}: leading axes, rows and dtypes are the same. Reshape or convert one of them.`, { op });
    return [c as TensorType];
  },
  integers: ([h, , c], { adjoint }) => {
    const matrices = shapeOf(h);
    return [batchOf(matrices), matrices.rows, matrices.columns, (c as TensorType).shape.at(-1) as Dim, adjoint === true ? 1 : 0];
  },
});

export interface Reflections {
  readonly h: Operand;
  readonly tau: Operand;
}

export function reflectionsOf(a: Operand): Reflections {
  const [h, tau] = applyOperation(householderOperation, [a], {}) as readonly [Operand, Operand];
  return { h, tau };
}

/** Q C, or Qᴴ C. */
export function applyReflections({ h, tau }: Reflections, c: Operand, adjoint = false): Operand {
  return applyOperation(householderApplyOperation, [h, tau, c], { adjoint })[0] as Operand;
}

/** Columns of Q from `start` up to `stop`. */
function columnsOfQ({ h, tau }: Reflections, start: number, stop: Dim): Operand {
  const { lead, rows } = matricesOf(op, h.type);
  return applyReflections({ h, tau }, withLead(identityColumns(h, rows, subDims(stop, start), start), lead, 2));
}

/** R, [..., k, n]. */
function upperOf(h: Operand): Operand {
  const { rows, columns } = matricesOf(op, h.type);
  return triu(leadingBlock(h, smallerDim(op, rows, columns), columns)) as Operand;
}

/** R as a function of the matrix: operands are the matrix and its reflections, which are witnesses (see solve). */
export const householderUpperOperation: Operation = defineOperation({
  name: 'householderUpper',
  operands: 3,
  infer: ([a]) => {
    const { lead, smaller, columns } = shapeOf(a);
    return [tensorType((a as TensorType).dtype, [...lead, smaller, columns])];
  },
  lower: ([, h]) => [upperOf(h as Operand) as Var],
});

/** Columns of Q, in the same way. */
export const householderColumnsOperation: Operation = defineOperation({
  name: 'householderColumns',
  operands: 3,
  infer: ([a], { start, stop }) => {
    const { lead, rows } = shapeOf(a);
    return [tensorType((a as TensorType).dtype, [...lead, rows, subDims(stop as Dim, start as Dim)])];
  },
  lower: ([, h, tau], { start, stop }) => [columnsOfQ({ h: h as Operand, tau: tau as Operand }, start as number, stop as Dim) as Var],
});

/** A matrix and its reflections. */
export interface ReflectedMatrix extends Reflections {
  readonly matrix: Operand;
}

export function householderUpper({ matrix, h, tau }: ReflectedMatrix): Operand {
  return applyOperation(householderUpperOperation, [matrix, h, tau], {})[0] as Operand;
}

export function householderColumns({ matrix, h, tau }: ReflectedMatrix, start: number, stop: Dim): Operand {
  return applyOperation(householderColumnsOperation, [matrix, h, tau], { start, stop })[0] as Operand;
}
