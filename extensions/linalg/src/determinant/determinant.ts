/** Determinants for users. */
import { add, convert, type DType, type FloatResult, type Kind, log, type Of, type Operand, type RealPart } from '@tf/core';
import { squareOperand } from '../arguments.ts';
import { luWitness } from '../solve/operation.ts';
import { determinant, logDeterminant } from './operation.ts';

/**
 * The determinant of square matrices, by LU; that of 0×0 is 1. Of singular matrices it is 0 up to rounding, and gradients and Hessians are
 * right for every rank.
 *
 * @throws ShapeError where matrices are not square.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { det } from '@tf/linalg';
 * import { linalgHost } from '@tf/linalg/host';
 * import { evaluate } from '@tf/traced';
 * const engine = await createEngine({ modules: [linalgHost()] });
 * console.log(evaluate(det(tensor([[1, 2], [3, 5]])), engine).item().toFixed(12)); // → -1.000000000000
 */
export function det<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  const a = squareOperand('det', 'x', x);
  return determinant(a, luWitness(a)) as Of<K, FloatResult<D>>;
}

export interface SignAndLog<K extends Kind, D extends DType> {
  /** 1, −1 or 0; of complex matrices the phase, of modulus 1 or 0. */
  readonly sign: Of<K, FloatResult<D>>;
  /** log |det x|, −Infinity where it is exactly 0. */
  readonly logabsdet: Of<K, RealPart<FloatResult<D>>>;
}

/**
 * The sign, or phase, and the logarithm of the modulus of the determinant: of large matrices, whose determinant is no finite number.
 * Both are differentiable, by the factors of the value; of a singular matrix the run of the derivative is a LinalgError.
 *
 * @throws ShapeError where matrices are not square.
 */
export function slogdet<K extends Kind, D extends DType>(x: Operand<K, D>): SignAndLog<K, D> {
  const a = squareOperand('slogdet', 'x', x);
  const [sign, logabsdet] = logDeterminant(a, luWitness(a));
  return { sign, logabsdet } as unknown as SignAndLog<K, D>;
}

/**
 * The logarithm of the determinant: of a real matrix NaN where that is negative, of a complex one the principal value. Errors as
 * {@link slogdet}.
 */
export function logdet<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  const a = squareOperand('logdet', 'x', x);
  const [sign, logabsdet] = logDeterminant(a, luWitness(a));
  return add(log(sign) as Operand, convert(logabsdet, a.type.dtype) as Operand) as Of<K, FloatResult<D>>;
}
