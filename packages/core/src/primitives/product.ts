import type { RuleContext, Var } from '../contract.ts';
import type { DType } from '../types/dtype.ts';
import { type Dim, isKnown, productOfDims } from '../types/dim.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { TfError } from '../errors.ts';
import { add, mul } from './arithmetic.ts';
import { numeric, type Primitive } from './define.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { reshape, transpose } from './movement.ts';
import { applyReduction, defineReduction, type ReduceOptions, sum } from './reduce.ts';
import { concat, slice } from './slicing.ts';

/** A vector of values along the last axis, and its tangent. */
interface Pair {
  readonly x: Var;
  readonly dx: Var;
}

/**
 * d Πxᵢ = Σᵢ dxᵢ Πⱼ≠ᵢ xⱼ by the product rule on a halving tree: no division, so any number of zeros is right, to any order.
 */
function tangentOfProduct(ctx: RuleContext, dx: Var): Var | undefined {
  const input = ctx.inputTypes[0] as TensorType;
  const axes = ctx.params['axes'] as readonly number[];
  const kept = input.shape.flatMap((_, axis) => (axes.includes(axis) ? [] : [axis]));
  const lead = kept.map((axis) => input.shape[axis] as Dim);
  const count = productOfDims(axes.map((axis) => input.shape[axis] as Dim));
  if (!isKnown(count)) throw new TfError('UnsupportedRuleError', `${ctx.operation.id}: its derivative needs the number of factors, and ${input.key} leaves it open. Bind that dimension, or differentiate exp(sum(log(x))) where x > 0.`, { op: ctx.operation.id, family: ctx.operation.family, role: 'linearize' });
  if (count === 0) return sum(dx, { axes, keepdims: ctx.params['keepdims'] === true }) as Var;
  const row = (x: Var): Var => reshape(transpose(x, [...kept, ...axes]), [...lead, count]) as Var;
  let pair: Pair = { x: row(ctx.input(0)), dx: row(dx) };
  for (let left = count; left > 1; left = Math.ceil(left / 2)) pair = halve(pair, lead, left);
  return reshape(pair.dx, (ctx.outputTypes[0] as TensorType).shape) as Var;
}

function halve({ x, dx }: Pair, lead: readonly Dim[], count: number): Pair {
  const half = Math.floor(count / 2);
  const part = (v: Var, from: number, to: number): Var => slice(v, [...lead.map(() => 0), from], [...lead, to]) as Var;
  const [a, b, da, db] = [part(x, 0, half), part(x, half, 2 * half), part(dx, 0, half), part(dx, half, 2 * half)];
  const product: Pair = { x: mul(a, b) as Var, dx: add(multiplyOrZero(da, b), multiplyOrZero(db, a)) as Var };
  if (2 * half === count) return product;
  const join = (v: Var, rest: Var): Var => concat([v, part(rest, 2 * half, count)], lead.length) as Var;
  return { x: join(product.x, x), dx: join(product.dx, dx) };
}

export const prodPrimitive: Primitive = defineReduction('prod', 'prod', numeric, {
  kind: 'rule',
  linearize: (ctx, [dx]) => [dx === undefined ? undefined : tangentOfProduct(ctx, dx)],
});

/** The product over axes; 1 where there is nothing. Its gradient is right with any number of zeros. */
export function prod<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, D> {
  return applyReduction(prodPrimitive, x, options);
}
