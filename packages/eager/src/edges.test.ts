import { abs, add, div, exp, less, log, maximum, minimum, mul, type Operand, pow, prod, reduceMax, relu, select, sqrt, sum } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor, type Session } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();

let session: Session;
beforeAll(() => {
  session = runtime.open(engine);
});
afterAll(() => session.dispose());

/** Gradients of the sum of `f` by all its arguments: by backward, by grad, and by one jvp per element. All must be equal. */
function gradients(f: (...xs: readonly Operand[]) => Operand, ...values: readonly (number | readonly number[])[]): readonly unknown[] {
  const xs = values.map((value) => runtime.variable(value as number));
  const y = sum(f(...xs)) as EagerTensor<'float64'>;
  y.backward();
  const pulled = xs.map(({ grad }) => plain(grad?.toArray() ?? 0));
  expect(xs.map((x) => plain(runtime.gradOptional(y, x)?.toArray() ?? 0))).toEqual(pulled.map((g, at) => (xs[at]!.grad === undefined ? 0 : g)));
  xs.forEach((x, at) => {
    const size = [values[at]].flat().length;
    const pushed = Array.from({ length: size }, (_, unit) => plain(runtime.jvp(y, x, Array.isArray(values[at]) ? Array.from({ length: size }, (_, other) => Number(other === unit)) : 1).item()));
    if (xs[at]!.grad !== undefined) expect(pushed).toEqual([pulled[at]].flat());
  });
  return pulled;
}

/** Without the sign of zero. */
function plain(value: unknown): unknown {
  return Array.isArray(value) ? value.map(plain) : (value as number) + 0;
}

describe('a branch that is not taken contributes exactly 0', () => {
  test('select(x < 1, x, √x): 1 at 0 and 1e-9, in a single and in a double select', () => {
    for (const at of [0, 1e-9, 0.5]) {
      expect(gradients((x) => select(less(x, 1), x, sqrt(x)) as Operand, at)).toEqual([1]);
      expect(gradients((x) => select(less(x, 1), x, sqrt(select(less(x, 1), 1, x) as Operand)) as Operand, at)).toEqual([1]);
    }
    expect(gradients((x) => select(less(x, 1), x, sqrt(x)) as Operand, 4)).toEqual([0.25]);
  });

  test('a masked sum with a large, an infinite or an undefined entry', () => {
    for (const masked of [100, Infinity, NaN]) {
      const a = runtime.variable([0, masked]);
      const mask = runtime.constant([true, false] as never);
      const loss = sum(select(mask as never, exp(a), 0));
      expect(loss.item()).toBe(1);
      loss.backward();
      expect(a.grad?.toArray()).toEqual([1, 0]);
    }
  });

  test('log and division in a branch not taken', () => {
    expect(gradients((x) => select(less(x, 0.5), 0, add(log(x), div(1, x))) as Operand, [0, 1])).toEqual([[0, 0]]);
  });
});

describe('ties', () => {
  test('relu and abs are flat at 0, extrema share evenly', () => {
    expect(gradients((x) => relu(x) as Operand, [-1, 0, 2])).toEqual([[0, 0, 1]]);
    expect(gradients((x) => abs(x) as Operand, [-1, 0, 2])).toEqual([[-1, 0, 1]]);
    expect(gradients((x, y) => maximum(x, y) as Operand, [1, 2, 3], [1, 3, 2])).toEqual([[0.5, 0, 1], [0.5, 1, 0]]);
    expect(gradients((x, y) => minimum(x, y) as Operand, [1, 2, 3], [1, 3, 2])).toEqual([[0.5, 1, 0], [0.5, 0, 1]]);
    expect(gradients((x) => reduceMax(x) as Operand, [3, 1, 3])).toEqual([[0.5, 0, 0.5]]);
    expect(gradients((x) => maximum(x, 0) as Operand, [-1, 0, 1])[0]).toEqual([0, 0.5, 1]);
  });

  test('bounds that cross: the one that is returned has gradient 1', () => {
    const clamped = (x: Operand, low: Operand, high: Operand): Operand => minimum(maximum(x, low), high) as Operand;
    expect(gradients(clamped, 5, 3, 1)).toEqual([0, 0, 1]);
    expect(gradients(clamped, 2, 1, 3)).toEqual([1, 0, 0]);
    expect(gradients(clamped, 0, 1, 3)).toEqual([0, 1, 0]);
    for (const bounds of [[5, 3, 1], [2, 1, 3], [1, 1, 1], [2, 2, 3], [3, 2, 3], [0, 2, 2]]) {
      expect((gradients(clamped, ...bounds) as readonly number[]).reduce((a, b) => a + b)).toBe(1);
    }
  });
});

describe('powers', () => {
  const cases = [-2, -0, 0, 2].flatMap((b) => [-2, -1, 0, 0.5, 1, 2, 3].map((e) => [b, e] as const));

  test.each(cases)('%d ** %d: both partials', (b, e) => {
    const [x, y] = [runtime.variable(b), runtime.variable(e)];
    const z = pow(x, y);
    z.backward();
    const base = e === 0 ? 0 : e * b ** (e - 1);
    expect(plain(x.grad?.item())).toEqual(plain(base));
    if (b > 0) expect(y.grad?.item()).toBeCloseTo(b ** e * Math.log(b), 14);
    else if (b === 0 && e > 0) expect(plain(y.grad?.item())).toBe(0);
    // A number as exponent gives the same derivative in the base.
    expect(plain(runtime.grad(pow(x, e), x, { allowUnused: true }).item())).toEqual(plain(base));
  });

  test('derivatives 1 to 6 of x⁴ at 0, with pow', () => {
    const x = runtime.variable(0);
    let y: EagerTensor | undefined = pow(x, 4);
    const orders: unknown[] = [];
    for (let order = 1; order <= 6; order++) {
      y = y === undefined ? undefined : runtime.gradOptional(y, x);
      orders.push(plain(y?.item() ?? 0));
    }
    expect(orders).toEqual([0, 0, 0, 24, 0, 0]);
  });
});

describe('products', () => {
  test('with any number of zeros, and their second derivatives', () => {
    expect(gradients((x) => prod(x) as Operand, [2, 0, 3, 4])).toEqual([[0, 24, 0, 0]]);
    expect(gradients((x) => prod(x) as Operand, [0, 0, 3])).toEqual([[0, 0, 0]]);
    const x = runtime.variable([0, 0, 3]);
    const y = prod(x);
    const hessian = [0, 1, 2].map((at) => plain(runtime.hvp(y, x, [0, 1, 2].map((other) => Number(other === at))).toArray()));
    expect(hessian).toEqual([[0, 3, 0], [3, 0, 0], [0, 0, 0]]);
  });
});

describe('gradients are in the type of their leaf', () => {
  test('each value of a float32 derivative is float32', () => {
    const x = runtime.variable(new Float32Array([0.5, 2]));
    const y = sum(mul(exp(x), sqrt(x)));
    const g = runtime.grad(y, x);
    expect([g, runtime.hvp(y, x, new Float32Array([1, 1])), runtime.jvp(y, x, new Float32Array([1, 1]))].map((t) => t.type.dtype)).toEqual(['float32', 'float32', 'float32']);
    y.backward();
    expect(x.grad?.type.key).toBe('f32[2]');
  });

  test('a large sum of equal gradients is exact', () => {
    const x = runtime.variable(new Float32Array([1]));
    sum(mul(x, runtime.constant(new Float32Array(4096).fill(1)))).backward();
    expect(x.grad?.toArray()).toEqual([4096]);
  });
});
