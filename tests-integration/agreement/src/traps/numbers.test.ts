import { acos, acosh, AdContext, add, asin, asinh, atan, atan2, atanh, broadcastTo, cbrt, clamp, convert, cos, cosh, createCatalog, cumLogSumExp, digamma, div, elu, erf, erfinv, exp, exp2, expm1, floor, fmod, gelu, hardSwish, hypot, layerNorm, leakyRelu, less, lgamma, log, log10, log1p, log2, logAddExp, logSigmoid, logSoftmax, logSumExp, matmul, maximum, mean, minimum, mul, type Operand, pow, prod, real, reciprocal, reduceMax, remainder, rsqrt, select, sigmoid, sign, silu, sin, sinh, slice, softmax, softplus, sqrt, square, std, sum, tan, tanh, tensor, tensorType, transpose, variance } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine, jvpProgram, programOf, vjpProgram } from '@tf/testkit';
import { evaluate, grad, hvp, jit, type TracedTensor } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type Unary = (x: Operand) => Operand;
type F64 = TracedTensor<'float64'>;

const engine = await createEngine();
const runtime = new EagerRuntime();
const reference = createReferenceEngine();
const engines = [['cpu-wasm', engine], ['cpu-wasm on unshared memory', await createEngine({ memory: { shared: false } })], ['the interpreter', reference]] as const;

/** The gradient of a scalar function in both modes, which must agree. */
function slope(f: Unary, at: unknown): unknown {
  const data = tensor(at as number[]);
  const traced = evaluate(grad(f as (x: F64) => Operand)(data), engine).toArray();
  const eager = runtime.session(engine, () => {
    const x = runtime.variable(data);
    return runtime.grad(f(x), x).toArray();
  });
  expect(eager).toEqual(traced);
  return traced;
}

describe('running log-sum-exp far from 0', () => {
  // Where |y| is large its rounding is as large as log 2 or larger: e^(x − y) is no share of anything.
  test.each([-1e300, -1e17, 1e15, 3e5])('the shares of four equal elements at %d add up to 1', (at) => {
    const last: Unary = (x) => sum(slice(cumLogSumExp(x) as Operand, [3], [4])) as Operand;
    (slope(last, [at, at, at, at]) as number[]).forEach((share) => expect(share).toBeCloseTo(0.25, 9));
  });

  test('infinities take all or nothing', () => {
    const last: Unary = (x) => sum(slice(cumLogSumExp(x) as Operand, [2], [3])) as Operand;
    expect(slope(last, [-Infinity, 1, -Infinity])).toEqual([0, 1, 0]);
    expect(slope(last, [-Infinity, -Infinity, -Infinity])).toEqual([0, 0, 0]);
    expect(slope(last, [1, Infinity, 2])).toEqual([0, 1, 0]);
  });
});

describe('the norm as the root of a sum of squares', () => {
  const norm: Unary = (x) => sqrt(sum(mul(x, x))) as Operand;

  test('x=[0,0,0]: the subgradient is [0,0,0]; [.6,.8] at [3,4], [1,0] at [1e-30,0]', () => {
    expect(slope(norm, [0, 0, 0])).toEqual([0, 0, 0]);
    (slope(norm, [3, 4]) as number[]).forEach((value, at) => expect(value).toBeCloseTo([0.6, 0.8][at]!, 15));
    expect(slope(norm, [1e-30, 0])).toEqual([1, 0]);
  });

  test('along an axis, a row of zeros beside another one: only its own slope is 0', () => {
    const rows: Unary = (x) => sum(sqrt(sum(mul(x, x), { axes: 1 }))) as Operand;
    const [zeros, other] = slope(rows, [[0, 0], [3, 4]]) as [number[], number[]];
    expect(zeros).toEqual([0, 0]);
    other.forEach((value, at) => expect(value).toBeCloseTo([0.6, 0.8][at]!, 15));
  });

  test('squared without a root, at [0,0]: gradient [0,0] and Hessian times v = 2v', () => {
    const square: Unary = (x) => sum(mul(x, x)) as Operand;
    expect(slope(square, [0, 0])).toEqual([0, 0]);
    expect(evaluate(hvp(square as unknown as (x: F64) => F64, [tensor([0, 0])], [tensor([1, -3])]), engine).map((value) => value.toArray())).toContainEqual([2, -6]);
  });
});

describe('long float32 sums', () => {
  const [long, half] = [2 ** 24 + 8, 2 ** 23];
  const one = tensor(Float32Array.of(1), { shape: [] });
  const cases: readonly (readonly [string, readonly number[], (x: Operand) => Operand, unknown])[] = [
    [`the sum of ${long} ones`, [long], (x) => sum(x) as Operand, long],
    [`the sum over axis 0 of ones(${half}, 2)`, [half, 2], (x) => sum(x, { axes: 0 }) as Operand, [half, half]],
    [`the sum over axis 1 of ones(2, ${half})`, [2, half], (x) => sum(x, { axes: 1 }) as Operand, [half, half]],
    [`the sum of ones(${half}, 2), one run over both axes`, [half, 2], (x) => sum(x) as Operand, 2 * half],
    [`the mean over axis 0 of ones(${long}, 2)`, [long, 2], (x) => mean(x, { axes: 0 }) as Operand, [1, 1]],
    ['the mean over axis 0 of ones(20000000, 2)', [2e7, 2], (x) => mean(x, { axes: 0 }) as Operand, [1, 1]],
  ];

  test.each(cases)('%s is exact, traced and eager', { timeout: 120_000 }, (_name, shape, f, expected) => {
    expect(jit((x: TracedTensor<'float32'>) => f(broadcastTo(x, shape) as Operand) as TracedTensor, { engine })(one).toArray()).toEqual(expected);
    runtime.session(engine, () => runtime.scope(() => expect((f(broadcastTo(runtime.constant(one), shape) as Operand) as unknown as { toArray(): unknown }).toArray()).toEqual(expected)));
  });
});

describe.each(engines)('signed zeros and NaN on %s', (_name, where) => {
  const table: readonly (readonly [string, (a: Operand, b: Operand) => Operand, number, number, number])[] = [
    ['min(-0, 0)', minimum as never, -0, 0, -0], ['min(0, -0)', minimum as never, 0, -0, -0], ['max(-0, 0)', maximum as never, -0, 0, 0], ['max(0, -0)', maximum as never, 0, -0, 0],
    ['min(NaN, 1)', minimum as never, NaN, 1, NaN], ['min(1, NaN)', minimum as never, 1, NaN, NaN], ['max(NaN, 1)', maximum as never, NaN, 1, NaN], ['max(1, NaN)', maximum as never, 1, NaN, NaN],
    ['sign(-0)', ((a: Operand) => sign(a)) as never, -0, 0, -0], ['sign(NaN)', ((a: Operand) => sign(a)) as never, NaN, 0, NaN], ['-0 + 0', add as never, -0, 0, 0], ['-0 + -0', add as never, -0, -0, -0],
  ];

  test.each(table)('%s, in both dtypes and modes, of one element and of many', (_call, f, a, b, expected) => {
    const own = new EagerRuntime();
    for (const Numbers of [Float64Array, Float32Array]) {
      for (const count of [1, 7]) {
        const [x, y] = [a, b].map((value) => tensor(new Numbers(count).fill(value))) as unknown as [TracedTensor, TracedTensor];
        const traced = jit((u: TracedTensor, v: TracedTensor) => f(u, v) as TracedTensor, { engine: where })(x, y).toArray() as number[];
        const eager = own.session(where, () => (f(own.variable(x), own.variable(y)) as unknown as { toArray(): number[] }).toArray());
        for (const value of [...traced, ...eager]) expect(value).toBe(expected);
      }
    }
  });
});

describe('float32 stays float32', () => {
  const type = tensorType('float32', [3]);
  const functions: Readonly<Record<string, (x: Operand, y: Operand) => Operand>> = Object.fromEntries([
    ...[add, atan2, clamp, div, fmod, hypot, logAddExp, maximum, minimum, mul, pow, remainder].map((f) => [f.name, f]),
    ...[acos, acosh, asin, asinh, atan, atanh, cbrt, cosh, digamma, elu, erfinv, exp2, floor, hardSwish, leakyRelu, lgamma, log10, log2, logSigmoid, reciprocal, sinh, square, tan].map((f) => [f.name, (x: Operand) => (f as Unary)(x)]),
    ...[cos, erf, exp, expm1, gelu, log, log1p, logSoftmax, logSumExp, prod, reduceMax, rsqrt, sigmoid, silu, sin, softmax, softplus, sqrt, std, sum, tanh, variance, mean, layerNorm].map((f) => [f.name, (x: Operand) => (f as Unary)(x)]),
    ['select with numbers', (x: Operand, y: Operand) => select(less(x, y), mul(x, 0.1), 2)],
    ['matmul', (x: Operand, y: Operand) => matmul(broadcastTo(x, [2, 3]) as Operand, transpose(broadcastTo(y, [2, 3]) as Operand))],
  ]) as never;
  const context = new AdContext({ catalog: createCatalog() });

  test.each(Object.keys(functions))('%s: every value of its derivatives, first and second', (name) => {
    const program = programOf((x, y) => (functions[name] as (x: Operand, y: Operand) => Operand)(x!, y!) as never, [type, type]);
    for (const derive of [vjpProgram, jvpProgram]) {
      const first = derive(context, program, [0, 1]);
      for (const derived of [program, first, derive(context, first, [0])]) {
        const wide = derived.instructions.flatMap(({ operation, inputs, outputs }) => [...inputs, ...outputs].filter((value) => ['float64', 'complex128'].includes(value.type.dtype)).map((value) => `${operation.id} ${value.type.key}`));
        expect(wide).toEqual([]);
      }
    }
  });

  test('the test sees a wider value', () => {
    const program = programOf((x) => convert(mul(convert(x!, 'float64'), 2), 'float32'), [type]);
    expect(program.instructions.some(({ outputs }) => outputs.some((value) => value.type.dtype === 'float64'))).toBe(true);
  });
});

test('inverse functions of large complex numbers: slopes of the size of 1/z, not 0 because a square overflowed', () => {
  const slopes = ([asin, acos, asinh, acosh] as const).map((f) => {
    const z = tensor(Float64Array.of(3e200, 4e200), { dtype: 'complex128', shape: [] });
    const partial = evaluate(grad((x: TracedTensor<'complex128'>) => real(f(x)) as Operand)(z), engine).toArray() as unknown as { readonly re: number; readonly im: number };
    return [partial.re, partial.im].map((part) => part * 1e200);
  });
  // f′ is ±i/z or 1/z; the gradient is its conjugate. 1/(3 + 4i) = 0.12 − 0.16i.
  const expected = [[0.16, -0.12], [-0.16, 0.12], [0.12, 0.16], [0.12, 0.16]];
  slopes.forEach((slope, at) => slope.forEach((part, lane) => expect(part).toBeCloseTo(expected[at]![lane]!, 14)));
});
