import { TfError } from '../errors.ts';
import { polygamma as polygammaScalar } from '../loop/functions/polygamma.ts';
import { argument, scalarTypeOf } from '../loop/scalar.ts';
import { requireOperand } from '../program/dispatch.ts';
import { requireInteger } from '../types/argument.ts';
import { type DType, floatResult, type FloatResult } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { applyUnary } from './arguments.ts';
import { convert } from './convert.ts';
import { definePrimitive, floats, type Primitive, requireDType } from './define.ts';
import { applyFunction, defineFunction } from './functions.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { partials } from './rules.ts';

export const lgammaPrimitive: Primitive = defineFunction('lgamma', (ctx, dx) => multiplyOrZero(dx, digamma(ctx.input(0))));
export const digammaPrimitive: Primitive = defineFunction('digamma', (ctx, dx) => multiplyOrZero(dx, polygamma(1, ctx.input(0))));

/** Beyond, the terms of the sum would be too many for one loop. */
const maximumOrder = 20;

function requireOrder(order: unknown): asserts order is number {
  requireInteger('polygamma', 'order', order);
  if ((order as number) < 0 || (order as number) > maximumOrder) throw new TfError('ArgumentError', `polygamma: order is ${String(order)}; it takes 0 to ${maximumOrder}.`, { op: 'polygamma', argument: 'order' });
}

export const polygammaPrimitive: Primitive = definePrimitive({
  name: 'polygamma',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    requireDType(op, x!, floats);
    requireOrder(params['order']);
    return [tensorType(x!.dtype, x!.shape)];
  },
  traits: { elementwise: (params, [dtype]) => [polygammaScalar(params['order'] as number, argument(scalarTypeOf(dtype!), 0))] },
  rule: partials((ctx, dx) => {
    const order = ctx.params['order'] as number;
    if (order < maximumOrder) return multiplyOrZero(dx, polygamma(order + 1, ctx.input(0)));
    const reason = `polygamma goes up to order ${maximumOrder}`;
    throw new TfError('UnsupportedRuleError', `polygamma: the derivative of order ${order} is not available: ${reason}.`, { op: 'polygamma', reason });
  }),
});

/**
 * log |Γ(x)|, elementwise: ∞ at 0, −1, −2, …. Its derivative is {@link digamma}.
 *
 * @example
 * import { Builder, lgamma, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (lgamma(x).type.dtype !== 'float32') throw new Error('unexpected');
 */
export function lgamma<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(lgammaPrimitive.operation, x);
}

/** ψ(x) = d/dx log Γ(x), elementwise: ∓∞ at ±0, NaN at −1, −2, …. Its derivatives are those of {@link polygamma}. */
export function digamma<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, FloatResult<D>> {
  return applyFunction(digammaPrimitive.operation, x);
}

/**
 * The derivative of `order` of {@link digamma}, elementwise; order 0 is digamma itself, 1 the trigamma function.
 *
 * @throws ArgumentError when the order is no integer from 0 to 20.
 */
export function polygamma<K extends Kind, D extends DType>(order: number, x: Operand<K, D>): Of<K, FloatResult<D>> {
  requireOrder(order);
  requireOperand('polygamma', 'x', x);
  if (order === 0) return digamma(x);
  return applyUnary(polygammaPrimitive.operation, convert(x as Operand, floatResult(x.type.dtype)), { order }) as Of<K, FloatResult<D>>;
}

export const gammaPrimitives: readonly Primitive[] = [lgammaPrimitive, digammaPrimitive, polygammaPrimitive];
