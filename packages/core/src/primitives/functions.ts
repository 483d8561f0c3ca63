import { chooseListener } from '../program/dispatch.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import type { Kind, Lifted, Of, Operand } from '../types/operand.ts';
import { argumentAs } from './arguments.ts';
import { div, mul, sub } from './arithmetic.ts';
import { floats, type Primitive } from './define.ts';
import { calls, defineElementwise } from './elementwise.ts';
import { type Partial, partials } from './rules.ts';

function defineFunction(name: string, partial: Partial): Primitive {
  return defineElementwise({ name, inputs: 1, dtypes: floats, real: (x) => calls(name)(x!), rule: partials(partial) });
}

export const expPrimitive: Primitive = defineFunction('exp', (ctx, dx) => mul(dx, ctx.output(0)));
export const logPrimitive: Primitive = defineFunction('log', (ctx, dx) => div(dx, ctx.input(0)));
/** tanh' = 1 − tanh² */
export const tanhPrimitive: Primitive = defineFunction('tanh', (ctx, dx) => mul(dx, sub(1, mul(ctx.output(0), ctx.output(0)))));

function applyFunction<K extends Kind, D extends DType>(primitive: Primitive, x: Operand<K, D>): Of<K, FloatResult<D>> {
  const listener = chooseListener(primitive.operation.id, [x]);
  const input: Lifted = argumentAs(listener, x, floatResult(x.type.dtype));
  return listener.apply(primitive.operation, [input], {})[0] as Of<K, FloatResult<D>>;
}

/**
 * eˣ, elementwise; integers are computed in float64.
 *
 * @example
 * import { Builder, exp, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (exp(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function exp<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(expPrimitive, x);
}

/** The natural logarithm, elementwise: −Inf at ±0, NaN below. */
export function log<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(logPrimitive, x);
}

/** The hyperbolic tangent, elementwise. */
export function tanh<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(tanhPrimitive, x);
}

export const functionPrimitives: readonly Primitive[] = [expPrimitive, logPrimitive, tanhPrimitive];
