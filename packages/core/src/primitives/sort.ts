import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { requireFlag, requireOptions } from '../types/argument.ts';
import type { DType } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxis, requireAxis } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import type { Sort, Var } from '../contract.ts';
import { definePrimitive, ordered, type Primitive, requireDType } from './define.ts';
import { takeAlongAxis } from './indexing.ts';

/** The elements along an axis in order, and the index that each had. Its derivative takes the tangents in that order. */
export const sortPrimitive: Primitive = definePrimitive({
  name: 'sort',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    requireDType(op, x!, ordered);
    requireAxis(op, params['axis'], x!.shape.length);
    return [x!, tensorType('int32', x!.shape)];
  },
  traits: { sort: (params): Sort => ({ axis: params['axis'] as number, descending: params['descending'] === true }) },
  batch: (ctx) => ctx.apply(ctx.operation, [ctx.input(0)], { ...ctx.params, axis: (ctx.params['axis'] as number) + 1 }),
  rule: {
    kind: 'rule',
    linearize: (ctx, [dx]) => [dx === undefined ? undefined : (takeAlongAxis(dx, ctx.output(1) as Var<'int32'>, ctx.params['axis'] as number) as Var), undefined],
  },
});

export interface SortOptions {
  /** From the largest to the smallest. */
  readonly descending?: boolean;
}

/** Both results of sorting, for a function whose name errors carry. */
export function sortedWithIndices<K extends Kind, D extends DType>(op: string, x: Operand<K, D>, axis: number, options: SortOptions): readonly [Of<K, D>, Of<K, 'int32'>] {
  requireOperand(op, 'x', x);
  requireOptions(op, options, ['descending']);
  requireFlag(op, 'descending', options.descending);
  requireDType(op, x.type, ordered);
  const at = normaliseAxis(op, axis, x.type.shape.length);
  const listener = chooseListener(op, [x]);
  return listener.apply(sortPrimitive.operation, [liftArgument(listener, x, x.type.dtype, op, 0)], { axis: at, descending: options.descending === true }) as unknown as readonly [Of<K, D>, Of<K, 'int32'>];
}

/**
 * The elements in ascending order along an axis. NaN comes last, first where the order is descending; −0 and 0 are equal. The gradient
 * of each goes to the element that it was.
 *
 * @throws AxisError for an axis out of range, DTypeError for complex values.
 * @example
 * import { Builder, sort, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (sort(x, 0).type.key !== 'f64[2, 3]') throw new Error('unexpected');
 */
export function sort<K extends Kind, D extends DType>(x: Operand<K, D>, axis = -1, options: SortOptions = {}): Of<K, D> {
  return sortedWithIndices('sort', x, axis, options)[0];
}

/** The indices that put x in order along an axis, as {@link sort} does: equal elements keep their order, also when descending. */
export function argsort<K extends Kind>(x: Operand<K>, axis = -1, options: SortOptions = {}): Of<K, 'int32'> {
  return sortedWithIndices('argsort', x, axis, options)[1];
}
