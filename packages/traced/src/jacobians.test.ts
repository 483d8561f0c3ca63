import { AdContext, createCatalog, exp, isTfError, less, matmul, mul, sin, softmax, sum, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { deviation, directional } from './differences.testing.ts';
import { compile, evaluate, grad, input, jacobianForward, jacobianReverse, jit, type TracedTensor } from './index.ts';

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

function numbers(x: { toArray(): unknown }): readonly number[] {
  return [x.toArray()].flat(9) as number[];
}

const matrix = tensor([[0.3, -0.2, 0.9], [0.1, 0.8, -0.5]]);
const functions: Readonly<Record<string, (x: F64) => F64>> = {
  'a layer': (x) => tanh(matmul(matrix, x)),
  'softmax': (x) => softmax(x),
  'an outer product': (x) => mul(x.reshape([3, 1]), exp(x).reshape([1, 3])),
  'a scalar': (x) => sum(sin(x)),
};
const at = [0.4, -1.2, 0.7];

describe.each(Object.entries(functions))('the Jacobian of %s', (_name, f) => {
  const [forward, reverse] = evaluate([jacobianForward(f)(tensor(at)), jacobianReverse(f)(tensor(at))] as const, engine);
  const run = jit(f, { engine });
  const value = (point: readonly number[]): readonly number[] => numbers(run(Float64Array.from(point)));

  it('has the shape output ++ input and is the same forward and reverse, to rounding', () => {
    const shape = [...run(tensor(at)).type.shape, 3];
    expect([forward.type.shape, reverse.type.shape]).toEqual([shape, shape]);
    expect(deviation(numbers(forward), numbers(reverse))).toBeLessThanOrEqual(1e-15);
  });

  it('has the columns of central differences', () => {
    for (const index of [0, 1, 2]) {
      const column = numbers(forward).filter((_, place) => place % 3 === index);
      expect(deviation(column, directional(value, at, [0, 1, 2].map((other) => Number(other === index))))).toBeLessThanOrEqual(2.3e-9);
    }
  });
});

describe('Jacobians', () => {
  const both = [jacobianForward, jacobianReverse] as const;

  it('of v³ captured by another transform are constant there: grad of Σ J·x + b is one', () => {
    const x = tensor([1, 2, 3]);
    for (const jacobian of both) {
      const gradient = grad((b: F64) => {
        const inner = jacobian((v: F64) => v.mul(v).mul(v))(x);
        return matmul(inner, x).add(b).sum();
      });
      expect(evaluate(gradient(tensor([5, 6, 7])), engine).toArray()).toEqual([1, 1, 1]);
    }
  });

  it.each(both)('%o: trees of the result with trees of the arguments, zero where nothing flows', (jacobian) => {
    type Params = { readonly w: F64; readonly s: F64; readonly n: TracedTensor<'int32'> };
    const f = (p: Params, k: F64) => ({ scaled: p.w.mul(p.s).mul(k), other: [p.s.mul(p.s)], small: less(p.w, 1) }) as const;
    const args = [{ w: tensor([1, 2]), s: 3, n: tensor(Int32Array.of(1)) }, 5] as const;
    const found = evaluate(jacobian(f, { argnums: [0, 1] })(...args), engine);
    const [byP, byK] = found.scaled;
    expect([byP.w, byP.s, byK].map((block) => block.toArray())).toEqual([[[15, 0], [0, 15]], [5, 10], [3, 6]]);
    expect(byP.n).toBeUndefined();
    expect(found.small).toBeUndefined();
    expect([found.other[0][0].w, found.other[0][0].s, found.other[0][1]].map((block) => block.toArray())).toEqual([[0, 0], 6, 0]);
  });

  it.each(both)('%o: of values, by inputs and by values on the way', (jacobian) => {
    const x = input('x', { shape: [2] });
    const h = x.mul(x);
    const found = compile([jacobian(h.mul(3), x), jacobian(h.mul(3), h), jacobian(x, x)] as const, { engine })({ x: tensor([1, 2]) });
    expect(found.map((block) => block.toArray())).toEqual([[[6, 0], [0, 12]], [[3, 0], [0, 3]], [[1, 0], [0, 1]]]);
  });

  it.each(both)('%o: takes the dtype of the value it is by', (jacobian) => {
    const [x, y] = [input('x', { shape: [2], dtype: 'float32' }), input('y', { shape: [2] })];
    const blocks = [jacobian(x.mul(y), x), jacobian(x.mul(y), y)] as const;
    expect(blocks.map((block) => block.type.key)).toEqual(['f32[2, 2]', 'f64[2, 2]']);
  });

  it.each(both)('%o: refuses arguments that nothing depends on, unless zeros are allowed', (jacobian) => {
    const f = (a: F64, _b: F64): F64 => a;
    const error = thrown(() => jacobian(f, { argnums: [0, 1] })(1, tensor([1, 2])));
    expect(isTfError(error, 'InactiveGradError') && error.message.includes('argument 1')).toBe(true);
    expect(evaluate(jacobian(f, { argnums: 1, allowUnused: true })(1, tensor([1, 2])), engine).toArray()).toEqual([0, 0]);
    const [x, other] = [input('x', { shape: [2] }), input('other', { shape: [3] })];
    expect(isTfError(thrown(() => jacobian(x, other)), 'InactiveGradError')).toBe(true);
    expect(jacobian(x, other, { allowUnused: true }).type.key).toBe('f64[2, 3]');
  });

  it.each(both)('%o: of and by empty tensors are empty', (jacobian) => {
    expect(evaluate(jacobian((x: F64) => exp(x))(new Float64Array(0)), engine).type.key).toBe('f64[0, 0]');
    expect(evaluate(jacobian((x: F64) => mul(x.sum(), tensor([1, 2])))(new Float64Array(0)), engine).type.key).toBe('f64[2, 0]');
  });

  it('need known extents only where they count: forward of the argument, reverse of the result', () => {
    const x = input('x', { shape: ['n'] });
    const scale = input('scale');
    const error = thrown(() => jacobianForward(x.mul(2), x));
    expect(isTfError(error, 'ShapeError') && error.message.includes('f64[n]')).toBe(true);
    const run = compile([jacobianForward(x.mul(scale), scale), jacobianReverse(x.mul(scale).sum(), x)] as const, { engine });
    expect(run({ x: tensor([1, 2, 3]), scale: 5 }).map((block) => block.toArray())).toEqual([[1, 2, 3], [5, 5, 5]]);
    expect(isTfError(thrown(() => jacobianReverse(x.mul(scale), scale)), 'ShapeError')).toBe(true);
  });

  it('refuse integers, complex values and results without tensors', () => {
    expect(isTfError(thrown(() => jacobianForward((x: F64) => less(x, 1) as TracedTensor)(1)), 'NotDifferentiableError')).toBe(true);
    const z = input('z', { dtype: 'complex128', shape: [2] });
    expect(isTfError(thrown(() => jacobianForward(z.mul(z), z)), 'DTypeError')).toBe(true);
    expect(isTfError(thrown(() => jacobianReverse((x: F64) => ({ x: x.type.key }))(1)), 'ArgumentError')).toBe(true);
  });

  it('find the derivative once, however many columns or rows there are', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const x = tensor(Float64Array.from({ length: 300 }, (_, place) => place / 300));
    const [forward, reverse] = evaluate([jacobianForward((v: F64) => exp(v), { context })(x), jacobianReverse((v: F64) => exp(v), { context })(x)] as const, engine);
    expect(context.stats()).toMatchObject({ misses: 2, hits: 0 });
    expect(numbers(forward)).toEqual(numbers(reverse));
    expect(numbers(forward)[301 * 299]).toBe(Math.exp(299 / 300));
    const v = input('v', { shape: [300] });
    const { program } = compile(jacobianForward(exp(v), v), { engine });
    expect(program.instructions.filter(({ operation }) => operation.name === 'exp').length).toBe(1);
  });
});
