import type { RuleContext, Var } from '../contract.ts';
import type { DType, SumResult } from '../types/dtype.ts';
import { addDims, type Dim, isKnown, productOfDims } from '../types/dim.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { add, mul } from './arithmetic.ts';
import { cumprod } from './cumulative.ts';
import { numeric, type Primitive } from './define.ts';
import { multiplyOrZero } from './multiply-or-zero.ts';
import { reshape, transpose } from './movement.ts';
import { applyReduction, counted, defineReduction, type ReduceOptions, sum } from './reduce.ts';
import { concat, pad, slice } from './slicing.ts';

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
  if (count === 0) return sum(dx, { axes, keepdims: ctx.params['keepdims'] === true }) as Var;
  const row = (x: Var): Var => reshape(transpose(x, [...kept, ...axes]), [...lead, count]) as Var;
  if (!isKnown(count)) return reshape(overOthers(row(ctx.input(0)), row(dx), lead, count), (ctx.outputTypes[0] as TensorType).shape) as Var;
  let pair: Pair = { x: row(ctx.input(0)), dx: row(dx) };
  for (let left = count; left > 1; left = Math.ceil(left / 2)) pair = halve(pair, lead, left);
  return reshape(pair.dx, (ctx.outputTypes[0] as TensorType).shape) as Var;
}

/** Where the number of factors is open: Πⱼ≠ᵢ xⱼ is the product of those before i and of those after it. */
function overOthers(x: Var, dx: Var, lead: readonly Dim[], count: Dim): Var {
  const axis = lead.length;
  const [zeros, one] = [lead.map(() => 0), [...lead.map(() => 0), 1]];
  const before = cumprod(pad(x, { low: one, high: [...zeros, 0], value: 1 }), axis) as Operand;
  const after = cumprod(pad(x, { low: [...zeros, 0], high: one, value: 1 }), axis, { reverse: true }) as Operand;
  const others = mul(slice(before, [...zeros, 0], [...lead, count]), slice(after, one, [...lead, addDims(count, 1)]));
  return sum(multiplyOrZero(dx, others) as Operand, { axes: [axis] }) as Var;
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

/** The product over axes; 1 where there is nothing. Booleans are multiplied in int32. Its gradient is right with any number of zeros. */
export function prod<K extends Kind, D extends DType>(x: Operand<K, D>, options: ReduceOptions = {}): Of<K, SumResult<D>> {
  return applyReduction(prodPrimitive, counted('prod', x), options) as Of<K, SumResult<D>>;
}
