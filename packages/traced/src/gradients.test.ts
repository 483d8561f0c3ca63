import { AdContext, createCatalog, exp, isTfError, less, maximum, mul, select, sub, tanh, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, gradOptional, input, jvp, type TracedTensor, valueAndGrad, vjp } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

function value(x: TracedTensor): number {
  return evaluate(x, engine).item() as number;
}

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The first six derivatives of `f`. */
function derivatives(f: (x: F64) => F64, at: number): readonly number[] {
  const found: number[] = [];
  let current = f;
  for (let order = 1; order <= 6; order++) {
    const next = grad(current, { allowUnused: true });
    found.push(value(next(at)));
    current = next;
  }
  return found;
}

type Transform = (f: (x: F64) => F64) => (x: F64 | number) => F64;

/** The claims of contracts.md §7 about nested transforms: those that `transform` breaks. */
function broken(transform: Transform): readonly string[] {
  const claims: readonly [string, number, () => F64][] = [
    ['x·grad(y => x·y)(x) at 3', 6, () => transform((x) => mul(x, transform((y) => mul(x, y))(x)))(3)],
    ['x·grad(y => x + y)(1) at 1', 1, () => transform((x) => mul(x, transform((y) => x.add(y))(1)))(1)],
    ['x·grad(y => x + y)(x) at 1', 1, () => transform((x) => mul(x, transform((y) => x.add(y))(x)))(1)],
    ['grad(y => x·x·y)(x) + x at 2', 5, () => transform((x) => transform((y) => x.mul(x).mul(y))(x).add(x))(2)],
  ];
  return claims.filter(([, expected, run]) => value(run()) !== expected).map(([claim]) => claim);
}

describe('nested function transforms', () => {
  it('differentiates by fresh leaves: what is captured is constant for that transform only', () => {
    expect(broken((f) => grad(f) as (x: F64 | number) => F64)).toEqual([]);
  });

  it('would be wrong without fresh leaves: the claims above reject that twin', () => {
    const twin: Transform = (f) => (x) => (typeof x === 'number' ? (grad(f)(x) as F64) : f(x).grad(x));
    expect(broken(twin)).toEqual(['x·grad(y => x·y)(x) at 3', 'x·grad(y => x + y)(x) at 1', 'grad(y => x·x·y)(x) + x at 2']);
  });

  it('differentiates x^6 six times', () => {
    const power = (x: F64): F64 => x.mul(x).mul(x).mul(x).mul(x).mul(x);
    expect(derivatives(power, 2)).toEqual([192, 480, 960, 1440, 1440, 720]);
  });

  it('differentiates x^4 six times at 0', () => {
    expect(derivatives((x) => x.mul(x).mul(x).mul(x), 0)).toEqual([0, 0, 0, 24, 0, 0]);
  });

  it('takes jvp inside grad and grad inside jvp', () => {
    const cube = (x: F64): F64 => x.mul(x).mul(x);
    const forwardThenReverse = grad((x: F64) => jvp(cube, [x], [1])[1]);
    expect(value(forwardThenReverse(2))).toBe(12);
    expect(evaluate(jvp(grad(cube) as (x: F64) => F64, [2], [1]), engine).map((part) => part.item())).toEqual([12, 12]);
  });

  it('keeps an outer variable that is inactive in the inner transform constant', () => {
    const x = tensor([1, 2, 3]);
    const outer = grad((b: F64) => {
      const inner = grad((v: F64) => v.mul(v).mul(v).sum())(x);
      return mul(inner, x).add(b).sum();
    });
    expect(evaluate(outer(tensor([5, 6, 7])), engine).toArray()).toEqual([1, 1, 1]);
  });
});

describe('grad of traced values', () => {
  it('gives 18.75, 15 and 6 for s·s·s at 2.5', () => {
    const s = grad((x: F64) => x)(2.5).mul(2.5);
    const y = s.mul(s).mul(s);
    const first = y.grad(s);
    const second = first.grad(s);
    expect([first, second, second.grad(s)].map(value)).toEqual([18.75, 15, 6]);
  });

  it('counts a value used again each time, on the first and the second run', () => {
    const run = (): number => value(grad((x: F64) => {
      const a = tensor(1);
      const xa = x.mul(a);
      return x.mul(xa).add(x.mul(xa)).add(x.mul(x).mul(a));
    })(1));
    expect([run(), run()]).toEqual([6, 6]);
  });

  it('differentiates by an intermediate value, which cuts the path there', () => {
    const x = input('x', { shape: [2] });
    const h = exp(x);
    const y = h.mul(h).sum();
    const gradient = y.grad(h);
    expect(gradient.type.key).toBe('f64[2]');
    expect(gradient.origin.kind).toBe('node');
  });

  it('gives 1 for a value by itself', () => {
    expect(value(grad((x: F64) => x)(7))).toBe(1);
  });

  it('adds no forward instruction a second time', () => {
    const x = input('x');
    const y = tanh(x);
    const gradient = y.grad(x);
    const seen = new Set<unknown>();
    const work: unknown[] = [gradient];
    let found = 0;
    for (let next = work.pop() as TracedTensor | undefined; next !== undefined; next = work.pop() as TracedTensor | undefined) {
      if (next.origin?.kind !== 'node' || seen.has(next.origin)) continue;
      seen.add(next.origin);
      if (next.origin.operation.name === 'tanh') found++;
      work.push(...next.origin.inputs);
    }
    expect(found).toBe(1);
  });

  it('matches central differences through tanh, exp, select and maximum', () => {
    const f = (x: F64): F64 => select(less(x, 0), exp(x), maximum(tanh(x), x.mul(0.3))).mul(sub(2, x)).sum();
    for (const at of [-1.3, -0.2, 0.4, 2.7]) {
      const h = 1e-5;
      const difference = (value(f(tensorOf(at + h))) - value(f(tensorOf(at - h)))) / (2 * h);
      expect(Math.abs(value(grad(f)(at)) - difference)).toBeLessThan(1e-9);
    }
    function tensorOf(number: number): F64 {
      return grad((z: F64) => z.mul(number))(1);
    }
  });
});

describe('trees', () => {
  type Params = { readonly weights: readonly [F64, F64]; readonly bias: F64; readonly label: TracedTensor<'int32'> };
  const loss = (p: Params, scale: F64): F64 => p.weights[0].mul(p.weights[1]).sum().add(p.bias.mul(scale));
  const params = { weights: [tensor([1, 2]), tensor([3, 4])] as const, bias: 5, label: tensor(Int32Array.of(1)) };

  it('gives a tree of the argument\'s structure, undefined at integer leaves', () => {
    const [result, gradient] = valueAndGrad(loss)(params, 10);
    const { value: total, gradient: found } = evaluate({ value: result, gradient }, engine);
    expect(total.item()).toBe(61);
    expect(found.weights.map((weight) => weight.toArray())).toEqual([[3, 4], [1, 2]]);
    expect(found.bias.item()).toBe(10);
    expect(found.label).toBeUndefined();
  });

  it('differentiates by the arguments that argnums names', () => {
    const [first, second] = grad(loss, { argnums: [0, 1] })(params, 10);
    expect(value(second)).toBe(5);
    expect(value(first.bias)).toBe(10);
    expect(value(grad(loss, { argnums: 1 })(params, 10))).toBe(5);
    expect(isTfError(thrown(() => grad(loss, { argnums: 2 as 1 })(params, 10)), 'ArgumentError')).toBe(true);
  });

  it('hands an auxiliary value through', () => {
    const [[total, aux], gradient] = valueAndGrad((x: F64) => [x.mul(x), { doubled: x.mul(2), note: 'kept' }] as const, { hasAux: true })(3);
    expect([value(total), value(aux.doubled), value(gradient)]).toEqual([9, 6, 6]);
    expect(aux.note).toBe('kept');
  });

  it('pulls cotangents of a tree back, zero where nothing flows', () => {
    const [, pullback] = vjp((x: F64, y: F64) => ({ product: x.mul(x), unused: y }), tensor([1, 2]), 4);
    const [x, y] = pullback({ product: tensor([10, 100]), unused: undefined });
    expect(evaluate(x, engine).toArray()).toEqual([20, 400]);
    expect(value(y)).toBe(0);
  });

  it('refuses cotangents and tangents that do not fit', () => {
    const [, pullback] = vjp((x: F64) => x.mul(x), tensor([1, 2]));
    expect(isTfError(thrown(() => pullback(tensor([1, 2, 3]))), 'ShapeError')).toBe(true);
    expect(isTfError(thrown(() => pullback(tensor(Float32Array.of(1, 2)) as never)), 'DTypeError')).toBe(true);
    expect(isTfError(thrown(() => pullback([tensor([1, 2])] as never)), 'ArgumentError')).toBe(true);
    expect(isTfError(thrown(() => jvp((x: F64) => x, [1], [] as never)), 'ArgumentError')).toBe(true);
  });
});

describe('bad input', () => {
  const x = input('x', { shape: [3] });
  const counts = input('counts', { dtype: 'int32' });

  it('refuses the gradient of what is no real scalar, and names the shape', () => {
    const error = thrown(() => x.mul(x).grad(x));
    expect(isTfError(error, 'NonScalarGradError') && error.fields['shape']).toEqual([3]);
  });

  it('refuses an inactive gradient and names gradOptional', () => {
    const error = thrown(() => x.sum().grad(input('other')));
    expect(isTfError(error, 'InactiveGradError')).toBe(true);
    expect((error as Error).message).toMatch(/"other".*gradOptional/s);
    expect(x.sum().gradOptional(input('other'))).toBeUndefined();
    expect(value(input('other').mul(0).sum().type.shape.length === 0 ? x.sum().grad(input('other'), { allowUnused: true }) : x)).toBe(0);
    expect(isTfError(thrown(() => grad((a: F64, _b: F64) => a, { argnums: 1 })(1, 2)), 'InactiveGradError')).toBe(true);
    expect(gradOptional((a: F64, _b: F64) => a, { argnums: 1 })(1, 2)).toBeUndefined();
  });

  it('refuses derivatives of and by integers', () => {
    expect(isTfError(thrown(() => (counts as TracedTensor).grad(x)), 'NotDifferentiableError')).toBe(true);
    expect(isTfError(thrown(() => x.sum().grad(counts as TracedTensor)), 'NotDifferentiableError')).toBe(true);
    expect(isTfError(thrown(() => grad((n: TracedTensor) => n.sum())(tensor(Int32Array.of(1)))), 'NotDifferentiableError')).toBe(true);
  });

  it('refuses functions that are asynchronous or return no scalar', () => {
    expect(isTfError(thrown(() => grad((async (a: F64) => a) as never)(1 as never)), 'AsyncCallbackError')).toBe(true);
    expect(isTfError(thrown(() => grad(((a: F64) => [a]) as never)(1 as never)), 'ArgumentError')).toBe(true);
  });

  it('refuses two contexts in one computation', () => {
    const [a, b] = [0, 1].map((at) => input(`in${at}`, { context: new AdContext({ catalog: createCatalog() }) })) as [F64, F64];
    expect(isTfError(thrown(() => a.add(b)), 'ContextMismatchError')).toBe(true);
    expect(isTfError(thrown(() => a.grad(a, { context: b.context! })), 'ContextMismatchError')).toBe(true);
  });
});

describe('derivative cache', () => {
  it('hits for equal structure at other leaves and other numbers', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const run = (name: string, factor: number): F64 => {
      const x = input(name, { shape: [4], context });
      const y = tanh(x.mul(factor)).sum();
      return y.grad(x);
    };
    run('a', 3);
    const before = context.stats();
    run('b', 7);
    const after = context.stats();
    expect([after.misses - before.misses, after.hits - before.hits]).toEqual([0, 1]);
  });

  it('does not grow with the history of what is differentiated', () => {
    const context = new AdContext({ catalog: createCatalog() });
    let x = input('x', { context });
    for (let step = 0; step < 50; step++) x = x.sub(grad((w: F64) => w.mul(w), { context })(x).mul(0.1));
    expect(context.stats()).toMatchObject({ misses: 1, hits: 49 });
  });
});
