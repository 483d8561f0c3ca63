import { add, cond, convert, type Dim, dimText, dynamicTruncate, exp, greater, isTfError, layerNorm, mean, mul, padToMatch, programHash, scan, shapeOf, slice, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { AdContext, createCatalog } from '@tf/core';
import { compile, evaluate, input, jit, trace, type TracedTensor, vmap } from './index.ts';

const engine = await createEngine();
const guarded = await createEngine({ debug: 'memory' });
type T = TracedTensor<'float64'>;
const k = input('k', { dtype: 'int32' });
const count = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);
const numbers = (shape: readonly number[], from = 1) => tensor(Float64Array.from({ length: count(shape) }, (_, at) => Math.sin(from + 1.7 * at)), { shape });

/** What `f` of the first k rows is by masking: the same, at one shape for all k. */
function masked(values: Float64Array, shape: readonly number[], axis: number, size: number, value: (x: number) => number): number[] {
  const inner = count(shape.slice(axis + 1));
  return Array.from(values, (x, at) => (Math.floor(at / inner) % (shape[axis] as number) < size ? value(x) : 0));
}

describe('dynamicTruncate', () => {
  it('has the gradient that semantics.md says', () => {
    const x = input('x', { shape: [5] });
    const cut = dynamicTruncate(x, k, 0);
    const run = compile({ cut, gradient: sum(cut.mul(cut)).grad(x) }, { engine });
    const { cut: values, gradient } = run({ x: tensor([1, 2, 3, 4, 5]), k: 2 });
    expect([values.type.key, values.toArray(), gradient.toArray()]).toEqual(['f64[2]', [1, 2], [2, 4, 0, 0, 0]]);
  });

  it('has a gradient that reads nothing of a value which decides its own size', () => {
    const x = input('x', { shape: [3] });
    const count = sum(convert(greater(x, 1), 'int32')) as TracedTensor<'int32'>;
    const run = compile({ gradient: sum(dynamicTruncate(x, count, 0)).grad(x) }, { engine });
    expect(run({ x: tensor([3, 2, 0.5]) }).gradient.toArray()).toEqual([1, 1, 0]);
    expect(run({ x: tensor([3, 0, 0.5]) }).gradient.toArray()).toEqual([1, 0, 0]);
  });

  const shapes = [[5], [4, 3], [1, 5], [2, 3, 4], [2, 2, 3, 2]];
  const cases = shapes.flatMap((shape) => shape.map((_, axis) => ({ shape, axis })));

  it.each(cases)('of $shape along axis $axis: values, gradients, second derivatives, for every k, guarded too', async ({ shape, axis }) => {
    const x = input('x', { shape });
    const cut = dynamicTruncate(x, k, axis);
    const v = input('v', { shape });
    const cube = sum(cut.mul(cut).mul(cut));
    const tree = { cut, square: sum(cut.mul(cut)).grad(x), exponential: sum(exp(cut)).grad(x), second: sum(cube.grad(x).mul(v)).grad(x), tangent: sum(exp(cut)).jvp(x, v), back: padToMatch(exp(cut), x) };
    const runs = [compile(tree, { engine }), compile(tree, { engine: guarded })];
    const data = numbers(shape);
    const values = await data.data();
    const direction = numbers(shape, 3);
    const along = await direction.data();
    for (const given of [2, 0, shape[axis] as number, 1, 99, -1]) {
      const size = Math.min(Math.max(given, 0), shape[axis] as number);
      for (const run of runs) {
        const r = run({ x: data, v: direction, k: given });
        expect(r.cut.type.shape).toEqual(shape.map((extent, at) => (at === axis ? size : extent)));
        const flat = (y: { readonly data: () => Promise<Float64Array> }) => y.data().then((all) => [...all]);
        expect(await flat(r.square)).toEqual(masked(values, shape, axis, size, (a) => 2 * a));
        const powers = masked(values, shape, axis, size, Math.exp);
        (await flat(r.exponential)).forEach((got, at) => expect(Math.abs(got - (powers[at] as number))).toBeLessThanOrEqual(1e-15 * Math.abs(got)));
        expect(await flat(r.back)).toEqual(await flat(r.exponential));
        const kept = masked(values, shape, axis, size, () => 1);
        (await flat(r.second)).forEach((got, at) => expect(Math.abs(got - 6 * (kept[at] as number) * (values[at] as number) * (along[at] as number))).toBeLessThanOrEqual(1e-14));
        expect(Math.abs(r.tangent.item() - powers.reduce((total, power, at) => total + power * (along[at] as number), 0))).toBeLessThanOrEqual(1e-13);
      }
    }
  });

  it('agrees with central differences to 2e-9', () => {
    const x = input('x', { shape: [4, 3] });
    const y = input('y', { shape: [3, 4] });
    const [rows, columns] = [dynamicTruncate(x, k, 1), dynamicTruncate(y, k, 0)];
    const loss = sum(exp(rows.matmul(columns))).add(sum(mul(layerNorm(rows), rows)));
    const run = compile({ loss, gradient: loss.grad(x) }, { engine });
    const data = Float64Array.from({ length: 12 }, (_, at) => 0.4 * Math.sin(at));
    const other = numbers([3, 4], 5);
    const at = (values: Float64Array): number => run({ x: tensor(values, { shape: [4, 3] }), y: other, k: 2 }).loss.item();
    const gradient = run({ x: tensor(data, { shape: [4, 3] }), y: other, k: 2 }).gradient.toArray() as number[][];
    const slopes = gradient.flat();
    data.forEach((_, place) => {
      const quotient = (h: number): number => (at(data.map((value, index) => (index === place ? value + h : value))) - at(data.map((value, index) => (index === place ? value - h : value)))) / (2 * h);
      const [a, b, c] = [quotient(1e-3), quotient(5e-4), quotient(2.5e-4)] as const;
      const estimate = (16 * ((4 * c - b) / 3) - (4 * b - a) / 3) / 15;
      expect(Math.abs((slopes[place] as number) - estimate)).toBeLessThanOrEqual(2e-9);
    });
  });

  it('compiles once for all k', async () => {
    const own = await createEngine();
    const x = input('x', { shape: [64, 3] });
    const cut = dynamicTruncate(x, k, 0);
    const run = compile({ total: sum(exp(cut)), gradient: sum(mul(cut, cut)).grad(x), left: cut }, { engine: own });
    const data = numbers([64, 3]);
    for (let size = 1; size <= 64; size++) expect(run({ x: data, k: size }).left.type.shape).toEqual([size, 3]);
    expect([own.stats().modulesCompiled, own.stats().plansCompiled]).toEqual([1, 1]);
    own.dispose();
  });

  it('takes no more memory for an output than it has elements', async () => {
    const own = await createEngine();
    const x = input('x', { shape: [100_000] });
    const run = compile({ cut: dynamicTruncate(x, k, 0).mul(2) }, { engine: own });
    const data = evaluate(tensor(new Float64Array(100_000)).mul(1), own);
    run({ x: data, k: 3 }).cut.dispose();
    const before = own.stats().bytesInUse;
    const outputs = Array.from({ length: 20 }, () => run({ x: data, k: 3 }).cut);
    expect(own.stats().bytesInUse - before).toBeLessThan(10_000);
    expect(outputs.map((output) => output.type.key)).toEqual(Array.from({ length: 20 }, () => 'f64[3]'));
    own.dispose();
  });

  it('cuts twice over, and by sizes that the values decide', () => {
    const x = input('x', { shape: [6] });
    const positive = dynamicTruncate(x, sum(convert(greater(x, 0), 'int32')), 0);
    const twice = dynamicTruncate(positive, k, 0);
    const run = compile({ positive, twice, gradient: sum(twice.mul(twice)).grad(x), mean: mean(twice), rows: shapeOf(twice, 0) }, { engine });
    const r = run({ x: tensor([3, -1, 2, 5, -2, 1]), k: 3 });
    expect([r.positive.toArray(), r.twice.toArray(), r.gradient.toArray(), r.rows.item()]).toEqual([[3, -1, 2, 5], [3, -1, 2], [6, -2, 4, 0, 0, 0], 3]);
    expect(r.mean.item()).toBe(4 / 3);
    const less = run({ x: tensor([3, -1, -2, -5, -2, -1]), k: 3 });
    expect([less.positive.toArray(), less.twice.toArray(), less.gradient.toArray(), less.rows.item()]).toEqual([[3], [3], [6, 0, 0, 0, 0, 0], 1]);
  });

  it('gives equal sizes one symbol, so that a truncated factorisation multiplies back', () => {
    const [u, s, v] = [input('u', { shape: [4, 3] }), input('s', { shape: [3] }), input('v', { shape: [3, 5] })];
    const [uk, sk, vk] = [dynamicTruncate(u, k, 1), dynamicTruncate(s, k, 0), dynamicTruncate(v, k, 0)];
    expect([uk.type.shape[1], sk.type.shape[0]].map((dim) => dimText(dim as Dim))).toEqual([dimText(vk.type.shape[0] as Dim), dimText(vk.type.shape[0] as Dim)]);
    const product = mul(uk, sk).matmul(vk);
    const mask = input('mask', { shape: [3] });
    const whole = mul(mul(u, s), mask).matmul(v);
    const loss = (y: T) => sum(mul(y, y));
    const run = compile({ product, whole, gu: loss(product).grad(u), gs: loss(product).grad(s), gv: loss(product).grad(v), mu: loss(whole).grad(u), ms: loss(whole).grad(s), mv: loss(whole).grad(v) }, { engine });
    for (const size of [0, 1, 2, 3]) {
      const r = run({ u: numbers([4, 3]), s: tensor([3, 2, 1]), v: numbers([3, 5], 2), k: size, mask: tensor([0, 1, 2].map((at) => (at < size ? 1 : 0))) });
      for (const [a, b] of [[r.product, r.whole], [r.gu, r.mu], [r.gs, r.ms], [r.gv, r.mv]] as const) {
        const [x, y] = [a, b].map((value) => (value.toArray() as number[]).flat()) as [number[], number[]];
        x.forEach((value, at) => expect(Math.abs(value - (y[at] as number))).toBeLessThanOrEqual(1e-13));
      }
    }
  });

  it('of an axis that a run decides, by a number', () => {
    const x = input('x', { shape: ['n'] });
    const cut = dynamicTruncate(x, 2, 0);
    const run = compile({ cut, gradient: sum(cut.mul(cut)).grad(x) }, { engine });
    for (const values of [[1, 2, 3], [1], []]) {
      const r = run({ x: tensor(values) });
      expect([r.cut.toArray(), r.gradient.toArray()]).toEqual([values.slice(0, 2), values.map((value, at) => (at < 2 ? 2 * value : 0))]);
    }
  });

  it('checks sizes that must be equal when they are known', () => {
    const [x, n] = [input('x', { shape: [5] }), input('n', { dtype: 'int32' })];
    const run = compile({ y: add(dynamicTruncate(x, k, 0), dynamicTruncate(x, n, 0)) }, { engine });
    expect(run({ x: tensor([1, 2, 3, 4, 5]), k: 2, n: 2 }).y.toArray()).toEqual([2, 4]);
    expect(() => run({ x: tensor([1, 2, 3, 4, 5]), k: 2, n: 3 })).toThrow(expect.objectContaining({ name: 'ConstraintError' }));
    expect(run({ x: tensor([1, 2, 3, 4, 5]), k: 3, n: 3 }).y.toArray()).toEqual([2, 4, 6]);
  });

  it('finds what decides a size that no operand has', () => {
    const [x, w] = [input('x', { shape: [5] }), input('w')];
    const spread = w.broadcastTo(dynamicTruncate(x, k, 0).type.shape);
    const run = compile({ spread, gradient: sum(spread).grad(w) }, { engine });
    const r = run({ k: 3, w: 7 });
    expect([r.spread.toArray(), r.gradient.item()]).toEqual([[7, 7, 7], 3]);
  });

  it('with a known number is a slice', () => {
    const x = input('x', { shape: [5] });
    expect([dynamicTruncate(x, 2, 0).type.key, dynamicTruncate(x, 9, 0).type.key, dynamicTruncate(x, -1, 0).type.key, dynamicTruncate(x, tensor(3, { dtype: 'int32' }), 0).type.key]).toEqual(['f64[2]', 'f64[5]', 'f64[0]', 'f64[3]']);
  });

  it('in jit takes numbers and tensors of int32 and int64', () => {
    const first = jit((x: T, size: TracedTensor) => dynamicTruncate(x, size, 0), { engine });
    const data = tensor([1, 2, 3]);
    expect([first(data, 2 as never).toArray(), first(data, tensor(1, { dtype: 'int32' }) as never).toArray(), first(data, tensor(2 ** 40, { dtype: 'int64' }) as never).toArray()]).toEqual([[1, 2], [1], [1, 2, 3]]);
  });

  it.each([
    ['a fraction', () => dynamicTruncate(input('x', { shape: [3] }), 1.5, 0), 'ArgumentError'],
    ['a float', () => dynamicTruncate(input('x', { shape: [3] }), input('f'), 0), 'DTypeError'],
    ['a vector of sizes', () => dynamicTruncate(input('x', { shape: [3] }), input('f', { dtype: 'int32', shape: [2] }), 0), 'ShapeError'],
    ['an axis that is not there', () => dynamicTruncate(input('x', { shape: [3] }), k, 1), 'AxisError'],
    ['what is larger than like', () => padToMatch(input('x', { shape: [3] }), tensor([1, 2])), 'ShapeError'],
    ['another rank than like', () => padToMatch(input('x', { shape: [3] }), tensor([[1, 2]])), 'ShapeError'],
    ['a name that is kept for such sizes', () => input('x', { shape: ["k'3"] }), 'ArgumentError'],
  ] as const)('refuses %s', (_name, make, name) => {
    expect(make).toThrow(expect.objectContaining({ name }));
  });
});

describe('programs with sizes that a run decides', () => {
  const f = (x: T, size: TracedTensor): unknown => {
    const cut = dynamicTruncate(x, size, 0);
    return [padToMatch(exp(cut), x), sum(cut).grad(x)];
  };

  it('of equal structure print, hash and cache equally', () => {
    const [one, two] = [trace(f, numbers([4]), tensor(2, { dtype: 'int32' })), trace(f, numbers([4]), tensor(3, { dtype: 'int32' }))];
    expect(one.toString()).toBe(two.toString());
    expect(one.toString()).toContain("tf.core.extent(%1) {bound: 4, symbol: dim(k'0)}");
    expect(programHash(one.program)).toBe(programHash(two.program));
    const context = new AdContext({ catalog: createCatalog() });
    for (let round = 0; round < 3; round++) {
      const x = input('x', { shape: [4], context });
      sum(exp(dynamicTruncate(x, k, 0))).grad(x);
    }
    expect([context.stats().misses, context.stats().hits]).toEqual([1, 2]);
  });

  it('are found in the plan cache of the engine', async () => {
    const own = await createEngine();
    for (let round = 0; round < 3; round++) {
      const x = input('x', { shape: [4] });
      expect(compile({ y: dynamicTruncate(x, k, 0).mul(2) }, { engine: own })({ x: tensor([1, 2, 3, 4]), k: round }).y.toArray()).toEqual([2, 4, 6].slice(0, round));
    }
    expect([own.stats().plansCompiled, own.stats().modulesCompiled]).toEqual([1, 1]);
    own.dispose();
  });
});

describe('control flow around sizes that a run decides', () => {
  it('takes and gives truncated values', () => {
    const x = input('x', { shape: [5, 2] });
    const cut = dynamicTruncate(x, k, 0);
    const [last, sums] = scan((s: T, row: T) => [s.add(row), s.mul(row)] as const, tensor([1, 1]) as never, cut as never) as unknown as readonly [T, T];
    const chosen = cond(greater(sum(cut), 0) as never, (y: T) => y.mul(2), (y: T) => exp(y), cut as never) as unknown as T;
    const run = compile({ last, sums, chosen, gradient: sum(sums).add(sum(chosen)).grad(x) }, { engine });
    const known = (size: number) => {
      const fixed = slice(x, [0, 0], [size, 2]);
      const [own, all] = scan((s: T, row: T) => [s.add(row), s.mul(row)] as const, tensor([1, 1]) as never, fixed as never) as unknown as readonly [T, T];
      const taken = cond(greater(sum(fixed), 0) as never, (y: T) => y.mul(2), (y: T) => exp(y), fixed as never) as unknown as T;
      return compile({ last: own, sums: all, chosen: taken, gradient: sum(all).add(sum(taken)).grad(x) }, { engine });
    };
    for (const size of [3, 0, 5, 1]) {
      const data = { x: numbers([5, 2]) };
      const [a, b] = [run({ ...data, k: size }), known(size)(data)];
      for (const name of ['last', 'sums', 'chosen', 'gradient'] as const) expect([size, name, a[name].toArray()]).toEqual([size, name, b[name].toArray()]);
    }
  });

  it('is refused where the size itself is decided inside', () => {
    const x = input('x', { shape: [3, 4] });
    expect(() => scan((s: T, row: T) => [s.add(sum(dynamicTruncate(row, convert(s, 'int32'), 0))), s] as const, tensor(0) as never, x as never)).toThrow(expect.objectContaining({ name: 'UnsupportedRuleError' }));
  });
});

describe('vmap of dynamicTruncate', () => {
  it('over x with a shared k cuts the next axis', () => {
    const x = input('x', { shape: [2, 4] });
    const rows = vmap((row: T) => dynamicTruncate(row, k, 0).mul(2))(x as never) as unknown as T;
    const run = compile({ rows, gradient: sum(rows.mul(rows)).grad(x) }, { engine });
    const r = run({ x: tensor([[1, 2, 3, 4], [5, 6, 7, 8]]), k: 2 });
    expect([r.rows.toArray(), r.gradient.toArray()]).toEqual([[[2, 4], [10, 12]], [[8, 16, 0, 0], [40, 48, 0, 0]]]);
  });

  it('over k is refused with the masked form as remedy', () => {
    try {
      evaluate(vmap((x: T, size: TracedTensor) => dynamicTruncate(x, size, 0), { inAxes: [null, 0] })(tensor([1, 2, 3]) as never, tensor(Int32Array.of(1, 2)) as never), engine);
      throw new Error('unexpected');
    } catch (error) {
      expect(isTfError(error, 'UnsupportedRuleError') && error.message).toMatch(/masked form.*select\(less\(indices, k\), x, 0\)/s);
    }
  });
});
