import { add, mul, neg } from '../primitives/arithmetic.ts';
import { clamp } from '../primitives/clamp.ts';
import { greater, lessEqual } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { floats, ordered, requireDType } from '../primitives/define.ts';
import { div } from '../primitives/division.ts';
import { expm1 } from '../primitives/functions.ts';
import { multiplyOrZero } from '../primitives/multiply-or-zero.ts';
import { select } from '../primitives/select.ts';
import { ndtr, sigmoid, softplus } from '../primitives/special.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireNumber } from '../types/argument.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';

/** What has an order and a zero. */
const numbers: readonly DType[] = Object.freeze(ordered.filter((dtype) => dtype !== 'bool'));

type Float<K extends Kind, D extends DType> = Of<K, FloatResult<D>>;

/** Refuses, in the name of the function called, what is no tensor of numbers that it can compute in floats. */
function requireFloats(op: string, x: Operand): void {
  requireOperand(op, 'x', x);
  requireDType(op, tensorType(floatResult(x.type.dtype), x.type.shape), floats);
}

/** max(x, 0), with slope 0 at 0. */
export function relu<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  requireOperand('relu', 'x', x);
  requireDType('relu', x.type, numbers);
  const value: Operand = x;
  return select(lessEqual(value, 0), 0, value) as Of<K, D>;
}

/** x·σ(x), also called swish (Ramachandran, Zoph and Le 2017). */
export function silu<K extends Kind, D extends DType>(x: Operand<K, D>): Float<K, D> {
  requireFloats('silu', x);
  return multiplyOrZero(sigmoid(x), x) as Float<K, D>;
}

/**
 * x·Φ(x), Φ the normal distribution function {@link ndtr} (Hendrycks and Gimpel 2016), accurate in the far tail; 0 at −∞.
 *
 * @example
 * import { Builder, gelu, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (gelu(x).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function gelu<K extends Kind, D extends DType>(x: Operand<K, D>): Float<K, D> {
  requireFloats('gelu', x);
  return multiplyOrZero(ndtr(x), x) as Float<K, D>;
}

/**
 * ½x(1 + tanh(z)) with z = √(2/π)·(x + 0.044715x³), the approximation of {@link gelu} (same source, section 2), computed
 * as x·σ(2z), which is the same and does not cancel for negative x.
 */
export function geluTanh<K extends Kind, D extends DType>(x: Operand<K, D>): Float<K, D> {
  requireFloats('geluTanh', x);
  return inNameOf('geluTanh', () => {
    const own = convert(x, floatResult(x.type.dtype)) as Operand;
    const cube = mul(mul(own, own), own);
    const twice = mul(add(own, mul(cube, 0.044715)), 2 * Math.sqrt(2 / Math.PI));
    return multiplyOrZero(sigmoid(twice), own) as Float<K, D>;
  });
}

/** log σ(x) = −log(1 + e⁻ˣ), without overflow; −0 at +∞. */
export function logSigmoid<K extends Kind, D extends DType>(x: Operand<K, D>): Float<K, D> {
  requireFloats('logSigmoid', x);
  return inNameOf('logSigmoid', () => neg(softplus(neg(convert(x, floatResult(x.type.dtype)) as Operand))) as Float<K, D>);
}

/** x where it is positive, else x·slope (Maas, Hannun and Ng 2013); its derivative at 0 is the slope. */
export function leakyRelu<K extends Kind, D extends DType>(x: Operand<K, D>, slope: number = 0.01): Float<K, D> {
  requireFloats('leakyRelu', x);
  requireNumber('leakyRelu', 'slope', slope);
  const value = inFloats(x);
  return select(greater(value, 0), value, multiplyOrZero(value, slope)) as Float<K, D>;
}

/**
 * x where it is positive, else alpha·(eˣ − 1) (Clevert, Unterthiner and Hochreiter 2016); its derivative at 0 is alpha.
 *
 * @throws ArgumentError when alpha is no number.
 */
export function elu<K extends Kind, D extends DType>(x: Operand<K, D>, alpha: number = 1): Float<K, D> {
  requireFloats('elu', x);
  requireNumber('elu', 'alpha', alpha);
  const value = inFloats(x);
  const isPositive = greater(value, 0);
  return select(isPositive, value, mul(expm1(select(isPositive, 0, value)), alpha)) as Float<K, D>;
}

/** x·min(max(x + 3, 0), 6)/6 (Howard et al. 2019, section 5.2); 0 at −∞. */
export function hardSwish<K extends Kind, D extends DType>(x: Operand<K, D>): Float<K, D> {
  requireFloats('hardSwish', x);
  return multiplyOrZero(div(clamp(add(inFloats(x), 3), 0, 6), 6), x) as Float<K, D>;
}

function inFloats(x: Operand): Operand {
  return convert(x, floatResult(x.type.dtype));
}
