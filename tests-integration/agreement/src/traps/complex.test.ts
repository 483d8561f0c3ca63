import { abs, cast, complex, convert, div, type DType, exp, imag, mul, type Operand, real, sign, sqrt, sum, take, tanh, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { evaluate, grad, type TracedTensor } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type Unary = (x: Operand) => Operand;
interface Pair {
  readonly re: number;
  readonly im: number;
}

const engine = await createEngine();
const runtime = new EagerRuntime();
const z = (re: number, im: number, dtype: DType = 'complex128'): Operand => tensor({ re, im }, { dtype: dtype as 'complex128' }) as unknown as Operand;

/** The gradient of a real function in both modes, which must agree. */
function slope(f: Unary, at: Operand): Pair {
  const traced = evaluate(grad(f as (x: TracedTensor<'float64'>) => Operand)(at as never), engine).item() as unknown as Pair;
  const eager = runtime.session(engine, () => {
    const x = runtime.variable(at as never);
    return (runtime.grad(f(x), x) as unknown as { item(): unknown }).item() as Pair;
  });
  expect(eager).toEqual(traced);
  return traced;
}

function value(f: Unary, at: Operand): Pair {
  return (evaluate(f(at), engine) as unknown as { item(): unknown }).item() as Pair;
}

describe('the modulus at the ends of the range', () => {
  test.each([['complex64', 1e-23], ['complex64', 1e-30], ['complex64', 1e30], ['complex128', 1e-170], ['complex128', 1e170], ['complex128', 1e-320]] as const)('%s at −%d: sign −1, gradient −1; turned by 3 + 4i, (3 + 4i)/5', (dtype, size) => {
    const ulp = dtype === 'complex64' ? 1e-6 : size === 1e-320 ? 1e-3 : 1e-15;
    expect(value(sign as Unary, z(-size, 0, dtype))).toEqual({ re: -1, im: 0 });
    expect(slope(abs as Unary, z(-size, 0, dtype))).toEqual({ re: -1, im: 0 });
    const { re, im } = slope(abs as Unary, z(3 * size, 4 * size, dtype));
    expect([Math.abs(re - 0.6) < ulp, Math.abs(im - 0.8) < ulp]).toEqual([true, true]);
    expect(Math.abs(Number(value(abs as Unary, z(3 * size, 4 * size, dtype))) / (5 * size) - 1)).toBeLessThan(ulp);
  });

  test('at 0 both are 0, and so are gradients through them', () => {
    expect(slope(abs as Unary, z(0, 0))).toEqual({ re: 0, im: 0 });
    expect(slope((x) => real(mul(sign(x), z(2, 3))) as Operand, z(0, 0))).toEqual({ re: 0, im: 0 });
  });
});

describe('the convention: gradient = ∂L/∂Re + i·∂L/∂Im', () => {
  test('|z|² has gradient 2z', () => {
    expect(slope((x) => sum(mul(abs(x), abs(x))) as Operand, z(3, -4))).toEqual({ re: 6, im: -8 });
  });

  test('Re and Im of a product take the conjugate of the other factor', () => {
    const c = complex(tensor(2), 5) as Operand;
    expect(slope((x) => real(mul(x, c)) as Operand, z(1, 1))).toEqual({ re: 2, im: -5 });
    expect(slope((x) => imag(mul(x, c)) as Operand, z(1, 1))).toEqual({ re: 5, im: 2 });
  });

  test('a real input has a real gradient, also through complex values', () => {
    const x = tensor(0.5);
    const gradient = evaluate(grad((t: TracedTensor<'float64'>) => real(mul(exp(mul(complex(0, t), 3)), z(0, 1))) as Operand)(x), engine);
    expect(gradient.type.dtype).toBe('float64');
    expect(gradient.item()).toBeCloseTo(-3 * Math.cos(1.5), 14);
  });
});

describe('values at the edges', () => {
  test('the sign of zero chooses the side of a cut', () => {
    expect([value(sqrt as Unary, z(-4, 0)), value(sqrt as Unary, z(-4, -0))]).toEqual([{ re: 0, im: 2 }, { re: 0, im: -2 }]);
  });

  test('nothing overflows in the middle of the range', () => {
    expect(value((x) => div(x, x) as Operand, z(1e300, -1e300))).toEqual({ re: 1, im: 0 });
    expect(value((x) => div(x, x) as Operand, z(1e-320, 2e-320)).re).toBeCloseTo(1, 12);
    expect(value((x) => div(1, x) as Operand, z(0, 1e200))).toEqual({ re: 0, im: -1e-200 });
    expect(value(sqrt as Unary, z(1e308, 1e308)).re).toBeCloseTo(1.0986841134678098e154, -140);
    expect(value(tanh as Unary, z(500, 1))).toEqual({ re: 1, im: 0 });
    expect(value(exp as Unary, z(-Infinity, NaN))).toEqual({ re: 0, im: 0 });
    expect(value((x) => div(x, 0) as Operand, z(1, 2))).toEqual({ re: Infinity, im: Infinity });
  });

  test('a quotient by a real number is rounded once in each part', () => {
    expect(value((x) => div(x, 3) as Operand, z(1, 5))).toEqual({ re: 1 / 3, im: 5 / 3 });
  });
});

test('an imaginary part is not dropped without being asked for', () => {
  expect(() => convert(z(1, 2), 'float64')).toThrow(expect.objectContaining({ name: 'DTypeError', message: expect.stringMatching(/real\(x\), imag\(x\) or abs\(x\), or cast\(x, 'float64'\)/) as unknown }));
  expect([value((x) => cast(x, 'float64') as Operand, z(1, 2)), value((x) => cast(x, 'bool') as Operand, z(0, 2))]).toEqual([1, true]);
});

test('int64 indices name what they say: one beyond int32 is out of range, not another row', () => {
  const [x, rows] = [tensor([5, 6, 7]), (...values: readonly bigint[]): Operand<never, 'int64'> => tensor(values) as never];
  expect((evaluate(take(x, rows(2n, -1n, 0n)), engine) as unknown as { toArray(): unknown }).toArray()).toEqual([7, 7, 5]);
  for (const wrong of [2n ** 32n, -(2n ** 32n), 2n ** 62n]) expect(() => evaluate(take(x, rows(wrong)), engine)).toThrow(expect.objectContaining({ name: 'IndexError' }));
});
