import type { BatchContext, Params, RuleContext, Var } from '../contract.ts';
import type { Operand } from '../types/operand.ts';
import { requireAxes } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { applyUnary } from './arguments.ts';
import { mul } from './arithmetic.ts';
import { filledBeside } from './beside.ts';
import { equal, greater, less } from './compare.ts';
import { definePrimitive, floats, type Primitive, requireDType } from './define.ts';
import { div } from './division.ts';
import { sqrt } from './functions.ts';
import { abs } from './magnitude.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { keptShape, maxOver, spread, sum } from './reduce.ts';
import { partials, withHalfSquare } from './rules.ts';
import { select } from './select.ts';

/**
 * Beyond `large` and below `small` squares would leave the range of the dtype or lose digits: elements are then first multiplied by
 * `down` or `up`, powers of two, which rounds nothing that counts.
 */
const scales = {
  float32: { large: 2 ** 60, down: 2 ** -80, small: 2 ** -50, up: 2 ** 100 },
  float64: { large: 2 ** 480, down: 2 ** -600, small: 2 ** -480, up: 2 ** 600 },
} as const;

interface Over {
  readonly axes: readonly number[];
  readonly keepdims: boolean;
}

const overOf = (params: Params): Over => ({ axes: params['axes'] as readonly number[], keepdims: params['keepdims'] === true });

function lowered(x: Var, over: Over): Var {
  const { large, down, small, up } = scales[x.type.dtype as 'float32' | 'float64'];
  const largest = maxOver(abs(x) as Operand, { axes: over.axes, keepdims: true }) as Operand;
  const one = filledBeside('vectorNorm', x, 1, x.type.dtype, []);
  const scale = select(greater(largest, large), down, select(less(largest, small), up, one) as Operand) as Operand;
  const scaled = mul(x, scale) as Operand;
  const root = sqrt(sum(mul(scaled, scaled) as Operand, over) as Operand) as Operand;
  return div(root, over.keepdims ? scale : (maxOver(scale, over) as Operand)) as Var;
}

/** x/‖x‖, and 0 where the norm is 0: the least of the subgradients. */
function direction(ctx: RuleContext): Var {
  const norm = spread(ctx, ctx.output(0));
  const isOrigin = equal(norm, 0);
  return select(isOrigin, 0, div(ctx.input(0), select(isOrigin, 1, norm))) as Var;
}

/** ‖x‖₂ over axes of real numbers, without overflow of the squares. Its square has the slope 2x, at the origin too. */
export const euclideanNormPrimitive: Primitive = definePrimitive({
  name: 'euclideanNorm',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    requireDType(op, x!, floats);
    requireAxes(op, params['axes'], x!.shape.length);
    const { axes, keepdims } = overOf(params);
    return [tensorType(x!.dtype, keptShape((x as TensorType).shape, [...axes], keepdims))];
  },
  lower: ([x], params) => [lowered(x as Var, overOf(params))],
  rule: withHalfSquare(
    partials((ctx, dx) => sum(multiplyOrZero(dx, direction(ctx)) as Operand, overOf(ctx.params)) as Var),
    (ctx, ct) => [multiplyOrZero(spread(ctx, ct), ctx.input(0)) as Var],
  ),
  batch: (ctx: BatchContext) => ctx.apply(ctx.operation, [ctx.input(0)], { ...ctx.params, axes: overOf(ctx.params).axes.map((axis) => axis + 1) }),
});

/** The norm of real vectors that have elements. */
export function euclideanNorm(x: Operand, axes: readonly number[], keepdims: boolean): Operand {
  return applyUnary(euclideanNormPrimitive.operation, x, { axes, keepdims }) as Operand;
}
