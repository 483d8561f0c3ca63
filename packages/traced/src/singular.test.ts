/** Values and slopes where functions are infinite, or have neither; places that are none. */
import { abs, add, angle, bincount, cast, cbrt, complex, convert, div, dynamicSlice, hypot, isTfError, logSumExp, matmul, median, mul, oneHot, pow, polygamma, quantile, real, reshape, scatterAdd, segmentSum, select, sign, sqrt, square, sub, sum, take, takeAlongAxis, tensor, vectorNorm, zeros, type Operand } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, hessian, hvp, input, jit, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

const run = (x: unknown): unknown => (evaluate(x as F64, engine) as { toArray(): unknown }).toArray();
const slopes = (f: (x: F64) => unknown, at: readonly number[]): unknown => run(grad((x: F64) => sum(f(x) as F64))(tensor([...at])));
/** f″ elementwise. */
const curvatures = (f: (x: F64) => unknown, at: readonly number[]): unknown => run(grad((x: F64) => sum(grad((y: F64) => sum(f(y) as F64))(x)))(tensor([...at])));
const complexSlopes = (f: (z: TracedTensor<'complex128'>) => unknown, at: readonly { readonly re: number; readonly im: number }[]): unknown => run(grad((z: TracedTensor<'complex128'>) => sum(f(z) as F64))(tensor([...at]) as never));
const int32 = (...values: readonly number[]): Operand => tensor(Int32Array.from(values)) as unknown as Operand;
const int64 = (...values: readonly bigint[]): Operand => tensor(BigInt64Array.from(values)) as unknown as Operand;

describe('slopes at singular points', () => {
  it('the root and the cube root have the slope +∞ at both zeros, and so far as they have a sign further ones', () => {
    expect(slopes(sqrt, [0, -0])).toEqual([Infinity, Infinity]);
    expect(curvatures(sqrt, [0, -0])).toEqual([-Infinity, -Infinity]);
    expect(slopes(cbrt, [0, -0, 8])).toEqual([Infinity, Infinity, 1 / 12]);
    expect(curvatures(cbrt, [0, -0])).toEqual([-Infinity, Infinity]);
  });

  it('hypot of infinite sides has their direction', () => {
    const besides = (y: readonly number[]) => (x: F64): unknown => hypot(x, tensor([...y]));
    expect(slopes(besides([1, 2, Infinity, 3]), [Infinity, -Infinity, 1, 4])).toEqual([1, -1, 0, 0.8]);
    expect(slopes(besides([-Infinity, Infinity]), [Infinity, -Infinity])).toEqual([Math.SQRT1_2, -Math.SQRT1_2]);
    expect(slopes(besides([NaN]), [Infinity])).toEqual([1]);
  });

  it('the angle of a tiny number does not move along it, and across it as fast as doubles can say', () => {
    expect(complexSlopes(angle, [{ re: 1e-310, im: 0 }, { re: 0, im: 1e-310 }, { re: 0, im: 0 }])).toEqual([{ re: 0, im: Infinity }, { re: -Infinity, im: 0 }, { re: 0, im: 0 }]);
    expect(complexSlopes(angle, [{ re: -3, im: 4 }])).toEqual([{ re: expect.closeTo(-4 / 25, 15), im: expect.closeTo(-3 / 25, 15) }]);
    expect(complexSlopes((z) => real(sign(z)), [{ re: 1e-310, im: 0 }, { re: 1e-310, im: 1e-310 }])).toEqual([{ re: 0, im: 0 }, { re: Infinity, im: -Infinity }]);
    expect(complexSlopes(abs, [{ re: 1e-310, im: 0 }])).toEqual([{ re: 1, im: 0 }]);
  });

  it('polygamma has SciPy\'s signs of infinity at its poles', () => {
    for (const order of [1, 2, 3, 4]) {
      const endless = order % 2 === 1 ? Infinity : -Infinity;
      expect(run(polygamma(order, tensor([0, -0, -1, -2, -1e17, -Infinity])))).toEqual(new Array(6).fill(endless));
      expect(run(polygamma(order, tensor(Float32Array.of(-1, -7))))).toEqual([endless, endless]);
    }
    expect(run(polygamma(1, tensor([NaN, Infinity, -0.5])))).toEqual([NaN, 0, expect.closeTo(8.934802200544679, 12)]);
  });
});

describe('squares of what has no slope at 0', () => {
  const at = (x: F64, index: number): Operand => take(x, index === 0 ? [0] : [1]) as Operand;
  const roots: readonly (readonly [string, (x: F64) => Operand])[] = [
    ['norm', (x) => vectorNorm(x) as Operand], ['norm, kept', (x) => vectorNorm(x, { keepdims: true }) as Operand], ['norm of complex numbers', (x) => vectorNorm(complex(at(x, 0), at(x, 1)) as Operand) as Operand],
    ['root of a sum of squares', (x) => sqrt(sum(mul(x, x))) as Operand], ['hypot', (x) => hypot(at(x, 0), at(x, 1)) as Operand], ['modulus', (x) => abs(complex(at(x, 0), at(x, 1)) as Operand) as Operand], ['magnitudes', (x) => abs(x) as Operand],
  ];
  const squares: readonly (readonly [string, (y: Operand) => Operand])[] = [
    ['square', (y) => square(y)], ['pow 2', (y) => pow(y, 2) as Operand], ['y·y', (y) => mul(y, y) as Operand], ['3y² − 2y²', (y) => sub(mul(square(y), 3) as Operand, mul(2, square(y)) as Operand) as Operand], ['y²/2 twice', (y) => add(div(square(y), 2) as Operand, mul(square(y), 0.5) as Operand) as Operand],
  ];
  it.each(roots.flatMap(([root, f]) => squares.map(([name, g]) => [`${name} of the ${root}`, (x: F64): F64 => sum(g(f(x))) as F64] as const)))('%s has the gradient 0 and the Hessian 2·I', (_name, f) => {
    const zero = tensor([0, 0]);
    expect((run(grad(f)(zero)) as number[]).map((value) => value + 0)).toEqual([0, 0]);
    expect((run(hessian(f)(zero)) as number[][]).map((row) => row.map((value) => value + 0))).toEqual([[2, 0], [0, 2]]);
    expect(run(hvp(f, [zero], [tensor([1, -3])])[0])).toEqual([2, -6]);
    expect((run(grad((x: F64) => sum(mul(grad(f)(x), tensor([1, -3]))) as F64)(zero)) as number[]).map((value) => value + 0)).toEqual([2, -6]);
    expect(run(jit((x: F64) => grad(f)(x), { engine })(tensor([3, -4])))).toEqual([expect.closeTo(6, 13), expect.closeTo(-8, 13)]);
  });

  it('of one row of several, small and large', () => {
    const f = (x: F64): F64 => sum(square(vectorNorm(x, { axes: 1 }) as Operand)) as F64;
    expect(run(grad(f)(tensor([[0, 0], [3, 4], [1e-200, 0], [0, 1e150]])))).toEqual([[0, 0], [6, 8], [2e-200, 0], [0, 2e150]]);
  });

  it('a square that is not taken adds nothing; the norm itself has the slope 0 and no further one', () => {
    const f = (x: F64): F64 => sum(select(tensor([false]), square(vectorNorm(x, { keepdims: true }) as Operand), 0) as unknown as F64) as F64;
    expect(run(hessian(f)(tensor([0, 0])))).toEqual([[0, 0], [0, 0]]);
    expect(run(hessian((x: F64) => vectorNorm(x) as F64)(tensor([0, 0])))).toEqual([[0, 0], [0, 0]]);
    expect(run(hessian((x: F64) => add(vectorNorm(x), square(x).sum()) as F64)(tensor([0, 0])))).toEqual([[2, 0], [0, 2]]);
  });
});

describe('a masked product', () => {
  const [rows, a, b] = [tensor([[true], [false]]), tensor([[1, 2], [Infinity, 3]]), tensor([[1, 2], [3, 4]])];

  it('has the right gradient where the operand is masked (docs/decisions/2026-11-30-masked-products.md)', () => {
    const f = (x: F64, y: F64): F64 => sum(matmul(select(rows, x, 0) as Operand, y)) as F64;
    expect(run(grad((y: F64) => f(a as never, y))(b))).toEqual([[1, 1], [2, 2]]);
    expect(run(grad((x: F64) => f(x, b as never))(a))).toEqual([[3, 7], [0, 0]]);
  });
});

describe('of nothing', () => {
  it('the median of infinities is infinite, and of large numbers finite', () => {
    expect(run(median(tensor([Infinity, Infinity, 1, Infinity])))).toBe(Infinity);
    expect(run(median(tensor([-Infinity, -Infinity])))).toBe(-Infinity);
    expect(run(quantile(tensor([-1.7e308, 1.7e308]), 0.5))).toBe(0);
  });

  it('logSumExp is −∞ and the median NaN; a quantile is refused by name', () => {
    expect(run(logSumExp(zeros([0])))).toBe(-Infinity);
    expect(run(logSumExp(zeros([2, 0]), { axes: 1, keepdims: true }))).toEqual([[-Infinity], [-Infinity]]);
    expect(run(median(zeros([2, 0]), { axes: 1 }))).toEqual([NaN, NaN]);
    expect(run(median(zeros([0, 3]), { axes: 0, keepdims: true }))).toEqual([[NaN, NaN, NaN]]);
    expect(run(grad((x: F64) => sum(logSumExp(x, { axes: 0 }) as F64))(zeros([0, 2]) as never))).toEqual([]);
    expect(() => quantile(zeros([0]), 0.5)).toThrow(/^quantile: f64\[0\] has no element along axes \[0\], and nothing has no quantile/);
  });
});

describe('convert is checked', () => {
  it('refuses known values that an integer dtype does not hold; cast cuts them', () => {
    for (const [value, dtype] of [[1.5, 'int32'], [NaN, 'int32'], [2 ** 31, 'int32'], [-(2 ** 31) - 1, 'int32'], [Infinity, 'int64'], [2 ** 63, 'int64'], [0.5, 'int64']] as const) {
      expect(() => convert(tensor([1, value]), dtype)).toThrow(new RegExp(`^convert: ${value} of f64\\[2\\] is no ${dtype}\\. Round it first, or cast\\(x, '${dtype}'\\)`));
    }
    expect(() => convert(int64(2n ** 31n), 'int32')).toThrow(/^convert: 2147483648 of i64\[1\] is no int32/);
    expect(run(convert(tensor([1, -0, -(2 ** 31), 2 ** 31 - 1]), 'int32'))).toEqual([1, 0, -(2 ** 31), 2 ** 31 - 1]);
    expect(run(cast(tensor([1.5, -1.5, 1e10]), 'int32'))).toEqual([1, -1, 2 ** 31 - 1]);
    expect(run(convert(tensor([0.5, NaN, 0]), 'bool'))).toEqual([true, true, false]);
  });

  it('cuts what is only known when it runs', () => {
    expect(convert(input('x', { shape: [2] }), 'int32').type.key).toBe('i32[2]');
    expect(run(convert(mul(tensor([1.5]), 1) as Operand, 'int32'))).toEqual([1]);
  });
});

describe('places that are none', () => {
  const refusal = (build: () => unknown): string => {
    try {
      run(build());
    } catch (error) {
      if (isTfError(error, 'IndexError')) return error.message;
      throw error;
    }
    return 'nothing was thrown';
  };

  it('labels below 0 are named with their argument', () => {
    expect(refusal(() => bincount(int32(2, -1), { length: 3 }))).toMatch(/^bincount: index -1 of x is out of range: there are 3 rows, and x run from 0 to 2/);
    expect(refusal(() => bincount(int64(-3n), { length: 3, weights: tensor([2]) as never }))).toMatch(/^bincount: index -3 of x/);
    expect(refusal(() => bincount(int32(3), { length: 3 }))).toMatch(/^bincount: index 3 of x/);
    expect(refusal(() => segmentSum(tensor([1, 2]), int32(0, -2), 2))).toMatch(/^segmentSum: index -2 of segments is out of range/);
    expect(refusal(() => segmentSum(tensor([1]), int32(-(2 ** 31)), 2))).toMatch(/^segmentSum: index -2147483646 or less of segments/);
  });

  it('an int64 index beyond 32 bits is out of range, not another one', () => {
    for (const index of [2n ** 31n, 2n ** 32n, 2n ** 40n + 1n]) {
      expect(refusal(() => take(tensor([1, 2]), int64(index) as never))).toMatch(/^take: index 2147483647 or more is out of range/);
      expect(refusal(() => takeAlongAxis(tensor([1, 2]), int64(index) as never))).toMatch(/^takeAlongAxis: index 2147483647 or more is out of range/);
      expect(refusal(() => scatterAdd(tensor([1, 2]), int64(index) as never, tensor([1])))).toMatch(/^scatterAdd: index 2147483647 or more/);
      expect(refusal(() => bincount(int64(index), { length: 3 }))).toMatch(/^bincount: index 2147483647 or more of x/);
      expect(refusal(() => take(tensor([1, 2]), int64(-index) as never))).toMatch(/^take: index -2147483648 or less is out of range/);
      expect(run(oneHot(int64(index, 1n), 2))).toEqual([[0, 0], [0, 1]]);
      expect(run(dynamicSlice(tensor([1, 2, 3]), [reshape(int64(index), []) as never], [1]))).toEqual([3]);
    }
    expect(run(div(square(take(tensor([1, 2]), int64(-1n) as never)), 1))).toEqual([4]);
  });
});
