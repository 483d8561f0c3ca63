/**
 * Reductions: monoids as data, and the one order in which elements are combined.
 *
 * # The tree
 *
 * It depends on the number of elements alone (contracts.md §3.2), so every engine, layout and thread count gives the same
 * bits. Elements e(0) … e(n−1) are taken in logical row-major order of the reduced axes. ∘ is the monoid, left operand
 * first; id its identity.
 *
 * 1. *Blocks.* Block b holds the elements 128·b ≤ i < min(128·(b+1), n); only the last may be shorter.
 * 2. *Lanes.* Within a block l[0] … l[7] start as id. For i increasing within the block, counted from the block's first
 *    element, l[i mod 8] = l[i mod 8] ∘ e. A lane without elements stays id.
 * 3. *Lane fold.* l[j] = l[j] ∘ l[j+4] for j < 4; then l[j] = l[j] ∘ l[j+2] for j < 2; then l[0] ∘ l[1] is the block's
 *    result.
 * 4. *Pairing.* A stack S starts empty. After block b (from 0) has result acc: for each trailing 1 bit of b,
 *    acc = pop(S) ∘ acc; then push acc. So S holds one entry per 1 bit of b + 1, larger groups below.
 * 5. *Finish.* acc = pop(S); while S is not empty, acc = pop(S) ∘ acc. For n = 0 the result is id.
 *
 * For a sum the error grows with n/128's logarithm, not with n (Higham, Accuracy and Stability, §4.2). A sum of −0 only is
 * +0, because lanes start from id = +0.
 */
import { invariant } from '../errors.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { MonoidName, ScalarExpr, ScalarType } from '../types/loop-language.ts';
import { add, and, max, min, mul, or, scalarTypeOf, sub } from './scalar.ts';

export const BLOCK = 128;
export const LANES = 8;

/** a ∘ b for one lane. For bool, max is `or` and min is `and`; sums and products of bools do not exist. */
export function combine(monoid: MonoidName, type: ScalarType, a: ScalarExpr, b: ScalarExpr): ScalarExpr {
  invariant(a.type === type && b.type === type, `${monoid}: operands ${a.type} and ${b.type} are not ${type}`, { monoid });
  if (type === 'bool') return combineBooleans(monoid, a, b);
  switch (monoid) {
    case 'sum':
      return add(a, b);
    case 'prod':
      return mul(a, b);
    case 'max':
      return max(a, b);
    case 'min':
      return min(a, b);
  }
}

function combineBooleans(monoid: MonoidName, a: ScalarExpr, b: ScalarExpr): ScalarExpr {
  invariant(monoid === 'max' || monoid === 'min', `${monoid}: not defined for bool; convert first`, { monoid });
  return monoid === 'max' ? or(a, b) : and(a, b);
}

const smallest: { readonly [D in DType]?: number | bigint } = { float32: -Infinity, float64: -Infinity, int32: -(2 ** 31), int64: -(2n ** 63n), bool: 0 };
const largest: { readonly [D in DType]?: number | bigint } = { float32: Infinity, float64: Infinity, int32: 2 ** 31 - 1, int64: 2n ** 63n - 1n, bool: 1 };

/**
 * The identity of a monoid: what a lane starts from and an empty reduction gives. int64 as bigint, bool as 0 or 1; of
 * complex dtypes the real part, the imaginary part being 0.
 */
export function identity(monoid: MonoidName, dtype: DType): number | bigint {
  const value = monoid === 'max' ? smallest[dtype] : monoid === 'min' ? largest[dtype] : sumOrProduct(monoid, dtype);
  invariant(value !== undefined, `${monoid}: not defined for ${dtype}`, { monoid, dtype });
  return value;
}

function sumOrProduct(monoid: 'sum' | 'prod', dtype: DType): number | bigint | undefined {
  if (dtype === 'bool') return undefined;
  const value = monoid === 'sum' ? 0 : 1;
  return dtype === 'int64' ? BigInt(value) : value;
}

/** {@link identity}, lane by lane. */
export function identityLanes(monoid: MonoidName, dtype: DType): readonly (number | bigint)[] {
  const first = identity(monoid, dtype);
  return dtypes[dtype].lanes === 2 ? [first, 0] : [first];
}

/** a ∘ b for elements given lane by lane: the lanes of a complex sum go apart, those of a product meet. */
export function combineLanes(monoid: MonoidName, dtype: DType, a: readonly ScalarExpr[], b: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const { lanes } = dtypes[dtype];
  invariant(a.length === lanes && b.length === lanes, `${monoid}: ${dtype} has ${lanes} lanes, got ${a.length} and ${b.length}`, { monoid });
  if (lanes === 1 || monoid === 'sum') return a.map((lane, i) => combine(monoid, scalarTypeOf(dtype), lane, b[i]!));
  invariant(monoid === 'prod', `${monoid}: not defined for ${dtype}`, { monoid, dtype });
  const [[ar, ai], [br, bi]] = [a, b] as readonly (readonly ScalarExpr[])[] as readonly [readonly [ScalarExpr, ScalarExpr], readonly [ScalarExpr, ScalarExpr]];
  return [sub(mul(ar, br), mul(ai, bi)), add(mul(ar, bi), mul(ai, br))];
}

/** The tree above, for any kind of value: e.g. numbers, bigints, pairs of a complex value. */
export function reduceInOrder<T>(count: number, element: (i: number) => T, combineValues: (a: T, b: T) => T, start: T): T {
  const stack: T[] = [];
  for (let block = 0; block * BLOCK < count; block++) {
    let result = reduceBlock(block * BLOCK, Math.min((block + 1) * BLOCK, count), element, combineValues, start);
    for (let bits = block; bits % 2 === 1; bits = Math.floor(bits / 2)) result = combineValues(stack.pop() as T, result);
    stack.push(result);
  }
  if (stack.length === 0) return start;
  let result = stack.pop() as T;
  while (stack.length > 0) result = combineValues(stack.pop() as T, result);
  return result;
}

function reduceBlock<T>(from: number, to: number, element: (i: number) => T, combineValues: (a: T, b: T) => T, start: T): T {
  const lanes = new Array<T>(LANES).fill(start);
  for (let i = from; i < to; i++) lanes[i % LANES] = combineValues(lanes[i % LANES] as T, element(i));
  for (let half = LANES / 2; half >= 1; half /= 2) {
    for (let j = 0; j < half; j++) lanes[j] = combineValues(lanes[j] as T, lanes[j + half] as T);
  }
  return lanes[0] as T;
}
