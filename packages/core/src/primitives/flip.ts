import { requireOperand } from '../program/dispatch.ts';
import { type Dim, isKnown, subDims } from '../types/dim.ts';
import type { DType } from '../types/dtype.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { normaliseAxes, requireAxes } from '../types/shape.ts';
import { applyUnary } from './arguments.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { linear } from './rules.ts';

export const flipPrimitive: Primitive = definePrimitive({
  name: 'flip',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    requireAxes(op, params['axes'], x!.shape.length);
    return [x!];
  },
  traits: {
    layout: (params, { shape }) => {
      const axes = params['axes'] as readonly number[];
      const flipped = (axis: number): boolean => axes.includes(axis);
      const last = (dim: Dim): Dim => (isKnown(dim) ? Math.max(0, dim - 1) : subDims(dim, 1));
      return { kind: 'axes', axes: shape.map((_, axis) => axis), start: shape.map((dim, axis) => (flipped(axis) ? last(dim) : 0)), step: shape.map((_, axis) => (flipped(axis) ? -1 : 1)) };
    },
  },
  batch: (ctx) => ctx.apply(ctx.operation, [ctx.input(0)], { axes: (ctx.params['axes'] as readonly number[]).map((axis) => axis + 1) }),
  rule: linear((ctx, ct) => ctx.apply(ctx.operation, [ct], ctx.params)[0]!),
});

/**
 * The elements in reverse order along axes (all when absent), without copying.
 *
 * @throws AxisError for an axis out of range or named twice.
 * @example
 * import { Builder, flip, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [2, 3]), 'x');
 * if (flip(x, 1).type.key !== 'f64[2, 3]') throw new Error('unexpected');
 */
export function flip<K extends Kind, D extends DType>(x: Operand<K, D>, axes?: number | readonly number[]): Of<K, D> {
  requireOperand('flip', 'x', x);
  const list = normaliseAxes('flip', axes, x.type.shape.length).filter((axis) => x.type.shape[axis] !== 1);
  return list.length === 0 ? (x as Of<K, D>) : (applyUnary(flipPrimitive.operation, x, { axes: list }) as Of<K, D>);
}
