import { add, checkOptions, conj, div, greater, isComplex, isInexact, type Kind, lessEqual, logicalAnd, mul, type Operand, real, requireCount, requireFunction, requireOperand, select, sqrt, sub, sum, tensor, TfError, whileLoop } from '@tf/core';
import { requireWeight } from './settings.ts';

type Map = (x: Operand) => Operand;

export interface ConjugateGradientOptions {
  /** Where to begin; 0 by default. */
  readonly start?: Operand;
  /** Approximates the inverse of A: symmetric and positive definite as A is. */
  readonly preconditioner?: Map;
  /** It ends where ‖b − A·x‖ ≤ tolerance · ‖b‖; 1e-10 by default, 1e-5 in single precision. */
  readonly tolerance?: number;
  /** At most so many products by A; 1000 by default. */
  readonly maxIterations?: number;
}

export interface ConjugateGradientResult {
  readonly x: Operand;
  /** ‖b − A·x‖, as the iteration carries it. */
  readonly residual: Operand;
  /** How many products by A were made. */
  readonly iterations: Operand<Kind, 'int32'>;
  /** Whether the residual is within the tolerance. */
  readonly converged: Operand<Kind, 'bool'>;
}

interface Carry {
  readonly x: Operand;
  readonly r: Operand;
  readonly p: Operand;
  /** Re⟨r, M r⟩ and ‖r‖². */
  readonly rz: Operand;
  readonly rr: Operand;
  readonly k: Operand;
}

/** Re⟨a, b⟩ over all elements. */
function inner(a: Operand, b: Operand): Operand {
  return sum(isComplex(a.type.dtype) ? (real(mul(conj(a), b)) as Operand) : (mul(a, b) as Operand)) as Operand;
}

/**
 * Solves A·x = b for a symmetric (Hermitian) positive definite A that is known by its products only (Hestenes & Stiefel 1952). One loop of
 * a program: it compiles into a traced function, and eager code runs it step by step. Reverse mode runs back through all iterations; where
 * A is constant, `linearTranspose` and one more solve cost less.
 *
 * @param apply x ↦ A·x, of the type of b.
 * @throws ArgumentError for options out of range, ShapeError where A·x is not of b's shape.
 * @example
 * import { matmul, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { conjugateGradient } from '@tf/optim';
 * import { jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const solve = jit((a: T, b: T) => conjugateGradient((x) => matmul(a, x), b).x as T, { engine: await createEngine() });
 * console.log(solve(tensor([[2, 0], [0, 4]]), tensor([1, 1])).toArray()); // → [ 0.5, 0.25 ]
 */
export function conjugateGradient(apply: Map, b: Operand, options: ConjugateGradientOptions = {}): ConjugateGradientResult {
  const op = 'conjugateGradient';
  requireFunction(op, 'apply', apply, 'conjugateGradient((x) => matmul(a, x), b)');
  requireOperand(op, 'b', b);
  if (!isInexact(b.type.dtype)) throw new TfError('DTypeError', `${op}: b is ${b.type.key}; it needs floating or complex numbers. Convert it first: convert(b, 'float64').`, { op, argument: 'b' });
  checkOptions(op, options, { start: requireOperand, preconditioner: requireFunction, tolerance: requireWeight, maxIterations: requireCount }, 'conjugateGradient(apply, b, { tolerance: 1e-8 })');
  const isSingle = b.type.dtype === 'float32' || b.type.dtype === 'complex64';
  const { start, preconditioner = (x: Operand): Operand => x, tolerance = isSingle ? 1e-5 : 1e-10, maxIterations = 1000 } = options;
  const begun = begin(apply, preconditioner, b, start);
  const bound = mul(inner(b, b), tolerance * tolerance) as Operand;
  const isLeft = ({ rr, rz, k }: Carry): Operand => logicalAnd(logicalAnd(greater(rr, bound), greater(rz, 0)) as Operand, greater(maxIterations, k)) as Operand;
  const { x, rr, k } = whileLoop(isLeft as never, ((at: Carry) => next(apply, preconditioner, at)) as never, begun, { maxSteps: maxIterations }) as Carry;
  return { x, residual: sqrt(rr) as Operand, iterations: k as Operand<Kind, 'int32'>, converged: lessEqual(rr, bound) as Operand<Kind, 'bool'> };
}

function begin(apply: Map, preconditioner: Map, b: Operand, start: Operand | undefined): Carry {
  const r = start === undefined ? b : (sub(b, apply(start)) as Operand);
  const z = preconditioner(r);
  return { x: start ?? (mul(b, 0) as Operand), r, p: z, rz: inner(r, z), rr: inner(r, r), k: tensor(0, { dtype: 'int32' }) };
}

/** One step; where p has no length along A, as with an A that is not positive definite, x stays and the loop ends. */
function next(apply: Map, preconditioner: Map, { x, r, p, rz, k }: Carry): Carry {
  const product = apply(p);
  const length = inner(p, product);
  const isUpward = greater(length, 0);
  const alpha = select(isUpward, div(rz, select(isUpward, length, 1)), 0) as Operand;
  const rest = sub(r, mul(product, alpha)) as Operand;
  const z = preconditioner(rest);
  const after = select(isUpward, inner(rest, z), 0) as Operand;
  return { x: add(x, mul(p, alpha)) as Operand, r: rest, p: add(z, mul(p, div(after, rz))) as Operand, rz: after, rr: inner(rest, rest), k: add(k, 1) as Operand };
}
