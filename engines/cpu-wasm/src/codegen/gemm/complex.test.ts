import { type DType, dtypes, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../../index.ts';
import { contractPlan, type Order, planOf, viewOf } from '../../testing/plans.ts';
import { firstDifference, randomValues } from '../../testing/values.ts';
import { type MultiplyAdd, roundedApart, roundedTogether, runContract, type Sizes } from './contract.testing.ts';
import { hasFusedProducts } from './fused.ts';

const engine = createEngineSync();
type ComplexDType = 'complex64' | 'complex128';
const part = { complex64: 'float32', complex128: 'float64' } as const;

/**
 * What the engine promises: four real sums for each block of k, re = Σ a₀b₀ − Σ a₁b₁ and im = Σ a₀b₁ + Σ a₁b₀, added block after
 * block. Products with a vector in lanes, whose upper half meets the lower.
 */
function promised(dtype: ComplexDType, { m, n, k }: Sizes, lhs: TypedArray, rhs: TypedArray): Float64Array {
  const real = part[dtype];
  const multiplyAdd: MultiplyAdd = hasFusedProducts() ? roundedTogether(real) : roundedApart[real];
  const plus = (a: number, b: number): number => (real === 'float32' ? Math.fround(a + b) : a + b);
  const isDot = m === 1 || n === 1;
  const [lanes, span] = isDot ? [dtype === 'complex64' ? 8 : 4, 1024] : [1, 256];
  const result = new Float64Array(2 * m * n);
  for (let at = 0; at < m * n; at++) {
    const [i, j] = [Math.floor(at / n), at % n];
    const sumOf = (block: number, left: number, right: number): number => {
      let sums = new Array<number>(lanes).fill(0);
      for (let p = block; p < Math.min(k, block + span); p++) sums[p % lanes] = multiplyAdd(lhs[2 * (i * k + p) + left] as number, rhs[2 * (p * n + j) + right] as number, sums[p % lanes]!);
      while (sums.length > 1) sums = sums.slice(0, sums.length / 2).map((sum, lane) => plus(sum, sums[sums.length / 2 + lane]!));
      return isDot ? sums[0]! + 0 : sums[0]!;
    };
    for (let block = 0; block < k; block += span) {
      const parts = [plus(sumOf(block, 0, 0), -sumOf(block, 1, 1)), plus(sumOf(block, 0, 1), sumOf(block, 1, 0))];
      parts.forEach((value, lane) => (result[2 * at + lane] = block === 0 ? value : plus(result[2 * at + lane]!, value)));
    }
  }
  return result;
}

function differing(dtype: ComplexDType, size: Sizes, values: (count: number, seed: number) => TypedArray = (count, seed) => randomValues(dtype, count, seed)): readonly string[] {
  const [lhs, rhs] = [values(size.m * size.k, 5), values(size.k * size.n, 9)];
  const expected = promised(dtype, size, lhs, rhs);
  const orders: readonly Order[] = ['rows', 'columns'];
  return orders.flatMap((left) => orders.flatMap((right) => orders.flatMap((out) => {
    const at = firstDifference(runContract(engine, { ...size, dtype, lhs: left, rhs: right, out }, lhs, rhs), expected);
    return at < 0 ? [] : [`${dtype} (${size.m}×${size.k})·(${size.k}×${size.n}) ${left} · ${right} → ${out} at ${at}`];
  })));
}

describe.each(['complex128', 'complex64'] as const)('products of %s', (dtype) => {
  test('every shape of up to 9', () => {
    for (let m = 0; m <= 9; m++) for (let n = 0; n <= 9; n++) for (const k of [0, 1, (m + 3 * n) % 10]) expect(differing(dtype, { m, n, k })).toEqual([]);
  });

  test.each([
    ...[95, 96, 97, 47, 49].map((m): Sizes => ({ m, n: 13, k: 20 })),
    ...[255, 256, 257, 520].map((k): Sizes => ({ m: 7, n: 9, k })),
    ...[255, 257, 511, 513].map((n): Sizes => ({ m: 7, n, k: 3 })),
    { m: 1, n: 40, k: 700 }, { m: 40, n: 1, k: 700 },
    ...[1, 3, 4, 5, 8, 9, 1023, 1024, 1025, 2500].map((k): Sizes => ({ m: 1, n: 1, k })),
  ])('$m × $k times $k × $n', (size) => {
    expect(differing(dtype, size)).toEqual([]);
  });

  test('NaN and infinities stay where they belong', () => {
    for (const size of [{ m: 5, n: 7, k: 9 }, { m: 1, n: 1, k: 21 }, { m: 1, n: 9, k: 4 }]) {
      const withSpecials = (count: number, seed: number): TypedArray => {
        const values = randomValues(dtype, count, seed);
        for (let i = 0; i < values.length; i += 7) values[i] = [NaN, Infinity, -0, -Infinity][(i / 7 + seed) % 4]!;
        return values;
      };
      expect(differing(dtype, size, withSpecials)).toEqual([]);
    }
  });

  test('batches, one side shared', () => {
    const [count, m, n, k] = [3, 5, 6, 30];
    const [many, one] = [randomValues(dtype, count * m * k, 5), randomValues(dtype, k * n, 9)];
    const plan = planOf({
      inputs: [tensorType(dtype, [count, m, k]), tensorType(dtype, [k, n])],
      outputs: [tensorType(dtype, [count, m, n])],
      steps: [{ kind: 'contract', dtype, batch: [count], m, n, k, lhs: viewOf(0, [m * k, k, 1]), rhs: viewOf(1, [0, n, 1]), out: viewOf(2, [m * n, n, 1]) }],
    });
    const [out] = engine.compile(plan).run([{ data: many, shape: [count, m, k] }, { data: one, shape: [k, n] }]);
    const got = engine.read(out!);
    const size = dtypes[dtype].lanes * m;
    for (let b = 0; b < count; b++) {
      const alone = runContract(engine, { dtype, m, n, k }, many.slice(b * size * k, (b + 1) * size * k), one);
      expect(firstDifference(got.slice(b * size * n, (b + 1) * size * n), alone)).toBe(-1);
    }
    expect(engine.compile(contractPlan({ dtype: dtype as DType, m, n, k })).plan.steps).toHaveLength(1);
  });
});
