import type { Rule, RuleContext, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import * as scalar from '../loop/scalar.ts';
import { chooseListener, liftArgument } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { dtypes } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { broadcastShapes } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { argumentAs, commonDType } from './arguments.ts';
import { definePrimitive, type Primitive, requireDType } from './define.ts';

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
  const inputs = [liftArgument(listener, condition, 'bool', op.id, 0), argumentAs(listener, yes, dtype, op.id, 1), argumentAs(listener, no, dtype, op.id, 2)];
  return listener.apply(op, inputs, {})[0] as Of<SelectKind<C, A, B>, JoinDType<A, B>>;
}

/**
 * {@link select} under its name in NumPy. The form with the condition alone, which lists the places where it holds, is refused: how many
 * there are is known only when it runs.
 *
 * @throws ArgumentError for the condition alone, naming what to write instead; otherwise as {@link select}.
 */
export function where<C extends Operand<Kind, 'bool'>, A extends Argument, B extends Argument>(condition: C, yes: A, no: B): Of<SelectKind<C, A, B>, JoinDType<A, B>> {
  if (yes === undefined && no === undefined) throw listsPlaces(condition);
  return inNameOf('where', () => select(condition, yes, no));
}

function listsPlaces(condition: unknown): TfError {
  const what = typeof condition === 'object' && condition !== null && 'type' in condition ? (condition as Operand).type.key : String(condition);
  return new TfError('ArgumentError', `where: got the condition ${what} alone. How many places that lists depends on data; shapes do not. Use the masked form: where(condition, x, 0), and countNonzero(condition) for how many. If the places themselves are wanted, of a vector: dynamicTruncate(argsort(convert(condition, 'int32'), 0, { descending: true }), countNonzero(condition), 0).`, { op: 'where', argument: 'yes' });
}

type SelectKind<C extends Argument, A extends Argument, B extends Argument> = JoinKind<C, Operand<JoinKind<A, B> extends never ? never : JoinKind<A, B>>>;
