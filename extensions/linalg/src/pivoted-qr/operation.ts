/** QR with column pivoting, and the rank that it shows. */
import { abs, applyOperation, checkOptions, convert, cumprod, diagonal, type Dim, type DType, type FloatResult, greater, isKnown, type Kind, maximum, mul, type Of, type Operand, type Operation, type OptionChecks, requireNumber, slice, sum, type TensorType, tensorType, TfError } from '@tf/core';
import { matrixOperand } from '../arguments.ts';
import { leadingBlock } from '../blocks.ts';
import { batchOf, defineOperation, type FamilyOperation, matricesOf, smallerDim, withRule } from '../family.ts';
import { roundoff } from '../spectrum.ts';

const op = 'rankRevealingQr';

/** Q [..., m, k], R [..., k, n] and the order of columns, int64 [..., n]: column j of Q R is column order[j] of the matrix. */
export const qrPivotedOperation: Operation = defineOperation({
  name: 'qrPivoted',
  operands: 1,
  infer: ([a]) => {
    const { lead, rows, columns } = matricesOf(op, a as TensorType);
    const smaller = smallerDim(op, rows, columns);
    const { dtype } = a as TensorType;
    return [tensorType(dtype, [...lead, rows, smaller]), tensorType(dtype, [...lead, smaller, columns]), tensorType('int64', [...lead, columns])];
  },
  integers: ([a]) => {
    const matrices = matricesOf(op, a as TensorType);
    return [batchOf(matrices), matrices.rows, matrices.columns];
  },
});

export const pivotedQrMembers: readonly FamilyOperation[] = [
  withRule(qrPivotedOperation, { kind: 'none', reason: 'which column comes next is a discontinuous choice; of a fixed order of columns qr has derivatives' }),
];

export interface RankOptions {
  /** Relative to |R₀₀|; max(m, n)·eps of the dtype when absent. */
  readonly rtol?: number;
  /** 0 when absent. */
  readonly atol?: number;
}

export interface RankRevealingQr<K extends Kind, D extends DType> {
  readonly q: Of<K, FloatResult<D>>;
  /** Of diagonal elements that do not grow in modulus. */
  readonly r: Of<K, FloatResult<D>>;
  /** Column j of q r is column permutation[j] of x, [..., n]. */
  readonly permutation: Of<K, 'int64'>;
  /** How many leading |R_ii| are larger than max(atol, rtol·|R₀₀|), [...]. */
  readonly rank: Of<K, 'int64'>;
}

function requireTolerance(called: string, argument: string, value: unknown): void {
  requireNumber(called, argument, value);
  if (!(value >= 0)) throw new TfError('ArgumentError', `${called}: ${argument} is ${value}; a tolerance is not negative. Leave it out for the default.`, { op: called, argument });
}

const checks: OptionChecks = { rtol: requireTolerance, atol: requireTolerance };

/**
 * The QR decomposition with column pivoting: at each step the column with the largest rest comes next, of equal ones the first. Shapes do not
 * depend on the rank, which is a result of its own.
 *
 * @throws ShapeError for fewer than two axes, ArgumentError for negative tolerances; UnsupportedRuleError where it is differentiated: the
 * choice of columns is discontinuous.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { rankRevealingQr } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * const { permutation, rank } = rankRevealingQr(tensor([[1, 2], [2, 4]]));
 * console.log(evaluate(permutation, engine).toArray(), evaluate(rank, engine).item()); // → [ 1, 0 ] 1
 */
export function rankRevealingQr<K extends Kind, D extends DType>(x: Operand<K, D>, options: RankOptions = {}): RankRevealingQr<K, D> {
  checkOptions(op, options, checks);
  const a = matrixOperand(op, 'x', x);
  const [q, r, permutation] = applyOperation(qrPivotedOperation, [a], {}) as readonly [Operand, Operand, Operand];
  return { q, r, permutation, rank: rankOf(a, r, options) } as unknown as RankRevealingQr<K, D>;
}

function rankOf(a: Operand, r: Operand, { rtol, atol = 0 }: RankOptions): Operand {
  const { shape } = a.type;
  const [m, n] = shape.slice(-2) as unknown as readonly [Dim, Dim];
  const k = r.type.shape.at(-2) as Dim;
  const pivots = abs(diagonal(leadingBlock(r, k, k)) as Operand) as Operand;
  const lead = pivots.type.shape.slice(0, -1);
  const isEmpty = isKnown(k) && k === 0;
  const first = isEmpty ? pivots : (slice(pivots, lead.map(() => 0).concat(0), [...lead, 1]) as Operand);
  const limit = maximum(mul(first, rtol ?? roundoff(a, 2, isKnown(m) && isKnown(n) ? Math.max(m, n) : m)) as Operand, atol) as Operand;
  const counted = cumprod(convert(greater(pivots, limit) as Operand, 'int64') as Operand, -1) as Operand;
  return sum(counted, { axes: -1 }) as Operand;
}
