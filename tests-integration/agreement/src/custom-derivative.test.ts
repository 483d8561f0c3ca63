import { add, clamp, cond, cos, customJvp, customVjp, exp, fori, fromColumnMajor, greater, mul, scan, sin, sum, tensor } from '@tf/core';
import { EagerRuntime, type EagerTensor } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { compile, grad, hessian, input, jit, jvp, type TracedTensor, vmap } from '@tf/traced';
import { describe, expect, it } from 'vitest';

type T = TracedTensor<'float64'>;
type E = EagerTensor<'float64'>;
const engine = await createEngine();
const t = (x: unknown): T => x as T;
const run = (f: (...xs: T[]) => unknown, ...xs: unknown[]): unknown => (jit(f as never, { engine }) as unknown as (...xs: unknown[]) => { toArray(): unknown })(...xs).toArray();

/** 3·x², whose reverse rule is wrong on purpose: 10·x. Whoever uses another derivative is seen. */
const marked = customVjp((x: T) => t(mul(mul(x, x), 3)), { vjp: ({ inputs: [x] }, ct) => [t(mul(mul(ct, x), 10))] });
const forward = customJvp((x: T) => t(mul(mul(x, x), 3)), { jvp: ({ inputs: [x] }, [dx]) => t(mul(mul(dx, x), 10)) });
const clipped = customVjp((x: T) => t(mul(x, 1)), { vjp: (_at, ct) => [t(clamp(ct, -1, 1))] });

describe.each([['customVjp', marked], ['customJvp', forward]] as const)('%s', (_name, f) => {
  it('has the value of the function and the derivative of the rule, of every order and in both directions', () => {
    expect(run((x) => f(x!), tensor([1, 2]))).toEqual([3, 12]);
    const g = grad((x: T) => f(x).sum());
    expect(run((x) => g(x!), tensor([1, 2]))).toEqual([10, 20]);
    expect(run((x) => grad((y: T) => t(g(y)).sum())(x!), tensor([1, 2]))).toEqual([10, 10]);
    expect(run((x) => hessian((y: T) => f(y).sum())(x!), tensor([1, 2]))).toEqual([[10, 0], [0, 10]]);
    expect(run((x) => jvp((y: T) => f(y), [x!], [x!])[1], tensor([1, 2]))).toEqual([10, 40]);
  });

  it('under vmap, in loops, branches and checkpoints', () => {
    const rows = tensor([[1, 2], [3, 4]]);
    expect(run((x) => vmap((row: T) => f(row).sum())(x!), rows)).toEqual([15, 75]);
    expect(run((x) => vmap(grad((row: T) => f(row).sum()))(x!), rows)).toEqual([[10, 20], [30, 40]]);
    expect(run((x) => grad((y: T) => t(vmap((row: T) => f(row))(y)).sum())(x!), rows)).toEqual([[10, 20], [30, 40]]);
    // x → 3·x² twice: 10·(3·x²) · 10·x.
    expect(run((x) => grad((y: T) => t(fori(2, (_i, s: T) => f(s), y)).sum())(x!), tensor([1, 2]))).toEqual([300, 2400]);
    expect(run((x) => grad((y: T) => t(cond(greater(sum(y), 0) as never, (s: T) => f(s), (s: T) => s, y)).sum())(x!), tensor([1, 2]))).toEqual([10, 20]);
  });

  it('in eager mode', () => {
    const runtime = new EagerRuntime();
    runtime.session(engine, () => {
      const x = runtime.variable(tensor([1, 2]));
      const y = (f as unknown as (x: unknown) => E)(x).sum();
      y.backward();
      expect(y.item()).toBe(15);
      expect(x.grad!.toArray()).toEqual([10, 20]);
    });
  });

  it('refuses derivatives with respect to what it captured', () => {
    const wrap = _name === 'customVjp'
      ? (w: T) => customVjp((x: T) => t(mul(x, w)), { vjp: (_at, ct) => [t(mul(ct, w))] })
      : (w: T) => customJvp((x: T) => t(mul(x, w)), { jvp: (_at, [dx]) => t(mul(dx, w)) });
    expect(run((x, w) => grad((y: T) => wrap(w!)(y).sum())(x!), tensor([1, 2]), tensor([3, 4]))).toEqual([3, 4]);
    expect(() => run((x, w) => grad((v: T) => wrap(v)(x!).sum())(w!), tensor([1, 2]), tensor([3, 4]))).toThrow(`${_name}: the function or its rule captured a f64[2]`);
  });
});

describe('customVjp', () => {
  const pair = customVjp((x: T, { w, n }: { w: T; n: TracedTensor<'int32'> }) => ({ a: t(mul(x, w)), b: t(exp(x)), n }), {
    vjp: ({ inputs: [x, { w }], output: { b } }, ct) => [t(add(mul(ct.a, w), mul(ct.b, b))), { w: t(mul(ct.a, x)), n: undefined as never }],
  });

  it('takes and gives trees, reads outputs, and integers have no cotangents', () => {
    const loss = (x: T, w: T): T => {
      const { a, b } = pair(x, { w, n: tensor(Int32Array.of(1)) as never });
      return t(add(sum(a), sum(b)));
    };
    const plain = (x: T, w: T): T => t(add(sum(mul(x, w)), sum(exp(x))));
    const both = (f: typeof loss) => jit((x: T, w: T) => grad(f, { argnums: [0, 1] })(x, w), { engine })(tensor([1, 2]), tensor([3, 4])).map((g) => g.toArray());
    expect(both(loss)).toEqual(both(plain));
  });

  it('sums the cotangent of an argument that the batch shares', () => {
    const scaled = customVjp((x: T, w: T) => t(mul(x, w)), { vjp: ({ inputs: [x, w] }, ct) => [t(mul(ct, w)), t(mul(ct, x))] });
    const loss = (w: T) => t(vmap((row: T) => scaled(row, w))(t(tensor([[1, 2], [3, 4]])))).sum();
    // The batch captures w, which is an argument of the function inside.
    expect(run((w) => grad(loss)(w!), tensor([5, 6]))).toEqual([4, 6]);
  });

  it('may be no linear map, in loops too, but then has no tangents', () => {
    expect(run((x) => grad((y: T) => clipped(y).mul(y).sum())(x!), tensor([0.5, 3]))).toEqual([1, 4]);
    const looped = (y: T): T => t(scan((s: T, x: T) => [clipped(t(mul(s, x))), s] as const, y, tensor([5, 3]))[0]);
    // 1 is clipped, times 3 is 3, is clipped to 1, times 5.
    expect(run((x) => grad((y: T) => looped(y))(x!), tensor(2))).toBe(5);
    expect(() => run((x) => jvp((y: T) => clipped(y), [x!], [x!])[1], tensor([1, 2]))).toThrow('customVjp: no jvp: its vjp is not linear in the cotangents');
  });

  it('says what is wrong with a rule, by the name of the function', () => {
    const x = input('x', { shape: [2] });
    const of = (vjp: unknown) => () => customVjp((y: T) => t(sin(y)), { vjp } as never)(x);
    const wrong = (name: string, part: string): unknown => expect.objectContaining({ name, message: expect.stringContaining(part) });
    const thrown = (f: () => unknown): unknown => { try { f(); } catch (error) { return error; } return undefined; };
    expect(thrown(of((_at: unknown, ct: T) => [ct, ct]))).toEqual(wrong('ExtensionError', 'customVjp: its vjp gave 2 cotangents for 1 argument.'));
    expect(thrown(of((_at: unknown, ct: T) => ct))).toEqual(wrong('ExtensionError', 'customVjp: its vjp gave a tensor f64[2] for 1 argument.'));
    expect(thrown(of((_at: unknown, ct: T) => [ct.sum()]))).toEqual(wrong('ExtensionError', 'customVjp: the cotangent of argument 0 is f64[], not f64[2].'));
    expect(thrown(of(() => [0]))).toEqual(wrong('ExtensionError', 'customVjp: the cotangent of argument 0 is number 0, not a tensor.'));
    expect(thrown(of((_at: unknown, ct: T) => [[ct]]))).toEqual(wrong('ExtensionError', 'customVjp: the cotangent of argument 0 is nested otherwise'));
    expect(thrown(of(async () => []))).toEqual(wrong('AsyncCallbackError', 'customVjp'));
    expect(thrown(() => customVjp((y: T) => y, {} as never))).toEqual(wrong('ArgumentError', 'customVjp: vjp is undefined'));
    expect(thrown(() => customJvp((y: T) => t(sin(y)), { jvp: (_at, [dy]) => t(dy.sum()) })(x))).toEqual(wrong('ExtensionError', 'customJvp: the tangent of the result is f64[], not f64[2].'));
  });

  it('is compiled to what the function itself is: the body is put in its place', () => {
    const x = input('x', { shape: [2] });
    const f = (y: T): T => t(cos(t(sin(y))));
    const kinds = (y: T): readonly string[] => compile({ y }, { engine }).plan.steps.map(({ kind }) => kind);
    expect(kinds(customVjp(f, { vjp: () => [undefined] })(x))).toEqual(kinds(f(x)));
  });
});

describe('fromColumnMajor', () => {
  it('puts values in row-major order, for every rank and dtype', () => {
    expect(fromColumnMajor([1, 2, 3, 4, 5, 6], [2, 3]).toArray()).toEqual([[1, 3, 5], [2, 4, 6]]);
    expect(fromColumnMajor(Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8), [2, 2, 2]).toArray()).toEqual([[[1, 5], [3, 7]], [[2, 6], [4, 8]]]);
    expect(fromColumnMajor(Float64Array.of(1, -1, 2, -2, 3, -3, 4, -4), [2, 2], { dtype: 'complex128' }).toArray()).toEqual([[{ re: 1, im: -1 }, { re: 3, im: -3 }], [{ re: 2, im: -2 }, { re: 4, im: -4 }]]);
    expect(fromColumnMajor([true, false], [1, 2]).type.key).toBe('bool[1, 2]');
    expect(fromColumnMajor([7], []).item()).toBe(7);
    expect(fromColumnMajor([], [0, 3], { dtype: 'float32' }).type.key).toBe('f32[0, 3]');
    expect(fromColumnMajor(BigInt64Array.of(1n, 2n), [2]).type.dtype).toBe('int64');
  });

  it('refuses what does not fill the shape, and nested lists', () => {
    expect(() => fromColumnMajor([1, 2, 3], [2, 2])).toThrow('fromColumnMajor: shape [2, 2] takes 4 values, got 3.');
    expect(() => fromColumnMajor([[1, 2], [3, 4]] as never, [2, 2])).toThrow('fromColumnMajor: data is an array; it takes a flat list');
  });
});
