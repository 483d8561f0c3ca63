/** Triangular systems for users, and those whose matrix is given by its Cholesky factor. */
import { checkOptions, conj, isComplex, type Operand, type OptionChecks, requireFlag } from '@tf/core';
import { transposed } from '../algebra.ts';
import { withFloats } from '../arguments.ts';
import { oneOf } from '../options.ts';
import { type Solution, type Systems, systemsOf, withLead } from '../systems.ts';
import { solveTriangle, type Triangle } from './operation.ts';

export interface TriangularSolveOptions {
  /** The upper triangle is read, not the lower one. */
  readonly upper?: boolean;
  /** What stands for A in the system: the matrix itself when absent, its transpose, or its adjoint. */
  readonly of?: 'matrix' | 'transpose' | 'adjoint';
  /** `right`: X op(A) = B; `left` when absent: op(A) X = B. */
  readonly side?: 'left' | 'right';
  /** The diagonal is not read: it is 1. */
  readonly unitDiagonal?: boolean;
}

const checks: OptionChecks = { upper: requireFlag, of: oneOf('matrix', 'transpose', 'adjoint'), side: oneOf('left', 'right'), unitDiagonal: requireFlag };

/** op(A)⁻¹ B for systems whose leading axes are still to be spread. */
function solved({ a, b, lead }: Systems, triangle: Triangle): Operand {
  return solveTriangle(withLead(a, lead, 2), withLead(b, lead, 2), triangle);
}

/**
 * X with op(A) X = B, or X op(A) = B, for triangular matrices A, of which one triangle is read; the other may hold anything, and its
 * gradient is 0. `b` is a vector (one axis) or has matrices; leading axes broadcast.
 *
 * @throws ShapeError where matrices are not square or do not fit b; the run throws LinalgError where a diagonal element is exactly 0.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { triangularSolve } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(triangularSolve(tensor([[2, 0], [1, 4]]), tensor([2, 9])), engine).toArray()); // → [ 1, 2 ]
 */
export function triangularSolve<A extends Operand, B extends Operand>(a: A, b: B, options: TriangularSolveOptions = {}): Solution<A, B> {
  const op = 'triangularSolve';
  checkOptions(op, options, checks);
  const { upper = false, of = 'matrix', side = 'left', unitDiagonal: unit = false } = options;
  if (side === 'left') {
    const systems = systemsOf(op, a, b);
    return systems.asGiven(solved(systems, { upper, of, unit })) as Solution<A, B>;
  }
  // X op(A) = B is op(A)ᵀ Xᵀ = Bᵀ.
  const flipped = (x: Operand): Operand => (x.type.shape.length < 2 ? x : transposed(x));
  const systems = systemsOf(op, a, flipped(withFloats(op, 'b', b)), { matrices: 'a', fit: 'rows of a and columns of b' });
  const conjugate = of === 'adjoint' && isComplex(systems.b.type.dtype);
  const right = conjugate ? (conj(systems.b) as Operand) : systems.b;
  const x = systems.asGiven(solved({ ...systems, b: right }, { upper, of: of === 'matrix' ? 'transpose' : 'matrix', unit }));
  return flipped(conjugate ? (conj(x) as Operand) : x) as Solution<A, B>;
}

export interface CholeskySolveOptions {
  /** The factor is upper, A = Uᴴ U; when absent it is lower, A = L Lᴴ. */
  readonly upper?: boolean;
}

/**
 * X with A X = B, where A is given by its Cholesky factor: `choleskySolve(cholesky(a), b)`. One triangle of the factor is read. Right
 * sides and errors as {@link triangularSolve}.
 */
export function choleskySolve<A extends Operand, B extends Operand>(factor: A, b: B, options: CholeskySolveOptions = {}): Solution<A, B> {
  const op = 'choleskySolve';
  checkOptions(op, options, { upper: requireFlag });
  const { upper = false } = options;
  const systems = systemsOf(op, factor, b, { matrices: 'factor', fit: 'rows of factor and of b' });
  const half = solved(systems, { upper, of: upper ? 'adjoint' : 'matrix' });
  return systems.asGiven(solved({ ...systems, b: half }, { upper, of: upper ? 'matrix' : 'adjoint' })) as Solution<A, B>;
}
