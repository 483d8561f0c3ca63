/** Linear systems for users. */
import { type Dim, type DType, type FloatResult, type Kind, moveaxis, mulDims, type Of, type Operand, productOfDims, reshape, type Shape } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { matricesOf } from '../family.ts';
import { identityColumns } from '../permute.ts';
import { type Solution, systemsOf, withLead } from '../systems.ts';
import { fullLuWitness, luFullPivotSolve, luSolve, luWitness } from './operation.ts';

/**
 * X with A X = B for square matrices A: `b` is a vector (one axis) or has matrices, columns of which are right sides; leading axes
 * broadcast. Each matrix is factored once, by LU with partial pivoting; derivatives of every order use the same factors.
 *
 * @throws ShapeError where matrices are not square or b has another number of rows; the run throws LinalgError where a pivot is exactly 0.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { solve } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(solve(tensor([[2, 0], [0, 4]]), tensor([1, 1])), engine).toArray()); // → [ 0.5, 0.25 ]
 */
export function solve<A extends Operand, B extends Operand>(a: A, b: B): Solution<A, B> {
  const systems = systemsOf('solve', a, b);
  const factors = luWitness(systems.a);
  const spread = (lead: Shape, right: Operand): Operand => luSolve(withLead(systems.a, lead, 2), { packed: withLead(factors.packed, lead, 2), order: withLead(factors.order, lead, 1) }, right);
  return systems.asGiven(solveSystems(systems.a, systems.b, systems.lead, spread)) as Solution<A, B>;
}

/**
 * {@link solve} with complete pivoting: slower, and more accurate where rows or columns differ much in size. Errors as there.
 */
export function fullPivLuSolve<A extends Operand, B extends Operand>(a: A, b: B): Solution<A, B> {
  const systems = systemsOf('fullPivLuSolve', a, b);
  const { packed, rows, columns } = fullLuWitness(systems.a);
  const spread = (lead: Shape, right: Operand): Operand => luFullPivotSolve(withLead(systems.a, lead, 2), { packed: withLead(packed, lead, 2), rows: withLead(rows, lead, 1), columns: withLead(columns, lead, 1) }, right);
  return systems.asGiven(solveSystems(systems.a, systems.b, systems.lead, spread)) as Solution<A, B>;
}

/** One matrix for a batch of right sides takes them as columns of one; otherwise leading axes are spread. */
function solveSystems(a: Operand, b: Operand, lead: Shape, solveWith: (lead: Shape, b: Operand) => Operand): Operand {
  const batch = b.type.shape.slice(0, -2);
  if (a.type.shape.length > 2 || batch.length === 0) return solveWith(lead, withLead(b, lead, 2));
  const [rows, columns] = b.type.shape.slice(-2) as unknown as readonly [Dim, Dim];
  const beside = moveaxis(b, -2, 0) as Operand;
  const x = solveWith([], reshape(beside, [rows, mulDims(productOfDims(batch), columns)]) as Operand);
  return moveaxis(reshape(x, [rows, ...batch, columns]) as Operand, 0, -2) as Operand;
}

/**
 * The inverse of square matrices, by LU with partial pivoting. For A⁻¹ B there is {@link solve}, which is faster and more accurate.
 *
 * @throws ShapeError where matrices are not square; the run throws LinalgError where a pivot is exactly 0.
 */
export function inv<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  const a = squareOperand('inv', 'x', x);
  const { lead, rows } = matricesOf('inv', a.type);
  return luSolve(a, luWitness(a), withLead(identityColumns(a, rows, rows), lead, 2)) as Of<K, FloatResult<D>>;
}
