import { add, exp, greater, log, matmul, mul, type Operand, pow, reduceMax, select, sin, sqrt, sub, sum, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor, grad, type Session } from './index.ts';

const engine = await createEngine();
const runtime = new EagerRuntime();

function nameOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).name;
  }
  return 'nothing was thrown';
}

let session: Session;
beforeAll(() => {
  session = runtime.open(engine);
});
afterAll(() => session.dispose());

describe('grad', () => {
  test('gives derivatives of any order and leaves the slot alone: s·s·s at 2.5', () => {
    const s = runtime.variable(2.5);
    const y = mul(mul(s, s), s);
    const first = runtime.grad(y, s);
    const second = runtime.grad(first, s);
    const third = runtime.grad(second, s);
    expect([first, second, third].map((x) => x.item())).toEqual([18.75, 15, 6]);
    expect(runtime.gradOptional(third, s)).toBeUndefined();
    expect(s.grad).toBeUndefined();
    expect(runtime.grad(y, s).item()).toBe(18.75);
    expect(runtime.stats().recomputed).toBe(0);
  });

  test('derivatives 1 to 6 of x⁴ at 0 are 0, 0, 0, 24, 0, 0', () => {
    const x = runtime.variable(0);
    const orders: number[] = [];
    let y: EagerTensor<'float64'> = mul(mul(mul(x, x), x), x);
    for (let order = 1; order <= 6; order++) {
      const next: EagerTensor<'float64'> | undefined = runtime.gradOptional(y, x);
      orders.push(next?.item() ?? 0);
      if (next === undefined) break;
      y = next;
    }
    expect(orders.concat(new Array<number>(6 - orders.length).fill(0))).toEqual([0, 0, 0, 24, 0, 0]);
  });

  test('its result goes backward: a gradient penalty', () => {
    const x = runtime.variable([1, 2]);
    const g = runtime.grad(sum(mul(mul(x, x), x)), x);
    sum(mul(g, g)).backward();
    // d/dx Σ (3x²)² = 36 x³
    expect(x.grad?.toArray()).toEqual([36, 288]);
  });

  test('by an intermediate cuts there, and what lies before it is reached from the result', () => {
    const x = runtime.variable([1, 2]);
    const h = mul(x, x);
    const y = sum(mul(h, h));
    const g = runtime.grad(y, h);
    expect(g.toArray()).toEqual([2, 8]);
    expect(runtime.grad(sum(g), x).toArray()).toEqual([4, 8]);
    expect(runtime.vjpMany(sum(add(mul(h, h), x)), [x, h], 1).map((t) => t.toArray())).toEqual([[1, 1], [2, 8]]);
    expect(runtime.grad(y, y).item()).toBe(1);
  });

  test('by a variable that was assigned in between adds the shares of its values', () => {
    const w = runtime.variable(3);
    const before = mul(w, w);
    w.assign(5);
    const y = add(before, mul(mul(w, w), w));
    expect(runtime.grad(y, w).item()).toBe(6 + 75);
    expect(runtime.jvp(y, w, 1).item()).toBe(6 + 75);
    expect(runtime.grad(runtime.grad(y, w), w).item()).toBe(2 + 30);
    expect(runtime.hvp(y, w, 1).item()).toBe(2 + 30);
  });

  test('by a constant is refused with the remedy, by what is not reached too', () => {
    const [x, c, z] = [runtime.variable([1, 2]), runtime.constant([3, 4]), runtime.variable(1)];
    const y = sum(mul(x, c));
    expect(() => runtime.grad(y, c)).toThrow(/captureTrace/);
    expect(nameOf(() => runtime.grad(y, c))).toBe('InactiveGradError');
    expect(nameOf(() => runtime.grad(y, z))).toBe('InactiveGradError');
    expect(nameOf(() => runtime.grad(sum(c), x))).toBe('InactiveGradError');
    expect(runtime.gradOptional(y, c)).toBeUndefined();
    expect(runtime.gradOptional(y, z)).toBeUndefined();
    expect(runtime.grad(y, c, { allowUnused: true }).toArray()).toEqual([0, 0]);
    expect(runtime.vjpMany(y, [x, z], 1, { allowUnused: true }).map((t) => t.toArray())).toEqual([[3, 4], 0]);
  });

  test('other faults are named', () => {
    const x = runtime.variable([1, 2]);
    const other = new EagerRuntime();
    const theirs = other.variable([1, 2]);
    const gone = runtime.variable(1);
    const square = mul(gone, gone);
    gone.dispose();
    expect(nameOf(() => runtime.grad(mul(x, x), x))).toBe('NonScalarGradError');
    expect(nameOf(() => runtime.grad(sum(x), theirs))).toBe('ContextMismatchError');
    expect(nameOf(() => runtime.grad(sum(x), tensor([1, 2])))).toBe('InactiveGradError');
    expect(nameOf(() => runtime.grad(square, gone))).toBe('DisposedError');
    expect(nameOf(() => runtime.grad(greater(sum(x), 1) as Operand, x))).toBe('NotDifferentiableError');
    expect(nameOf(() => runtime.vjp(mul(x, x), x, [1, 2, 3]))).toBe('ShapeError');
    expect(nameOf(() => runtime.vjp(mul(x, x), x, new Float32Array([1, 2])))).toBe('DTypeError');
    expect(nameOf(() => runtime.vjp(mul(x, x), x, theirs))).toBe('ContextMismatchError');
    expect(nameOf(() => new EagerRuntime().grad(sum(x), x))).toBe('ContextMismatchError');
    const outside = new EagerRuntime();
    const w = outside.variable(2);
    const y = outside.session(engine, () => mul(w, w));
    expect(nameOf(() => outside.grad(y, w))).toBe('NoSessionError');
  });

  test('inside noGrad gives constants', () => {
    const x = runtime.variable(3);
    const y = mul(mul(x, x), x);
    const g = runtime.noGrad(() => runtime.grad(y, x));
    expect(g.item()).toBe(27);
    expect(g.tracksGrad).toBe(false);
    expect(runtime.noGrad(() => runtime.hvp(y, x, 1)).item()).toBe(18);
  });

  test('what lies before the input is not walked, and does not count', () => {
    const own = new EagerRuntime();
    own.session(engine, () => {
      const x = own.variable(1.5);
      let history: EagerTensor<'float64'> = mul(x, 1);
      for (let step = 0; step < 3; step++) {
        history = mul(history, 1);
        const z = mul(history, 1);
        expect(own.grad(mul(mul(z, z), history), z).item()).toBe(2 * 1.5 * 1.5);
      }
      expect(own.stats().preparedDerivatives).toMatchObject({ misses: 1, hits: 2 });
    });
  });
});

describe('vjp and jvp', () => {
  test('are adjoint, and differentiable in what they are given', () => {
    const x = runtime.variable([0.3, -0.7, 1.1]);
    const [ct, v] = [runtime.variable([1, 2, 3]), runtime.variable([0.5, -1, 2])];
    const y = exp(mul(sin(x), x));
    const pulled = runtime.vjp(y, x, ct);
    const pushed = runtime.jvp(y, x, v);
    expect(sum(mul(pulled, v)).item()).toBeCloseTo(sum(mul(pushed, ct)).item(), 12);
    // Linear in the cotangent: the derivative of the vjp in it is the jvp, and the other way round.
    expect(runtime.vjp(pulled, ct, v).toArray()).toEqual(pushed.toArray());
    expect(runtime.vjp(pushed, v, ct).toArray()).toEqual(pulled.toArray());
  });

  test('vjpMany takes one leaf twice; jvpMany refuses it, and adds up others', () => {
    const [x, y] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    const z = mul(x, y);
    const [a, b, c] = runtime.vjpMany(z, [x, x, y], [1, 10]);
    expect([a, b, c].map((t) => t.toArray())).toEqual([[3, 40], [3, 40], [1, 20]]);
    a.dispose();
    expect(b.toArray()).toEqual([3, 40]);
    expect(runtime.jvpMany(z, [x, y], [[1, 0], [0, 1]]).toArray()).toEqual([3, 2]);
    expect(nameOf(() => runtime.jvpMany(z, [x, x], [[1, 0], [0, 1]]))).toBe('ArgumentError');
    expect(nameOf(() => runtime.jvpMany(z, [x, y], [[1, 0]]))).toBe('ArgumentError');
    expect(nameOf(() => runtime.jvp(z, x, [1, 2, 3]))).toBe('ShapeError');
  });

  test('jvp is zero where nothing flows, and refuses a constant that no trace knows', () => {
    const [x, z, c] = [runtime.variable([1, 2]), runtime.variable(1), runtime.constant(2)];
    const y = mul(x, c);
    expect(runtime.jvp(y, z, 1).toArray()).toEqual([0, 0]);
    expect(runtime.jvp(runtime.constant([1, 2]), z, 1).toArray()).toEqual([0, 0]);
    expect(nameOf(() => runtime.jvp(y, c, 1))).toBe('InactiveGradError');
  });

  test('through control by data: select, reduceMax, pow', () => {
    const x = runtime.variable([2, -1, 3]);
    const y = add(sum(select(greater(x, 0), pow(x, 3), 0)), reduceMax(x));
    expect(runtime.grad(y, x).toArray()).toEqual([12, 0, 28]);
    expect(runtime.jvp(y, x, [1, 1, 1]).item()).toBe(40);
    expect(add(runtime.hvp(y, x, [1, 1, 1]), 0).toArray()).toEqual([12, 0, 18]);
  });
});

describe('second order', () => {
  const a = tensor([[0.4, -0.2, 0.1], [0.3, 0.8, -0.5], [0.7, 0.2, 0.6]]);
  const f = (x: Operand): Operand => sum(mul(tanh(matmul(a, x)), log(add(mul(x, x), 1)))) as Operand;
  const point = [[0.3], [-0.8], [0.5]];
  const direction = [[1], [-0.5], [0.25]];

  const waysToHvp: readonly (readonly [string, (y: Operand, x: EagerTensor<'float64'>, v: EagerTensor<'float64'>) => EagerTensor<'float64'>])[] = [
    ['jvp∘grad', (y, x, v) => runtime.jvp(runtime.grad(y, x), x, v)],
    ['grad∘jvp', (y, x, v) => runtime.grad(runtime.jvp(y, x, v), x) as EagerTensor<'float64'>],
    ['grad∘grad', (y, x, v) => runtime.grad(sum(mul(runtime.grad(y, x), v)), x)],
    ['vjp∘grad', (y, x, v) => runtime.vjp(runtime.grad(y, x), x, v)],
    ['hvp', (y, x, v) => runtime.hvp(y, x, v)],
  ];

  test.each(waysToHvp)('%s agrees with central differences of the gradient', (_name, way) => {
    const gradientAt = (shift: number): number[] => {
      const x = runtime.variable(tensor(point.map(([p], at) => [p! + shift * direction[at]![0]!])));
      return (runtime.grad(f(x), x).toArray() as number[][]).flat();
    };
    const h = 1e-3;
    const slope = (step: number): number[] => gradientAt(step).map((right, at) => (right - gradientAt(-step)[at]!) / (2 * step));
    const [wide, narrow] = [slope(h), slope(h / 2)];
    const expected = narrow.map((value, at) => (4 * value - wide[at]!) / 3);
    const x = runtime.variable(tensor(point));
    const product = (way(f(x), x, runtime.constant(tensor(direction))).toArray() as number[][]).flat();
    product.forEach((value, at) => expect(value).toBeCloseTo(expected[at]!, 9));
  });

  test('third derivatives through a mix of both directions agree', () => {
    const g = (x: Operand): Operand => mul(exp(sin(x)), sqrt(add(mul(x, x), 2))) as Operand;
    const x = runtime.variable(0.6);
    const y = g(x);
    const reverse = runtime.grad(runtime.grad(runtime.grad(y, x), x), x).item();
    const forward = runtime.jvp(runtime.jvp(runtime.jvp(y, x, 1), x, 1), x, 1).item() as number;
    const mixed = runtime.jvp(runtime.grad(runtime.jvp(y, x, 1), x), x, 1).item();
    expect(forward).toBeCloseTo(reverse, 11);
    expect(mixed).toBeCloseTo(reverse, 11);
    const h = 1e-3;
    const second = (at: number): number => {
      const z = runtime.variable(at);
      return runtime.grad(runtime.grad(g(z), z), z).item();
    };
    expect((second(0.6 + h) - second(0.6 - h)) / (2 * h)).toBeCloseTo(reverse, 5);
  });

  test('a Jacobian through which an outer variable does not flow: the gradient of Σ J x + b by b is 1', () => {
    const x = runtime.variable([1, 2, 3]);
    const b = runtime.variable([0.1, 0.2, 0.3]);
    const rows = [0, 1, 2].map((at) => runtime.vjp(mul(mul(x, x), x), x, [0, 1, 2].map((other) => Number(other === at))));
    const product = rows.map((row) => sum(mul(row, x))).reduce((left, right) => add(left, right));
    expect(runtime.grad(sum(add(product, b)), b).toArray()).toEqual([1, 1, 1]);
  });
});

describe('captureTrace', () => {
  test('lets constants be differentiated by, and tracks nothing', () => {
    const c = runtime.constant([1, 2, 3]);
    const y = runtime.captureTrace(() => sum(mul(mul(c, c), c)));
    expect([c.tracksGrad, y.tracksGrad]).toEqual([false, false]);
    expect(nameOf(() => y.backward())).toBe('InactiveGradError');
    const g = runtime.grad(y, c);
    expect(g.toArray()).toEqual([3, 12, 27]);
    expect(g.tracksGrad).toBe(false);
    expect(runtime.jvp(y, c, [1, 1, 1]).item()).toBe(42);
    expect(runtime.hvp(y, c, [1, 1, 1]).toArray()).toEqual([6, 12, 18]);
    expect(runtime.vjp(g, c, [1, 0, 0]).toArray()).toEqual([6, 0, 0]);
    // Computed outside, so not recorded.
    expect(nameOf(() => runtime.grad(mul(y, 2), c))).toBe('InactiveGradError');
  });

  test('keeps constants beside what tracks; backward does not notice', () => {
    const [x, c] = [runtime.variable([1, 2]), runtime.constant([3, 4])];
    const y = runtime.captureTrace(() => sum(mul(mul(x, c), x)));
    expect(y.tracksGrad).toBe(true);
    y.backward();
    expect(x.grad?.toArray()).toEqual([6, 16]);
    expect(c.grad).toBeUndefined();
    expect(runtime.grad(y, c).toArray()).toEqual([1, 4]);
  });

  test('ends with its callback, takes no promise, and yields to noGrad inside', async () => {
    const c = runtime.constant(2);
    expect(nameOf(() => runtime.captureTrace(async () => mul(c, c)))).toBe('AsyncCallbackError');
    await Promise.resolve();
    expect(nameOf(() => runtime.grad(mul(c, c), c))).toBe('InactiveGradError');
    const y = runtime.captureTrace(() => runtime.noGrad(() => mul(c, c)));
    expect(nameOf(() => runtime.grad(y, c))).toBe('InactiveGradError');
    const live = runtime.captureTrace(() => mul(c, c));
    c.dispose();
    expect(nameOf(() => runtime.grad(live, c))).toBe('DisposedError');
  });
});

describe('several outputs', () => {
  test('grad adds the shares of all outputs by one derivative', () => {
    const [x, y] = [runtime.variable([1, 2]), runtime.variable([3, 4])];
    const { misses } = runtime.stats().preparedDerivatives;
    const [dx, dy] = grad([mul(x, y), sum(mul(x, x))], [x, y], [[1, 10], undefined]);
    expect([dx.toArray(), dy.toArray()]).toEqual([[5, 44], [1, 20]]);
    expect(runtime.stats().preparedDerivatives.misses).toBe(misses + 1);
    expect(grad(sum(sub(x, y)), y).toArray()).toEqual([-1, -1]);
    expect(grad(mul(x, x), x, [1, 1]).toArray()).toEqual([2, 4]);
  });

  test('cotangents must be as many as outputs, and of their runtime', () => {
    const x = runtime.variable([1, 2]);
    expect(nameOf(() => grad([mul(x, x), sum(x)], x, [[1, 1]]))).toBe('ArgumentError');
    expect(nameOf(() => grad([mul(x, x)], x))).toBe('NonScalarGradError');
    expect(nameOf(() => grad(tensor(1), x))).toBe('InactiveGradError');
    expect(nameOf(() => grad(sum(x), new EagerRuntime().variable(1)))).toBe('ContextMismatchError');
  });
});

describe('another engine', () => {
  test('does the work and keeps nothing', async () => {
    const second = await createEngine();
    const x = runtime.variable([0.1, 0.7, -1.3]);
    const y = sum(tanh(mul(exp(x), x)));
    const here = runtime.grad(y, x);
    const there = runtime.grad(y, x, { engine: second });
    expect(there.toArray()).toEqual(here.toArray());
    expect(runtime.hvp(y, x, [1, 2, 3], { engine: second }).toArray()).toEqual(runtime.hvp(y, x, [1, 2, 3]).toArray());
    expect(runtime.jvp(y, x, [1, 2, 3], { engine: second }).toArray()).toEqual(runtime.jvp(y, x, [1, 2, 3]).toArray());
    expect(second.stats().liveBuffers).toBe(0);
    second.dispose();
    expect(runtime.grad(sum(there), x).toArray()).toEqual(runtime.grad(sum(here), x).toArray());
  });
});
