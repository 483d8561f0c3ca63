import type { RuleContext, Var } from '../contract.ts';
import type { Complex } from '../loop/functions/complex/complex.ts';
import { direction, modulus } from '../loop/functions/complex/modulus.ts';
import * as scalar from '../loop/scalar.ts';
import { requireOperand } from '../program/dispatch.ts';
import { type DType, type FloatResult, isComplex, realPart, type RealPart } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { applyUnary } from './arguments.ts';
import { neg, sub } from './arithmetic.ts';
import { greater, less } from './compare.ts';
import { complex, imag, real } from './complex-parts.ts';
import { conj } from './conjugate.ts';
import { convert } from './convert.ts';
import { complexes, numeric, type Primitive } from './define.ts';
import { divideOrZero } from './division.ts';
import { defineElementwise } from './elementwise.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { partials, withHalfSquare } from './rules.ts';
import { select } from './select.ts';

function isComplexInput(ctx: RuleContext): boolean {
  return isComplex(ctx.inputTypes[0]!.dtype);
}

/** conj(sign z)·dz: along the direction of z its real part, across it the imaginary one. Accurate for z of any size. */
function turnedToAxis(ctx: RuleContext, dz: Var): Var {
  return multiplyOrZero(dz, conj(sign(ctx.input(0)) as Var)) as Var;
}

/** d|x| = sign x·dx, and of complex numbers Re(conj(sign z)·dz); nothing at 0. */
export const absPrimitive: Primitive = defineElementwise({
  name: 'abs', inputs: 1, dtypes: numeric, result: realPart,
  real: (x) => scalar.abs(x!), complex: (z) => [modulus(z as Complex)],
  rule: withHalfSquare(
    partials((ctx, dx) => isComplexInput(ctx) ? (real(turnedToAxis(ctx, dx)) as Var) : select(greater(ctx.input(0), 0), dx, select(less(ctx.input(0), 0), neg(dx), 0))),
    (ctx, ct) => [multiplyOrZero(isComplexInput(ctx) ? complex(ct, 0) : ct, ctx.input(0)) as Var],
  ),
});

export const signPrimitive: Primitive = defineElementwise({
  name: 'sign', inputs: 1, dtypes: numeric,
  // NaN and the signed zeros are their own sign.
  real: (x) => {
    const of = (value: number): ReturnType<typeof scalar.constant> => scalar.constant(x!.type, x!.type === 'i64' ? BigInt(value) : value);
    return scalar.select(scalar.gt(x!, of(0)), of(1), scalar.select(scalar.lt(x!, of(0)), of(-1), x!));
  },
  complex: (z) => direction(z as Complex),
  // Of real numbers constant wherever it has a derivative; a complex one turns: ds = i·s·dθ.
  rule: {
    kind: 'rule',
    linearize: (ctx, [dz]) => {
      if (dz === undefined || !isComplexInput(ctx)) return [undefined];
      const turn = turnOf(ctx, dz);
      const [x, y] = [real(ctx.output(0)), imag(ctx.output(0))];
      return [complex(neg(multiplyOrZero(turn, y)), multiplyOrZero(turn, x)) as Var];
    },
  },
});

/** dθ = (x·dy − y·dx)/|z|² as (x/|z|)/|z|·dy − …: near 0, a part that is 0 has no share, though the other one's is infinite. */
function turnOf(ctx: RuleContext, dz: Var): Var {
  const [s, size] = [sign(ctx.input(0)), abs(ctx.input(0))];
  const share = (dx: Var, part: Operand): Var => multiplyOrZero(dx, divideOrZero(part, size)) as Var;
  return sub(share(imag(dz) as Var, real(s) as Operand), share(real(dz) as Var, imag(s) as Operand)) as Var;
}

/** dθ; nothing at 0, where there is no angle. */
export const anglePrimitive: Primitive = defineElementwise({
  name: 'angle', inputs: 1, dtypes: complexes, result: realPart,
  real: (x) => x!, complex: (z) => [scalar.call('atan2', z![0].type, z![1]!, z![0])],
  rule: partials(turnOf),
});

/** |x|, elementwise, without overflow on the way; its derivative at 0 is 0. The modulus of complex numbers, which is real. */
export function abs<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, RealPart<D>> {
  return applyUnary(absPrimitive.operation, x, {}) as Of<K, RealPart<D>>;
}

/**
 * −1, 0 or 1, elementwise; NaN and −0 stay, and no gradient flows. Of complex numbers z/|z|, which has one, and 0 at 0.
 *
 * @example
 * import { Builder, sign, tensorType } from '@tf/core';
 * const z = new Builder().input(tensorType('complex64', [3]), 'z');
 * if (sign(z).type.key !== 'c64[3]') throw new Error('unexpected');
 */
export function sign<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, D> {
  requireOperand('sign', 'x', x);
  return applyUnary(signPrimitive.operation, x, {}) as Of<K, D>;
}

/**
 * The angle of complex numbers in radians, elementwise, from −π to π: atan2(im, re). Of real ones 0, or π below 0.
 *
 * @example
 * import { angle, Builder, tensorType } from '@tf/core';
 * const z = new Builder().input(tensorType('complex64', [3]), 'z');
 * if (angle(z).type.key !== 'f32[3]') throw new Error('unexpected');
 */
export function angle<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, RealPart<FloatResult<D>>> {
  requireOperand('angle', 'x', x);
  const { dtype } = x.type;
  const z = isComplex(dtype) ? x : (convert(x, dtype === 'float32' ? 'complex64' : 'complex128') as Operand<K, DType>);
  return applyUnary(anglePrimitive.operation, z, {}) as Of<K, RealPart<FloatResult<D>>>;
}

export const magnitudePrimitives: readonly Primitive[] = [absPrimitive, signPrimitive, anglePrimitive];
