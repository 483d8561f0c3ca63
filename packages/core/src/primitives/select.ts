import type { Rule, RuleContext, Var } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import { chooseListener } from '../program/dispatch.ts';
import { dtypes } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { broadcastShapes } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { applyPromoted, argumentAs, commonDType } from './arguments.ts';
import { type Joined, mul } from './arithmetic.ts';
import { equal, greater } from './compare.ts';
import { definePrimitive, ordered, type Primitive, requireDType } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { partials } from './rules.ts';

const selectRule: Rule = {
  kind: 'rule',
  linear: { inputs: [1, 2], how: 'together' },
  linearize: (ctx, [, dx, dy]) => [select(condition(ctx), dx ?? 0, dy ?? 0) as Var],
  // The branch not taken gets exactly 0, whatever the cotangent is.
  transpose: (ctx, [ct]) => ct === undefined ? [] : [undefined, ctx.active[1] ? taken(ctx, ct, 0) : undefined, ctx.active[2] ? taken(ctx, 0, ct) : undefined],
};

function taken(ctx: RuleContext, yes: Var | 0, no: Var | 0): Var {
  return select(condition(ctx), yes, no) as Var;
}

function condition(ctx: RuleContext): Var<'bool'> {
  return ctx.input(0) as Var<'bool'>;
}

export const selectPrimitive: Primitive = definePrimitive({
  name: 'select',
  inputs: 3,
  infer: ([condition, yes, no], _params, sink, op) => {
    requireDType(op, condition!, ['bool']);
    requireDType(op, no!, [yes!.dtype]);
    return [tensorType(yes!.dtype, broadcastShapes(op, [condition!.shape, yes!.shape, no!.shape], sink))];
  },
  traits: {
    elementwise: (_params, inputs) => {
      const type = scalar.scalarTypeOf(inputs[1]!);
      const lane = (at: 0 | 1): ReturnType<typeof scalar.select> => scalar.select(scalar.argument('bool', 0), scalar.argument(type, 1, at), scalar.argument(type, 2, at));
      return dtypes[inputs[1]!].lanes === 2 ? [lane(0), lane(1)] : [lane(0)];
    },
  },
  rule: selectRule,
});

/**
 * `condition ? yes : no`, elementwise with broadcasting. A branch that is not taken contributes neither value nor
 * gradient, not even NaN.
 *
 * @throws DTypeError when the condition is not bool, ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, less, select, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [3]), 'x');
 * if (select(less(x, 0), 0, x).type.key !== 'f64[3]') throw new Error('unexpected');
 */
export function select<C extends Operand<Kind, 'bool'>, A extends Argument, B extends Argument>(condition: C, yes: A, no: B): Of<SelectKind<C, A, B>, JoinDType<A, B>> {
  const op = selectPrimitive.operation;
  const listener = chooseListener(op.id, [condition, yes, no]);
  const dtype = commonDType([yes, no], 'common');
  const inputs = [argumentAs(listener, condition, 'bool'), argumentAs(listener, yes, dtype), argumentAs(listener, no, dtype)];
  return listener.apply(op, inputs, {})[0] as Of<SelectKind<C, A, B>, JoinDType<A, B>>;
}

type SelectKind<C extends Argument, A extends Argument, B extends Argument> = JoinKind<C, Operand<JoinKind<A, B> extends never ? never : JoinKind<A, B>>>;

/** Ties split ½ and ½ (semantics.md §2); the smaller operand gets exactly 0. */
function winnerShare(ctx: RuleContext, dx: Var, mine: 0 | 1): Var {
  const [x, y] = [ctx.input(mine), ctx.input(1 - mine)];
  return select(greater(x, y), dx, select(equal(x, y), mul(dx, 0.5), 0));
}

export const maximumPrimitive: Primitive = defineElementwise({
  name: 'maximum', inputs: 2, dtypes: ordered,
  real: (a, b) => (a!.type === 'bool' ? scalar.or(a!, b!) : scalar.max(a!, b!)),
  rule: partials((ctx, dx) => winnerShare(ctx, dx, 0), (ctx, dy) => winnerShare(ctx, dy, 1)),
});

/** The larger of a and b, elementwise: NaN wins, −0 is below +0. */
export function maximum<A extends Argument, B extends Argument>(a: A, b: B): Joined<A, B> {
  return applyPromoted(maximumPrimitive.operation, [a, b], {}, 'common') as Joined<A, B>;
}

export const selectPrimitives: readonly Primitive[] = [selectPrimitive, maximumPrimitive];
