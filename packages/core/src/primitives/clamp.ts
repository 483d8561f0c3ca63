import { TfError } from '../errors.ts';
import * as scalar from '../loop/scalar.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import type { Argument, JoinDType, Joined, JoinKind, Of, Operand } from '../types/operand.ts';
import { applyPromoted } from './arguments.ts';
import { greater, greaterEqual, less, lessEqual } from './compare.ts';
import type { Primitive } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { partials } from './rules.ts';
import { select } from './select.ts';

/**
 * At a bound, x gets all of the gradient (semantics.md §2: slope 1 on closed edges), where `maximum` would give it half; beyond,
 * the bound gets it. With NaN in either place nobody does.
 */
export const clampMinPrimitive: Primitive = defineElementwise({
  name: 'clampMin', inputs: 2, dtypes: ['float32', 'float64', 'int32', 'int64'],
  real: (x, bound) => scalar.max(x!, bound!),
  rule: partials((ctx, dx) => select(greaterEqual(ctx.input(0), ctx.input(1)), dx, 0), (ctx, dy) => select(less(ctx.input(0), ctx.input(1)), dy, 0)),
});

export const clampMaxPrimitive: Primitive = defineElementwise({
  name: 'clampMax', inputs: 2, dtypes: ['float32', 'float64', 'int32', 'int64'],
  real: (x, bound) => scalar.min(x!, bound!),
  rule: partials((ctx, dx) => select(lessEqual(ctx.input(0), ctx.input(1)), dx, 0), (ctx, dy) => select(greater(ctx.input(0), ctx.input(1)), dy, 0)),
});

type Between<X extends Operand, L extends Argument, H extends Argument> = Of<JoinKind<Joined<X, L>, H>, JoinDType<Joined<X, L>, H>>;

/**
 * x limited to [min, max], elementwise, with broadcasting: `minimum(maximum(x, min), max)`, so that max wins where min is above
 * it. Either bound may be undefined; bounds are numbers or tensors. NaN in any operand is the result. The gradient goes to the
 * operand whose value is returned, at a bound to x.
 *
 * @throws ArgumentError when both bounds are undefined, DTypeError for complex and bool, ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, clamp, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (clamp(x, 0, 1).type.key !== 'f64[3]' || clamp(x, undefined, 1).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function clamp<X extends Operand, L extends Argument>(x: X, min: L, max?: undefined): Joined<X, L>;
export function clamp<X extends Operand, H extends Argument>(x: X, min: undefined, max: H): Joined<X, H>;
export function clamp<X extends Operand, L extends Argument, H extends Argument>(x: X, min: L, max: H): Between<X, L, H>;
export function clamp(x: Operand, min: Argument | undefined, max?: Argument): unknown {
  requireOperand('clamp', 'x', x);
  if (min === undefined && max === undefined) throw new TfError('ArgumentError', 'clamp: min and max are both undefined. Give at least one: clamp(x, 0), clamp(x, undefined, 1), clamp(x, 0, 1).', { op: 'clamp', argument: 'min' });
  return inNameOf('clamp', () => {
    const raised = min === undefined ? x : applyPromoted(clampMinPrimitive.operation, [x, min], {}, 'common', 'clamp');
    return max === undefined ? raised : applyPromoted(clampMaxPrimitive.operation, [raised, max], {}, 'common', 'clamp');
  });
}

export const clampPrimitives: readonly Primitive[] = [clampMinPrimitive, clampMaxPrimitive];
