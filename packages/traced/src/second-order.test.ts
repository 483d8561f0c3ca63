import { add, div, exp, isTfError, log, log1p, matmul, mul, prod, sigmoid, sin, softplus, sqrt, stopGradient, sub, sum, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { deviation, differences, directional } from './differences.testing.ts';
import { compile, evaluate, grad, hessian, hvp, input, jacobianForward, jit, jvp, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const matrix = tensor([[2, -1, 0.5], [-1, 3, 0.25], [0.5, 0.25, 1]]);

/** Smooth functions of three numbers. */
const smooth: Readonly<Record<string, (x: F64) => F64>> = {
  'a quadratic form': (x) => sum(mul(x, matmul(matrix, x))),
  'exp of a sum': (x) => exp(sum(mul(x, 0.3))),
  'a network': (x) => sum(tanh(matmul(tanh(matmul(matrix, x)), matrix))),
  'log of a sum of exp': (x) => log(sum(exp(x))),
  'sin of products': (x) => sin(prod(add(x, 2))),
  'a quotient': (x) => div(sum(mul(x, x)), add(sum(exp(x)), 1)),
  'sigmoid and softplus': (x) => sum(mul(sigmoid(x), softplus(sub(x, 1)))),
  'a norm': (x) => sqrt(add(sum(mul(x, x)), 0.1)),
  'log1p': (x) => log1p(sum(mul(x, mul(x, x))).mul(0.1)),
};
const points: readonly (readonly number[])[] = [[0.7, -0.4, 1.3], [-1.1, 0.2, 0.9]];
const vector = [0.6, -1.2, 0.35];

describe.each(Object.entries(smooth))('%s', (_name, f) => {
  const run = jit(f, { engine });
  const valueAt = (at: readonly number[]): number => run(Float64Array.from(at)).item();
  const gradient = jit(grad(f), { engine });
  const gradientAt = (at: readonly number[]): readonly number[] => gradient(Float64Array.from(at)).toArray() as number[];

  it.each(points)('has the gradient of central differences at %d, %d, %d (2.3e-9)', (...at) => {
    expect(deviation(gradientAt(at), differences(valueAt, at))).toBeLessThanOrEqual(2.3e-9);
  });

  it.each(points)('has the Hessian-vector product of central differences at %d, %d, %d (7.3e-10)', (...at) => {
    const product = jit((x: F64, v: F64) => hvp(f, [x], [v])[0], { engine })(Float64Array.from(at), Float64Array.from(vector));
    expect(deviation(product.toArray() as number[], directional(gradientAt, at, vector))).toBeLessThanOrEqual(7.3e-10);
  });

  it.each(points)('has a symmetric Hessian, that of differences, of hvp and of reverse over forward at %d, %d, %d', (...at) => {
    const rows = jit(hessian(f), { engine })(Float64Array.from(at)).toArray() as number[][];
    const size = Math.max(...rows.flat().map(Math.abs));
    rows.forEach((row, i) => {
      const unit = at.map((_, j) => Number(i === j));
      expect(deviation(row, directional(gradientAt, at, unit))).toBeLessThanOrEqual(2e-9);
      row.forEach((value, j) => expect(Math.abs(value - rows[j]![i]!)).toBeLessThanOrEqual(4e-16 * 4 * size));
      const product = evaluate(hvp(f, [tensor([...at])], [tensor(unit)])[0], engine).toArray() as number[];
      const reverse = evaluate(grad((x: F64) => jvp(f, [x], [tensor(unit)])[1])(tensor([...at])), engine).toArray() as number[];
      for (const other of [product, reverse]) expect(deviation(other, row)).toBeLessThanOrEqual(1e-14);
    });
  });
});

describe('hvp', () => {
  it('takes values, and zero where the gradient is constant', () => {
    const x = input('x', { shape: [2] });
    const y = x.mul(x).mul(x).sum();
    const run = compile([hvp(y, x, tensor([1, 10])), hvp(x.sum(), x, tensor([1, 1]))], { engine });
    expect(run({ x: tensor([1, 2]) }).map((found) => found.toArray())).toEqual([[6, 120], [0, 0]]);
  });

  it('takes trees: undefined stands for zero and integers stay out', () => {
    type Params = { readonly w: F64; readonly b: F64; readonly n: TracedTensor<'int32'> };
    const f = (p: Params, s: F64): F64 => p.w.mul(p.b).mul(s).sum();
    const primals = [{ w: tensor([1, 2]), b: 3, n: tensor(Int32Array.of(1)) }, 5] as const;
    const [p, s] = hvp(f, primals, [{ w: undefined, b: 1, n: undefined }, undefined]);
    const found = evaluate([p.w, p.b, s], engine).map((leaf) => leaf.toArray());
    expect(found).toEqual([[5, 5], 0, 3]);
    expect(p.n).toBeUndefined();
  });

  it('refuses what grad and jvp refuse', () => {
    const x = input('x', { shape: [2] });
    expect(isTfError(thrown(() => hvp(x, x, tensor([1, 1]))), 'NonScalarGradError')).toBe(true);
    expect(isTfError(thrown(() => hvp(x.sum(), input('z'), 1)), 'InactiveGradError')).toBe(true);
    expect(isTfError(thrown(() => hvp(x.sum(), x, tensor([1, 2, 3]))), 'ShapeError')).toBe(true);
    expect(evaluate(hvp(exp(x).sum(), input('z'), 1, { allowUnused: true }), engine).item()).toBe(0);
    expect(isTfError(thrown(() => hvp((a: F64, _b: F64) => a.mul(a), [1, 2], [1, 1])), 'InactiveGradError')).toBe(true);
    expect(evaluate(hvp((a: F64, _b: F64) => a.mul(a), [1, 2], [1, 1], { allowUnused: true }), engine).map((leaf) => leaf.item())).toEqual([2, 0]);
    expect(isTfError(thrown(() => hvp((a: F64) => a.mul(a), [1], [] as never)), 'ArgumentError')).toBe(true);
  });

  it('costs a small multiple of the value, whatever the size', () => {
    const f = (x: F64): F64 => tanh(x.mul(x)).sum();
    const count = (size: number): number => {
      const x = input('x', { shape: [size] });
      return compile(hvp(f(x), x, tensor(new Float64Array(size).fill(1))), { engine }).program.instructions.length;
    };
    expect(count(1000)).toBe(count(3));
    expect(count(3)).toBeLessThan(30);
  });
});

describe('hessian', () => {
  it('has blocks for pairs of leaves, each the transpose of its mirror image', () => {
    const f = (p: { readonly w: F64; readonly b: F64 }, s: F64): F64 => exp(matmul(p.w, p.b)).mul(s).sum();
    const w = tensor([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]]);
    const b = tensor([0.7, -0.8, 0.9]);
    const [first, second] = evaluate(hessian(f, { argnums: [0, 1] })({ w, b }, 1.5), engine);
    expect([first.w[0].w, first.w[0].b, first.w[1], second[0].b, second[1]].map((block) => block.type.key)).toEqual(['f64[2, 3, 2, 3]', 'f64[2, 3, 3]', 'f64[2, 3]', 'f64[3]', 'f64[]']);
    const [wb, bw] = [first.w[0].b.toArray(), first.b[0].w.toArray()] as [number[][][], number[][][]];
    wb.forEach((rows, i) => rows.forEach((row, j) => row.forEach((value, k) => expect(value).toBeCloseTo(bw[k]![i]![j]!, 14))));
    const one = evaluate(hessian((v: F64) => f({ w: v, b: b as never }, tensor(1.5) as never))(w), engine).toArray();
    expect(first.w[0].w.toArray()).toEqual(one);
  });

  it('is zero for a linear function, and refuses one that does not depend on its argument', () => {
    const x = tensor([1, 2]);
    expect(evaluate(hessian((v: F64) => v.mul(3).sum())(x), engine).toArray()).toEqual([[0, 0], [0, 0]]);
    expect(isTfError(thrown(() => hessian((_v: F64) => sum(x))(x)), 'InactiveGradError')).toBe(true);
    expect(evaluate(hessian((_v: F64) => sum(x), { allowUnused: true })(x), engine).toArray()).toEqual([[0, 0], [0, 0]]);
    const [y, z] = [input('y', { shape: [2] }), input('z')];
    expect(isTfError(thrown(() => hessian(y.sum(), z)), 'InactiveGradError')).toBe(true);
    expect(compile(hessian(y.mul(y).mul(y).sum(), y), { engine })({ y: x }).toArray()).toEqual([[6, 0], [0, 12]]);
  });

  it('is the Jacobian of the gradient, at empty tensors too', () => {
    const f = (x: F64): F64 => exp(x).sum();
    const x = tensor([0.5, -1]);
    expect(evaluate(hessian(f)(x), engine).toArray()).toEqual(evaluate(jacobianForward(grad(f) as (x: F64) => F64)(x), engine).toArray());
    expect(evaluate(hessian(f)(new Float64Array(0)), engine).type.key).toBe('f64[0, 0]');
  });

  it('gives 0, 0, 0, 24, 0, 0 for the derivatives of x⁴ at 0 when it is nested with grad', () => {
    const power = (x: F64): F64 => x.mul(x).mul(x).mul(x);
    const fourth = hessian((x: F64) => hessian(power)(x));
    const sixth = hessian((x: F64) => fourth(x), { allowUnused: true });
    expect(evaluate([hessian(power)(0), fourth(0), sixth(0)], engine).map((found) => found.item())).toEqual([0, 24, 0]);
  });
});

describe('stopGradient', () => {
  it('lets the value through and no derivative, forward or reverse', () => {
    const f = (x: F64): F64 => stopGradient(x).mul(x).add(stopGradient(x.mul(x)));
    expect(evaluate(f(grad((x: F64) => x.mul(x))(1.5)), engine).item()).toBe(18);
    expect(evaluate(grad(f)(3), engine).item()).toBe(3);
    expect(evaluate(jvp(f, [3], [1]), engine).map((found) => found.item())).toEqual([18, 3]);
    expect(evaluate(jacobianForward(f)(3), engine).item()).toBe(3);
    expect(evaluate(grad(grad(f) as (x: F64) => F64, { allowUnused: true })(3), engine).item()).toBe(0);
    expect(isTfError(thrown(() => grad((x: F64) => stopGradient(x))(3)), 'InactiveGradError')).toBe(true);
    expect(evaluate(jvp((x: F64) => stopGradient(x), [3], [1])[1], engine).item()).toBe(0);
  });
});
