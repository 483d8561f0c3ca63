import { bernoulli, categorical, foldIn, mul, normal, type Operand, permutation, randint, randomBits, randomKey, splitKey, square, sum, symbolicDim, take, tensor, uniform } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, evaluate, grad, input, jit, type TracedTensor, vmap } from './index.ts';

const engine = await createEngine();
type Key = TracedTensor<'int32'>;
const floats = ['float32', 'float64'] as const;

function values(x: unknown): readonly number[] {
  return ([(evaluate(x as never, engine) as { toArray(): unknown }).toArray()] as unknown[]).flat(9) as number[];
}

/** Σ (observed − expected)²/expected. */
function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((total, count, at) => total + (count - expected[at]!) ** 2 / expected[at]!, 0);
}

function counts(drawn: readonly number[], cells: number): number[] {
  const found = new Array<number>(cells).fill(0);
  for (const cell of drawn) found[cell]! += 1;
  return found;
}

/** Beyond what one in 10⁵ fair draws gives, by Wilson and Hilferty's approximation. */
const chiSquareBound = (cells: number): number => (cells - 1) * (1 - 2 / (9 * (cells - 1)) + 4.27 * Math.sqrt(2 / (9 * (cells - 1)))) ** 3;

function correlation(a: readonly number[], b: readonly number[]): number {
  const centred = (x: readonly number[]): number[] => {
    const centre = x.reduce((s, v) => s + v, 0) / x.length;
    return x.map((value) => value - centre);
  };
  const [p, q] = [centred(a), centred(b)];
  const inner = (x: readonly number[], y: readonly number[]): number => x.reduce((s, v, at) => s + v * y[at]!, 0);
  return inner(p, q) / Math.sqrt(inner(p, p) * inner(q, q));
}

/** Φ by a series about 0 (Marsaglia 2004): no function under test. */
function normalDistribution(x: number): number {
  let [term, total] = [x, x];
  for (let n = 3; Math.abs(term) > 1e-17; n += 2) total += term *= (x * x) / n;
  return 0.5 + total * Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

describe('bits', () => {
  it('are those of JAX: keys of a split, words xor, and the floats made of them', () => {
    const key = randomKey(42);
    expect(values(splitKey(key)).map((word) => word >>> 0)).toEqual([1832780943, 270669613, 64467757, 2916123636]);
    expect(values(normal(key, [], { dtype: 'float32' }))[0]).toBeCloseTo(-0.028304616, 6);
  });

  it('depend on key and index only: not on shape, jit, vmap or the key being an input', () => {
    const key = randomKey(7);
    const all = values(randomBits(key, [60]));
    expect(values(randomBits(key, [2, 3, 4]))).toEqual(all.slice(0, 24));
    expect(values(randomBits(key, []))).toEqual(all.slice(0, 1));
    expect(values(randomBits(key, [0]))).toEqual([]);
    expect(values(splitKey(key, 5)).slice(0, 4)).toEqual(values(splitKey(key, 2)));
    const compiled = jit((k: Key) => randomBits(k, [5, 12]) as never, { engine });
    expect(values(compiled(Int32Array.of(0, 7)))).toEqual(all);
    const keys = splitKey(key, 3);
    const rows = [0, 1, 2].flatMap((at) => values(randomBits(take(keys, tensor(Int32Array.of(at)).reshape([]), 0) as Operand, [4])));
    expect(values(vmap((k: Key) => randomBits(k, [4]) as never)(keys as never))).toEqual(rows);
    const n = symbolicDim('n');
    const x = input('x', { shape: ['n'] });
    const run = compile({ y: mul(x, uniform(key, [n])) }, { engine });
    for (const count of [1, 3, 9]) expect(values(run({ x: new Float64Array(count).fill(1) }).y)).toEqual(values(uniform(key, [9])).slice(0, count));
  });

  it('foldIn is injective on what it folds, and takes traced data', () => {
    const key = randomKey(3);
    const words = new Set([0, 1, 2, -1, 2 ** 31].map((data) => values(foldIn(key, data)).join()));
    expect(words.size).toBe(5);
    expect(values(foldIn(key, 2 ** 32 - 1))).toEqual(values(foldIn(key, -1)));
    expect(values(vmap((data: Key) => foldIn(key, data) as never)(tensor(Int32Array.of(0, 1)) as never))).toEqual([...values(foldIn(key, 0)), ...values(foldIn(key, 1))]);
  });

  it('each bit is set half the time, and streams of split keys are independent', () => {
    const [a, b] = [0, 1].map((at) => values(randomBits(take(splitKey(randomKey(9)), tensor(Int32Array.of(at)).reshape([]), 0) as Operand, [20_000]))) as [number[], number[]];
    for (const words of [a, b, a.map((word, at) => word ^ b[at]!), a.map((word, at) => word ^ (a[at + 1] ?? 0))]) {
      for (let bit = 0; bit < 32; bit++) expect(Math.abs(words.filter((word) => ((word >> bit) & 1) === 1).length - 10_000) / Math.sqrt(5000)).toBeLessThan(4.9);
    }
  });
});

describe.each(floats)('%s', (dtype) => {
  const count = 40_000;

  it('uniform is uniform, and below 1', () => {
    const drawn = values(uniform(randomKey(1), [count], { dtype }));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(chiSquare(counts(drawn.map((x) => Math.floor(x * 64)), 64), new Array<number>(64).fill(count / 64))).toBeLessThan(chiSquareBound(64));
    expect(Math.abs(correlation(drawn.slice(1), drawn.slice(0, -1)))).toBeLessThan(4.5 / Math.sqrt(count));
    const moved = values(uniform(randomKey(1), [count], { dtype, low: -2, high: 6 }));
    expect(moved[5]).toBeCloseTo(8 * drawn[5]! - 2, 5);
  });

  it('normal is normal: Kolmogorov’s distance and four moments', () => {
    const drawn = values(normal(randomKey(2), [count], { dtype })).slice().sort((x, y) => x - y);
    const distance = Math.max(...drawn.map((x, at) => Math.max(Math.abs(normalDistribution(x) - at / count), Math.abs(normalDistribution(x) - (at + 1) / count))));
    expect(distance * Math.sqrt(count)).toBeLessThan(2.4);
    const moment = (power: number): number => drawn.reduce((total, x) => total + x ** power, 0) / count;
    [[1, 0, 1], [2, 1, 2], [3, 0, 15], [4, 3, 96]].forEach(([power, expected, spread]) => expect(Math.abs(moment(power!) - expected!) / Math.sqrt(spread! / count)).toBeLessThan(4.5));
    expect(drawn.every(Number.isFinite)).toBe(true);
  });
});

describe('choices', () => {
  it('bernoulli is true with probability p, and always or never at 1 and 0', () => {
    for (const p of [0.1, 0.5, 0.9]) expect(Math.abs(values(bernoulli(randomKey(4), p, [20_000])).filter(Boolean).length - 20_000 * p) / Math.sqrt(20_000 * p * (1 - p))).toBeLessThan(4.5);
    expect(values(bernoulli(randomKey(4), tensor([0, 1, 0, 1])))).toEqual([false, true, false, true]);
  });

  it('randint reaches every integer of its range alike, and the whole of int32', () => {
    expect(chiSquare(counts(values(randint(randomKey(5), [21_000], -3, 4)).map((k) => k + 3), 7), new Array<number>(7).fill(3000))).toBeLessThan(chiSquareBound(7));
    const wide = values(randint(randomKey(5), [4000], -(2 ** 31), 2 ** 31));
    expect(chiSquare(counts(wide.map((k) => Math.floor(k / 2 ** 29) + 4), 8), new Array<number>(8).fill(500))).toBeLessThan(chiSquareBound(8));
    expect(values(randint(randomKey(5), [3], 4, 5, { dtype: 'int64' }))).toEqual([4, 4, 4]);
    const each = values(randint(randomKey(5), [100, 2], tensor(Int32Array.of(0, 100)), tensor(Int32Array.of(2, 110))));
    expect(each.every((k, at) => (at % 2 === 0 ? k >= 0 && k < 2 : k >= 100 && k < 110))).toBe(true);
    expect(each.filter((_, at) => at % 2 === 0).some((k) => k === 1)).toBe(true);
  });

  it('permutations are permutations, and each of 3! as likely', () => {
    expect(values(permutation(randomKey(6), 1000)).slice().sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
    const orders = values(vmap((k: Key) => permutation(k, 3) as never)(splitKey(randomKey(8), 6000) as never));
    const seen = new Map<string, number>();
    for (let at = 0; at < orders.length; at += 3) seen.set(orders.slice(at, at + 3).join(), (seen.get(orders.slice(at, at + 3).join()) ?? 0) + 1);
    expect(seen.size).toBe(6);
    expect(chiSquare([...seen.values()], new Array<number>(6).fill(1000))).toBeLessThan(chiSquareBound(6));
    expect(values(permutation(randomKey(6), tensor([[1, 2], [3, 4], [5, 6]]))).slice().sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('categorical draws with the probabilities of softmax, along any axis, and never −∞', () => {
    const logits = tensor([0, Math.log(2), Math.log(5), -Infinity]);
    const drawn = values(vmap((k: Key) => categorical(k, logits) as never)(splitKey(randomKey(10), 8000) as never));
    const found = counts(drawn, 4);
    expect(found[3]).toBe(0);
    expect(chiSquare(found.slice(0, 3), [1000, 2000, 5000])).toBeLessThan(chiSquareBound(3));
    expect(values(categorical(randomKey(1), tensor([[0, 900], [900, 0]]), { axis: 0 }))).toEqual([1, 0]);
  });
});

describe('derivatives', () => {
  it('flow to bounds, mean and deviation, and to what is permuted', () => {
    const key = randomKey(11);
    const [u, z] = [values(uniform(key, [3])), values(normal(key, [3]))];
    const bound = grad((low: TracedTensor<'float64'>) => sum(uniform(key, [3], { low, high: 2 })) as never)(tensor(0.5) as never);
    expect(values(bound)[0]).toBeCloseTo(3 - u.reduce((s, x) => s + x, 0), 12);
    const deviation = grad((std: TracedTensor<'float64'>) => sum(square(normal(key, [3], { std, mean: 1 }) as Operand)) as never)(tensor(2) as never);
    expect(values(deviation)[0]).toBeCloseTo(z.reduce((s, x) => s + 2 * (1 + 2 * x) * x, 0), 12);
    const order = values(permutation(key, 3));
    const weights = grad((x: TracedTensor<'float64'>) => sum(mul(permutation(key, x) as Operand, tensor([1, 10, 100])) as Operand) as never)(tensor([1, 2, 3]) as never);
    expect(values(weights)).toEqual([0, 1, 2].map((place) => 10 ** order.indexOf(place)));
  });
});
