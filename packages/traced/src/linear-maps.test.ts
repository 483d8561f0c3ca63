import { AdContext, add, checkpoint, concat, cond, convert, createCatalog, div, exp, flip, fori, isTfError, less, matmul, mul, neg, ones, pad, prod, reduceMax, reshape, scan, select, slice, stopGradient, sub, sum, take, tensor, transpose, whileLoop, zeros } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { compile, evaluate, extractProgram, grad, type GradOptions, hvp, input, jit, jvp, linearize, linearTranspose, type TracedTensor, vjp, vjpMany } from './index.ts';

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

describe('vjpMany', () => {
  const [a, b] = [input('a', { shape: [2] }), input('b', { shape: [2] })];
  const y = exp(a.mul(b));
  const data = { a: tensor([0.5, -1]), b: tensor([2, 3]) };

  it('gives what vjp gives for each, bit for bit, by one transform', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const ct = tensor([1, 10]);
    const together = vjpMany(y, [a, b], ct, { context });
    expect(context.stats()).toMatchObject({ misses: 1, hits: 0 });
    const found = compile([...together, y.vjp(a, ct), y.vjp(b, ct)], { engine })(data).map(numbers);
    expect(found.slice(0, 2)).toEqual(found.slice(2));
  });

  it('allows one leaf twice, each with the whole gradient', () => {
    const found = compile(vjpMany(a.mul(a).mul(b), [a, b, a], tensor([1, 1])), { engine })(data).map(numbers);
    expect(found).toEqual([[2, -6], [0.25, 1], [2, -6]]);
  });

  it('takes values as independent: what passes through another one belongs to that one, as tangents do', () => {
    const h = a.mul(b);
    const y2 = h.mul(h).mul(a);
    const [byA, byH] = compile(vjpMany(y2, [a, h], tensor([1, 1])), { engine })(data);
    expect([numbers(byA), numbers(byH)]).toEqual([[1, 9], [1, 6]]);
    expect(isTfError(thrown(() => vjpMany(h.mul(h), [a, h], tensor([1, 1]))), 'InactiveGradError')).toBe(true);
  });

  it('has an answer for no values, and refuses an inactive one unless zeros are allowed', () => {
    expect(vjpMany(y, [], tensor([1, 1]))).toEqual([]);
    const other = input('other', { shape: [3] });
    const error = thrown(() => vjpMany(y, [a, other], tensor([1, 1])));
    expect(isTfError(error, 'InactiveGradError') && error.message.includes('"other"')).toBe(true);
    const [, zero] = compile(vjpMany(y, [a, other], tensor([1, 1]), { allowUnused: true }), { engine })(data);
    expect(numbers(zero)).toEqual([0, 0, 0]);
  });

  it('refuses a cotangent that does not fit, and what is not traced', () => {
    expect(isTfError(thrown(() => vjpMany(y, [a], tensor([1, 2, 3]))), 'ShapeError')).toBe(true);
    expect(isTfError(thrown(() => vjpMany(y, [tensor([1, 2]) as never], tensor([1, 2]))), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => vjpMany(tensor([1]) as never, [a], tensor([1, 2]))), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => vjpMany(y, [input('n', { dtype: 'int32' })], tensor([1, 2]))), 'NotDifferentiableError')).toBe(true);
  });
});

describe('linearize', () => {
  const f = (x: F64, p: { readonly w: F64 }): { readonly y: F64; readonly positive: TracedTensor<'bool'> } => ({ y: exp(x.mul(p.w)), positive: less(x, 0) });
  const x = tensor([0.5, -1]);

  it('runs the function once, transforms it once, and gives the bits of jvp', () => {
    const context = new AdContext({ catalog: createCatalog() });
    let runs = 0;
    const counted = (v: F64): F64 => {
      runs++;
      return exp(v.mul(v)).sum();
    };
    const linear = jit((v: F64) => {
      const [value, map] = linearize(counted, v);
      return [value, ...[1, 2, 3].map((at) => map(v.mul(at)))];
    }, { engine, context })(x);
    expect(runs).toBe(1);
    expect(context.stats()).toMatchObject({ misses: 1, hits: 0 });
    [1, 2, 3].forEach((at) => expect(numbers(linear[at]!)).toEqual(numbers(evaluate(jvp(counted, [x], [mul(x, at)])[1], engine))));
  });

  it('reads the values that the primal part computed: nothing of it is there twice', () => {
    const v = input('v', { shape: [2] });
    const [value, map] = linearize((z: F64) => exp(z), v);
    const { program } = compile([value, map(tensor([1, 0])), map(tensor([0, 1]))], { engine });
    expect(program.instructions.filter(({ operation }) => operation.name === 'exp').length).toBe(1);
  });

  it('takes trees; undefined stands for zero, for each call anew', () => {
    const [value, linear] = linearize(f, x, { w: 2 });
    const both = linear(tensor([1, 1]), { w: 1 });
    const onlyX = linear(tensor([1, 1]), { w: undefined });
    const onlyW = linear(undefined, { w: 1 });
    const none = linear(undefined, { w: undefined });
    expect(both.positive).toBeUndefined();
    const [y, b, dx, dw, nothing] = evaluate([value.y, both.y, onlyX.y, onlyW.y, none.y], engine).map(numbers) as [number[], number[], number[], number[], number[]];
    y.forEach((e, at) => {
      expect(dx[at]).toBeCloseTo(2 * e, 14);
      expect(dw[at]).toBeCloseTo(numbers(x)[at]! * e, 14);
      expect(b[at]).toBeCloseTo(dx[at]! + dw[at]!, 14);
    });
    expect(nothing).toEqual([0, 0]);
    expect(isTfError(thrown(() => linear(tensor([1, 1, 1]), { w: 1 })), 'ShapeError')).toBe(true);
    expect(isTfError(thrown(() => (linear as (x: unknown) => unknown)(tensor([1, 1]))), 'ArgumentError')).toBe(true);
  });

  it('is linear, and can be transposed and differentiated again', () => {
    const [, linear] = linearize((v: F64) => exp(v), x);
    const [back] = linearTranspose((v: F64) => linear(v), x)(tensor([1, 1]));
    expect(numbers(evaluate(back, engine))).toEqual(numbers(evaluate(vjp((v: F64) => exp(v), x)[1](tensor([1, 1]))[0], engine)));
    const second = grad((v: F64) => linearize((z: F64) => mul(z, mul(z, z)), v)[1](tensor([1, 1])).sum());
    expect(numbers(evaluate(second(tensor([1, 2])), engine))).toEqual([6, 12]);
  });
});

describe('linearTranspose', () => {
  const x = tensor([[1, 2, 3], [4, 5, 6]]);
  const weights = tensor([[1, -2], [0.5, 3]]);
  const linear: Readonly<Record<string, (v: F64) => F64>> = {
    'scaled and broadcast': (v) => add(mul(v, 3), neg(v)),
    'matmul, transpose, reshape': (v) => reshape(transpose(matmul(weights, v)), [6]),
    'masked by select with zeros': (v) => select(less(x, 4), v, 0),
    'and select with a tensor of zeros': (v) => select(less(x, 4), reshape(zeros([6]), [2, 3]), v),
    'padded, sliced, joined with zeros': (v) => concat([pad(v, { low: [1, 0], high: [0, 1] }), zeros([1, 4])], 0),
    'sliced and taken': (v) => take(slice(v, [0, 1], [2, 3]), tensor(Int32Array.of(1, 0, 1)), 1),
    'divided and summed': (v) => div(sum(v, { axes: 0 }), 7),
    'to float32 and back': (v) => convert(convert(v, 'float32'), 'float64'),
    'a loop over rows with a carry': (v) => {
      const [total, rows] = scan((carry: F64, row: F64) => [add(mul(carry, 2), row), sub(row, carry)] as const, zeros([3]), v);
      return concat([reshape(total, [1, 3]), rows], 0);
    },
    'a loop that counts, and captures': (v) => fori(3, (i, carry: F64) => matmul(mul(weights, add(convert(i, 'float64'), 1)), carry), v),
    'a branch chosen by data': (v) => cond(less(sum(x), 3), (at: F64) => mul(at, 2), (at: F64) => neg(flip(at, 0)), v),
    'a loop with a bound': (v) => whileLoop(([i]: readonly [TracedTensor<'int32'>, F64]) => less(i, 3), ([i, at]) => [add(i, 1), mul(at, 0.5)] as const, [tensor(0, { dtype: 'int32' }) as never as TracedTensor<'int32'>, v] as const, { maxSteps: 5 })[1],
    'a checkpoint': (v) => checkpoint((at: F64) => sum(mul(at, x), { axes: 0 }))(v),
    'an added zero': (v) => sub(add(v, 0), tensor([[0, 0, 0], [0, 0, 0]])),
  };

  it.each(Object.entries(linear))('is the adjoint: ⟨ct, f(v)⟩ = ⟨fᵀ(ct), v⟩ for %s', (_name, f) => {
    const y = evaluate(f(grad((v: F64) => sum(mul(v, x)))(zeros([2, 3]))), engine);
    const ct = y.toArray();
    const [back] = linearTranspose(f, zeros([2, 3]))(tensor(ct as number[]));
    const left = numbers(y).reduce((total, value) => total + value * value, 0);
    const right = numbers(evaluate(back, engine)).reduce((total, value, at) => total + value * numbers(x)[at]!, 0);
    expect(Math.abs(left - right)).toBeLessThanOrEqual(1e-13 * Math.abs(left));
  });

  it('leaves arguments of integers alone', () => {
    const pick = (v: F64, at: TracedTensor<'int32'>): F64 => take(v, at);
    const [row, at] = [tensor([1, 2, 3]), tensor(Int32Array.of(2, 0))];
    const [byRow, byIndex] = linearTranspose(pick, row, at)(tensor([10, 20]));
    expect(numbers(evaluate(byRow, engine))).toEqual([20, 0, 10]);
    expect(byIndex).toBeUndefined();
    expect(numbers(evaluate(jvp(pick, [row, at], [tensor([1, 0, 5]), undefined])[1], engine))).toEqual([5, 1]);
    expect(isTfError(thrown(() => vjp((n: TracedTensor<'int32'>) => n, at)), 'NotDifferentiableError')).toBe(true);
  });

  it('takes trees that are linear together, undefined for zero, and gives zeros where nothing flows', () => {
    const f = (p: { readonly a: F64; readonly b: F64 }, c: F64): readonly [F64, F64] => [add(mul(p.a, 2), mul(c, 5)), mul(p.b, 3)];
    const back = linearTranspose(f, { a: 1, b: 1 }, 1);
    const [tree, c] = evaluate(back([1, undefined]), engine);
    expect([tree.a.item(), tree.b.item(), c.item()]).toEqual([2, 0, 5]);
  });

  const unlike: Readonly<Record<string, readonly [(v: F64) => unknown, string]>> = {
    'a square': [(v) => mul(v, v), 'tf.core.mul'],
    'exp': [(v) => exp(v), 'tf.core.exp'],
    'a maximum': [(v) => reduceMax(v), 'tf.core.reduceMax'],
    'a product': [(v) => prod(v), 'tf.core.prod'],
    'a quotient by it': [(v) => div(1, v), 'tf.core.div'],
    'an added constant': [(v) => add(v, 1), 'tf.core.add'],
    'a joined constant': [(v) => concat([v, x]), 'tf.core.concat'],
    'a padding that is not zero': [(v) => pad(v, { low: [1, 0], high: [0, 0], value: 5 }), 'tf.core.pad'],
    'a constant branch': [(v) => select(less(x, 4), v, 1), 'tf.core.select'],
    'a condition on it': [(v) => select(less(v, 4), v, 0), 'tf.core.less'],
    'a loop that multiplies by itself': [(v) => fori(3, (_i, at: F64) => mul(at, at), v), 'tf.core.mul'],
    'a loop that adds a constant': [(v) => fori(3, (_i, at: F64) => add(at, 1), v), 'tf.core.add'],
    'a carry that becomes linear where it was a constant': [(v) => scan((carry: F64, row: F64) => [row, carry] as const, ones([3]) as never as F64, v), 'tf.core.scan'],
    'a branch that gives a constant': [(v) => cond(less(sum(x), 3), (at: F64) => mul(at, 2), () => ones([2, 3]) as never as F64, v), 'tf.core.branch'],
    'a branch chosen by it': [(v) => cond(less(sum(v), 3), (at: F64) => mul(at, 2), (at: F64) => neg(at), v), 'tf.core.less'],
    'stopGradient': [(v) => stopGradient(v), 'tf.core.stopGradient'],
    'a constant': [(v) => [v, x.add(0).mul(1)], 'linearTranspose'],
  };
  it.each(Object.entries(unlike))('refuses %s, naming the operation', (_name, [f, op]) => {
    const error = thrown(() => linearTranspose(f as (v: F64) => F64, zeros([2, 3]))) as Error;
    const named = f.toString().includes('x.add') ? true : isTfError(error, 'UnsupportedRuleError') && error.fields.op === op;
    expect(isTfError(error, 'UnsupportedRuleError') && error.message.includes(op) && named ? '' : String(error)).toBe('');
  });

  it('takes constants that are zero, and refuses results that carry no tangent', () => {
    const back = linearTranspose((v: F64) => [v, neg(zeros([3]))] as const, 1);
    expect(evaluate(back([2, tensor([1, 1, 1])])[0], engine).item()).toBe(2);
    expect(isTfError(thrown(() => linearTranspose((v: F64) => [v, less(v, 1)], 1)), 'NotDifferentiableError')).toBe(true);
  });
});

describe('options', () => {
  it('conjugate cotangents in and gradients out, and nothing else, in every form', () => {
    const [z, w] = [input('z', { dtype: 'complex128', shape: [2] }), input('w', { dtype: 'complex128', shape: [2] })];
    const y = mul(z, w);
    const names = (value: TracedTensor): readonly string[] => extractProgram([value]).program.instructions.map(({ operation }) => operation.name);
    const [, pullback] = vjp((v: TracedTensor<'complex128'>) => mul(v, w), z);
    const forms = (options: GradOptions): readonly (readonly string[])[] => [y.vjp(z, w, options), vjpMany(y, [z], w, options)[0], pullback(w, options)[0]].map(names);
    // conj(w)·ct, and conj(conj(w)·conj(ct)) = w·ct.
    for (const found of forms({})) expect(found).toEqual(['conj', 'multiplyOrZero']);
    for (const found of forms({ conjugate: true })) expect(found).toEqual(['conj', 'conj', 'multiplyOrZero', 'conj']);
    const real = input('real');
    expect(names(hvp(exp(real), real, 1, { conjugate: true }))).toEqual(names(hvp(exp(real), real, 1)));
  });

  it('let a context count for jvp and a pullback', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const cube = (x: F64): F64 => x.mul(x).mul(x);
    jvp(cube, [2], [1], { context });
    const [, pullback] = vjp(cube, 2);
    pullback(1, { context });
    pullback(2, { context });
    expect(context.stats()).toMatchObject({ misses: 2, hits: 1 });
  });
});
