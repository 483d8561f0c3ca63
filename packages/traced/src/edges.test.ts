import { cos, div, erf, exp, expm1, gelu, geluTanh, less, log1p, rsqrt, sigmoid, silu, sin, softplus, std, tanh, log, logSoftmax, logSumExp, maximum, minimum, mul, pow, prod, relu, select, sign, abs, softmax, sqrt, sub, sum, tensor, type Operand, type DType, type Kind, add, reduceMax, reduceMin } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { differences } from './differences.testing.ts';
import { evaluate, grad, hessian, hvp, jit, jvp, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

function numbers(x: { toArray(): unknown }): readonly number[] {
  return [x.toArray()].flat(9) as number[];
}

/** The gradient of a real function of one argument. */
function slope(f: (x: F64) => F64, at: readonly number[] | number): readonly number[] {
  return numbers(evaluate(grad(f)(typeof at === 'number' ? at : tensor([...at])), engine));
}

/** Derivatives 1 to 6, each by nesting grad once more. */
function derivatives(f: (x: F64) => F64, at: number): readonly number[] {
  const found: F64[] = [];
  let current = f;
  for (let order = 1; order <= 6; order++) {
    const next = grad(current, { allowUnused: true });
    found.push(next(at));
    current = next;
  }
  return evaluate(found, engine).map((value) => value.item());
}

it('has no NaN where a quotient of 0 is divided by what is hardly more: 0/10⁻³²⁰', () => {
  for (const above of [0, -0]) {
    for (const below of [1e-320, -1e-320, 5e-324]) {
      const f = (y: F64): F64 => div(above, y) as F64;
      expect([...slope(f, below), evaluate(jvp(f, [below], [1])[1], engine).item()].map(Math.abs)).toEqual([0, 0]);
    }
  }
  // Of 0/0 nothing is known.
  expect(evaluate(jvp((y: F64) => div(0, y) as F64, [0], [1])[1], engine).item()).toBeNaN();
});

describe('traps: gradients at edges', () => {
  describe('f(x)=where(x<1, x, sqrt(x)); grad f at 0', () => {
    it('is 1 for plain where: the branch that was not taken adds exactly 0', () => {
      const f = (x: F64): F64 => select(less(x, 1), x, sqrt(x));
      for (const at of [0, 1e-9]) expect(slope(f, at)).toEqual([1]);
      expect(slope(f, 4)).toEqual([0.25]);
    });

    it('is 1 for double where', () => {
      const f = (x: F64): F64 => select(less(x, 1), x, sqrt(select(less(x, 1), 1, x)));
      for (const at of [0, 1e-9]) expect(slope(f, at)).toEqual([1]);
      expect(evaluate(jvp(f, [0], [1]), engine).map((x) => x.item())).toEqual([0, 1]);
    });

    it('has no NaN for branches whose value or slope are infinite', () => {
      const branches: readonly ((x: F64) => F64)[] = [(x) => sqrt(x), (x) => log(x), (x) => div(1, x), (x) => pow(x, -1), (x) => pow(x, 0.5), (x) => exp(mul(div(1, x), 1e3)), (x) => sqrt(sub(x, 1))];
      for (const branch of branches) {
        const f = (x: F64): F64 => select(less(x, 1), mul(x, x), branch(x));
        expect([...slope(f, 0), ...evaluate(jvp(f, [0], [1]), engine).map((x) => x.item())]).toEqual([0, 0, 0]);
      }
    });
  });

  describe('a branch that was not taken adds exactly 0 to derivatives of any order', () => {
    const singular: readonly (readonly [string, (x: F64) => F64])[] = [
      ['sqrt', (x) => sqrt(x)], ['rsqrt', (x) => rsqrt(x)], ['log', (x) => log(x)], ['1/x', (x) => div(1, x)], ['pow(x, -1)', (x) => pow(x, -1)], ['pow(x, 0.5)', (x) => pow(x, 0.5)],
      ['exp(1000/x)', (x) => exp(div(1000, x))], ['sqrt(x)/x', (x) => div(sqrt(x), x)], ['x·log x', (x) => mul(x, log(x))], ['log(x)²', (x) => mul(log(x), log(x))], ['sin(1/x)', (x) => sin(div(1, x))],
      ['cos(1/x)', (x) => cos(div(1, x))], ['tanh(1/x)', (x) => tanh(div(1, x))], ['erf(1/x)', (x) => erf(div(1, x))], ['sigmoid(1/x)', (x) => sigmoid(div(1, x))], ['softplus(log x)', (x) => softplus(log(x))],
      ['gelu(1/x)', (x) => gelu(div(1, x))], ['expm1(1/x)', (x) => expm1(div(1, x))], ['log1p(x − 1)', (x) => log1p(sub(x, 1))], ['|1/x|', (x) => abs(div(1, x))], ['max(1/x, log x)', (x) => maximum(div(1, x), log(x))],
      ['NaN·x', (x) => mul(x, NaN)], ['sqrt(x − 1)', (x) => sqrt(sub(x, 1))],
    ];
    it.each(singular)('%s at 0: 0, 2, 0 beside x²', (_name, branch) => {
      expect(derivatives((x) => select(less(x, 1), mul(x, x), branch(x)), 0).map((value) => value + 0)).toEqual([0, 2, 0, 0, 0, 0]);
      const f = (x: F64): F64 => select(less(x, 1), mul(x, x), branch(x));
      expect(evaluate(hvp(f, [0], [1]), engine).map((value) => value.item() + 0)).toContain(2);
      expect(evaluate(jvp(grad(f), [0], [1])[1], engine).item()).toBe(2);
      expect(evaluate(grad((x: F64) => jvp(f, [x], [1])[1] as F64)(0), engine).item()).toBe(2);
    });
  });

  it('std has slope 0 where every entry is equal, and at one entry', () => {
    expect(slope((x) => std(x), [3, 3, 3])).toEqual([0, 0, 0]);
    expect(slope((x) => std(x), [3])).toEqual([0]);
    expect(slope((x) => std(x), [1, 3])).toEqual([-0.5, 0.5]);
    expect(evaluate(grad((x: F64) => sum(std(x, { axes: 1 })))(tensor([[2, 2], [1, 3]])), engine).toArray()).toEqual([[0, 0], [-0.5, 0.5]]);
  });

  it('gelu, geluTanh and silu are 0 at −∞, with slope 0; x at +∞, with slope 1', () => {
    for (const f of [gelu, geluTanh, silu] as readonly ((x: F64) => F64)[]) {
      expect(evaluate(f(evaluate(tensor([-Infinity, Infinity]), engine) as never), engine).toArray()).toEqual([0, Infinity]);
      expect(slope(f, -Infinity).map((x) => x + 0)).toEqual([0]);
      expect(slope(f, Infinity)).toEqual([1]);
      expect(slope(f, NaN)).toEqual([NaN]);
    }
  });

  it.each([[[-Infinity, -Infinity], [0, 0]], [[Infinity, 1], [1, 0]], [[Infinity, 1, Infinity], [0.5, 0, 0.5]], [[-Infinity, 2], [0, 1]]])('logSumExp(%j) has slope %j', (at, expected) => {
    expect(slope((x) => logSumExp(x), at).map((x) => x + 0)).toEqual(expected);
    expect(evaluate(logSumExp(evaluate(tensor(at), engine) as never), engine).item()).toBe(Math.max(...at));
  });

  it('softmax and logSoftmax along an axis of no entries are empty; an empty product has an empty gradient', () => {
    for (const f of [softmax, logSoftmax] as readonly ((x: F64) => F64)[]) {
      const both = jit((x: F64) => [f(x), grad((v: F64) => sum(f(v)))(x)], { engine })(tensor([[], []]));
      expect(both.map((value) => value.toArray())).toEqual([[[], []], [[], []]]);
    }
    expect(slope((x) => prod(x), [])).toEqual([]);
  });

  it('x=[0,0]; grad norm(x)**2 → [0,0] (norm as the root of a sum of squares)', () => {
    const f = (x: F64): F64 => pow(sqrt(sum(mul(x, x))), 2);
    expect(slope(f, [0, 0])).toEqual([0, 0]);
    expect(slope(f, [3, 4])).toEqual([6, 8]);
  });

  describe('grad_b of b^2 at b=0 and b=-2; grad_e of 0^e at e=2', () => {
    const bases = [-2, -0, 0, 2];
    const exponents = [-2, -1, 0, 0.5, 1, 2, 3];
    const cases = bases.flatMap((b) => exponents.map((e) => [b, e] as const));
    // As many digits as the power itself has.
    const close = (found: number, expected: number): void => {
      if (Number.isFinite(expected)) expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-14 * Math.abs(expected));
      else expect(found).toBe(expected);
    };

    it.each(cases)('∂/∂b of b^e at (%d, %d) is e·b^(e−1), 0 for e = 0', (b, e) => {
      const found = evaluate(grad((x: F64, y: F64) => pow(x, y))(b, e), engine).item();
      const constant = evaluate(grad((x: F64) => pow(x, e))(b), engine).item();
      const expected = e === 0 ? 0 : e * b ** (e - 1);
      close(found, expected);
      close(constant, expected);
    });

    it.each(cases)('∂/∂e of b^e at (%d, %d) is b^e·log b, 0 at b = 0 ≤ e, −∞ at b = 0 > e', (b, e) => {
      const found = evaluate(grad((x: F64, y: F64) => pow(x, y), { argnums: 1 })(b, e), engine).item();
      if (b < 0) expect(found).toBeNaN();
      else if (b === 0 && e >= 0) expect(Math.abs(found)).toBe(0);
      else if (b === 0) expect(found).toBe(Object.is(b, -0) && e === -1 ? Infinity : -Infinity);
      else close(found, b ** e * Math.log(b));
    });

    it('mixed and higher derivatives are right where the exponent is 0, 1 or 2, in both orders', () => {
      for (const b of [0.5, 3]) {
        for (const e of [0, 1, 2, 0.5, -1]) {
          const mixed = b ** (e - 1) * (1 + e * Math.log(b));
          const wrtB = (x: F64, y: F64): F64 => grad((p: F64) => pow(p, y))(x);
          const wrtE = (x: F64, y: F64): F64 => grad((q: F64) => pow(x, q))(y);
          for (const found of [evaluate(grad((y: F64) => wrtB(tensor(b) as never, y))(e), engine), evaluate(grad((x: F64) => wrtE(x, tensor(e) as never))(b), engine)]) close(found.item(), mixed);
        }
      }
      // (x + 2)^x and e^(x²), by hand.
      const two = Math.log(2);
      expect(derivatives((x) => pow(add(x, 2), x), 0)[1]).toBeCloseTo(two * two + 1, 12);
      expect(derivatives((x) => pow(exp(x), x), 0).map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([0, 2, 0, 12, 0, 120]);
    });

    it('JVP = VJP in the whole table', () => {
      for (const [b, e] of cases) {
        const [x, y] = evaluate(grad((p: F64, q: F64) => pow(p, q), { argnums: [0, 1] })(b, e), engine).map((value) => value.item());
        const forward = [[1, undefined], [undefined, 1]].map((tangents) => evaluate(jvp((p: F64, q: F64) => pow(p, q), [b, e], tangents as never)[1], engine).item());
        expect(forward).toEqual([x, y]);
      }
    });
  });

  it('f(x)=x^4, derivatives 1..6 at 0: 0, 0, 0, 24, 0, 0 by pow and by repeated mul', () => {
    expect(derivatives((x) => pow(x, 4), 0)).toEqual([0, 0, 0, 24, 0, 0]);
    expect(derivatives((x) => mul(mul(x, x), mul(x, x)), 0)).toEqual([0, 0, 0, 24, 0, 0]);
    expect(derivatives((x) => pow(pow(x, 2), 2), 0)).toEqual([0, 0, 0, 24, 0, 0]);
    expect(derivatives((x) => pow(x, 4), 2).map((value) => value + 0)).toEqual([32, 48, 48, 24, 0, 0]);
  });

  describe('grad clampMin(x,0), relu(x), max(x,0) at 0: one tie table', () => {
    const ties: readonly (readonly [string, (x: F64, y: F64) => F64, readonly [number, number]])[] = [
      ['maximum(x, y), both tensors', (x, y) => maximum(x, y), [0.5, 0.5]],
      ['minimum(x, y), both tensors', (x, y) => minimum(x, y), [0.5, 0.5]],
      ['maximum(x, x·1)', (x, y) => maximum(x, mul(y, 1)), [0.5, 0.5]],
    ];
    it.each(ties)('%s: VJP = JVP, partials summing to 1', (_name, f, expected) => {
      for (const at of [0, -3, 7]) {
        const reverse = evaluate(grad(f, { argnums: [0, 1] })(at, at), engine).map((x) => x.item());
        const forward = [[1, undefined], [undefined, 1]].map((tangents) => evaluate(jvp(f, [at, at], tangents as never)[1], engine).item());
        expect(reverse).toEqual(expected);
        expect(forward).toEqual(expected);
        expect(reverse[0]! + reverse[1]!).toBe(1);
      }
    });

    it('relu and abs have slope 0 at 0, forward and reverse; −0 counts as 0', () => {
      for (const f of [relu, abs] as readonly ((x: F64) => F64)[]) {
        for (const at of [0, -0]) {
          expect(slope(f, at).map(Math.abs)).toEqual([0]);
          expect(Math.abs(evaluate(jvp(f, [at], [1])[1], engine).item())).toBe(0);
        }
      }
    });

    it('a number as bound is tied like a tensor', () => {
      expect(slope((x) => maximum(x, 0), 0)).toEqual([0.5]);
      expect(evaluate(jvp((x: F64) => maximum(x, 0), [0], [1])[1], engine).item()).toBe(0.5);
    });

    it('reduceMax and reduceMin split evenly over tied entries, forward and reverse', () => {
      for (const f of [reduceMax, reduceMin] as readonly ((x: F64) => F64)[]) {
        const at = f === (reduceMax as unknown) ? [2, 5, 5, 1, 5, 5] : [-2, -5, -5, -1, -5, -5];
        expect(slope(f, at)).toEqual([0, 0.25, 0.25, 0, 0.25, 0.25]);
        expect(evaluate(jvp(f, [tensor(at)], [tensor([7, 1, 0, 0, 2, 1])])[1], engine).item()).toBe(1);
      }
    });
  });

  describe('x=5, lo=3, hi=1: the bound that is returned has gradient 1, the rest 0', () => {
    const clamp = (x: F64, lo: F64, hi: F64): F64 => minimum(maximum(x, lo), hi);
    it.each([[5, 1, 3, [0, 0, 1]], [2, 1, 3, [1, 0, 0]], [0, 1, 3, [0, 1, 0]], [5, 3, 1, [0, 0, 1]], [-5, 3, 1, [0, 0, 1]], [5, 2, 2, [0, 0, 1]]] as const)('x=%d lo=%d hi=%d → %j, as differences', (x, lo, hi, expected) => {
      const found = evaluate(grad(clamp, { argnums: [0, 1, 2] })(x, lo, hi), engine).map((value) => value.item());
      expect(found).toEqual(expected);
      const run = jit(clamp, { engine });
      const fd = differences(([a, b, c]) => run(a!, b!, c!).item(), [x, lo, hi]);
      fd.forEach((value, at) => expect(value).toBeCloseTo(expected[at]!, 9));
    });
  });

  it.each([100, Infinity, NaN])('a=[0,%d], where=[true,false]: a masked logSumExp is 0 with gradient [1,0]', (masked) => {
    const where = tensor([true, false]);
    const f = (a: F64): F64 => logSumExp(select(where, a, -Infinity));
    expect(evaluate(f(evaluate(tensor([0, masked]), engine) as never), engine).item()).toBe(0);
    expect(slope(f, [0, masked])).toEqual([1, 0]);
    expect(slope((a) => sum(mul(softmax(select(where, a, -Infinity)), tensor([3, 5]))), [0, masked])).toEqual([0, 0]);
  });

  describe('prod([2,0,3,4]); prod([0,0,3])', () => {
    it('has the gradients [0,24,0,0] and [0,0,0]', () => {
      expect(slope((x) => prod(x), [2, 0, 3, 4]).map((x) => x + 0)).toEqual([0, 24, 0, 0]);
      expect(slope((x) => prod(x), [0, 0, 3]).map((x) => x + 0)).toEqual([0, 0, 0]);
    });

    it('has the Hessian of [0,0,3]: H01 = H10 = 3', () => {
      const found = numbers(evaluate(hessian((x: F64) => prod(x))(tensor([0, 0, 3])), engine)).map((x) => x + 0);
      expect(found).toEqual([0, 3, 0, 3, 0, 0, 0, 0, 0]);
      expect(numbers(evaluate(hvp((x: F64) => prod(x), [tensor([0, 0, 3])], [tensor([1, 10, 100])])[0], engine)).map((x) => x + 0)).toEqual([30, 3, 0]);
    });

    it('per lane of a reduction over one axis', () => {
      const x = tensor([[2, 0, 3], [0, 0, 5], [1, 2, 3]]);
      const found = evaluate(grad((v: F64) => sum(prod(v, { axes: 1 })))(x), engine);
      expect(numbers(found).map((value) => value + 0)).toEqual([0, 6, 0, 0, 0, 0, 6, 3, 2]);
    });
  });
});

describe('traps: precision', () => {
  it('x=[16.94,0] f32: the top entry of logSoftmax is -4.3855e-8, not 0; slope too', () => {
    const x = tensor(Float32Array.of(16.94, 0));
    const [top, bottom] = numbers(evaluate(logSoftmax(grad((v: TracedTensor<'float32'>) => sum(mul(v, x)))(x)), engine)) as [number, number];
    const at = Math.fround(16.94);
    expect(Math.abs(top / -Math.log1p(Math.exp(-at)) - 1)).toBeLessThan(1e-5);
    expect(Math.abs(bottom / (-at - Math.log1p(Math.exp(-at))) - 1)).toBeLessThan(1e-6);
    const slopes = numbers(evaluate(grad((v: TracedTensor<'float32'>) => sum(mul(logSoftmax(v), tensor(Float32Array.of(1, 0)))))(x), engine));
    const tail = 1 / (1 + Math.exp(at));
    expect(Math.abs(slopes[1]! / -tail - 1)).toBeLessThan(1e-5);
  });

  it.each([[-5, -1.43325786e-6], [-5.5, -1.04442594e-7], [-6, -5.91952587e-9], [-10, -7.61985e-23]])('gelu(%d) = %d in f32 and f64, with its gradient', (at, value) => {
    expect(Math.abs(evaluate(gelu(grad((x: F64) => mul(x, at))(1)), engine).item() / value - 1)).toBeLessThan(1e-6);
    const run = jit((x: TracedTensor<'float32'>) => [gelu(x), grad((v: TracedTensor<'float32'>) => gelu(v))(x)] as const, { engine });
    const double = jit((x: F64) => [gelu(x), grad((v: F64) => gelu(v))(x)] as const, { engine });
    const [y, dy] = run(tensor(Float32Array.of(at), { shape: [] }));
    const [z, dz] = double(at);
    expect(Math.abs(y.item() / z.item() - 1)).toBeLessThan(1e-5);
    expect(Math.abs(dy.item() / dz.item() - 1)).toBeLessThan(1e-5);
    // d/dx x·Φ(x) = Φ(x) + x·φ(x), Φ(x) = gelu(x)/x.
    const density = Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
    expect(Math.abs(dz.item() / (z.item() / at + at * density) - 1)).toBeLessThan(1e-13);
  });

  it('min(-0,0), max(-0,0), min(NaN,1), sign(-0), -0+0 → -0, 0, NaN, -0, 0, in both dtypes', () => {
    const table = <D extends DType>(a: TracedTensor<D>, b: TracedTensor<D>): readonly Operand<Kind, DType>[] => [minimum(a, b), minimum(b, a), maximum(a, b), maximum(b, a), sign(a), add(a, b)];
    const expected = [-0, -0, 0, 0, -0, 0];
    const found = [jit(table<'float64'>, { engine })(-0, 0), jit(table<'float32'>, { engine })(tensor(-0, { dtype: 'float32' }), tensor(0, { dtype: 'float32' }))];
    for (const values of found) values.forEach((value, at) => expect(Object.is(value.item(), expected[at])).toBe(true));
    const nan = jit((x: F64) => [minimum(x, 1), minimum(1, x), maximum(x, 1), maximum(1, x)], { engine })(NaN);
    expect(nan.map((x) => x.item())).toEqual([NaN, NaN, NaN, NaN]);
  });
});
