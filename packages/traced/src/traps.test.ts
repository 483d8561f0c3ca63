import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AdContext, broadcastTo, createCatalog, exp, type Extension, isTfError, mul, neg, type Operation, reshape, sum, take, tanh, tensor, type TensorType, applyOperation, less, select } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, it } from 'vitest';
import { evaluate, grad, jacobianForward, jacobianReverse, jit, jvp, linearTranspose, trace, type TracedTensor } from './index.ts';

const engine = await createEngine();
type F64 = TracedTensor<'float64'>;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Lets finalizers run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('traps: tracing, jit, caches', () => {
  it('jit(f) over 1000 different lengths: bounded, and cleared on request', { timeout: 60_000 }, async () => {
    const f = jit((x: F64) => tanh(x).sum(), { engine });
    const sweep = (from: number): void => {
      for (let length = from; length < from + 1000; length++) f(new Float64Array(length)).dispose();
    };
    sweep(1);
    await settle();
    const before = { heap: process.memoryUsage().heapUsed, engine: engine.stats() };
    expect(f.stats()).toMatchObject({ entries: 256, misses: 1000, evictions: 744 });
    sweep(1001);
    await settle();
    expect(f.stats().entries).toBe(256);
    expect(process.memoryUsage().heapUsed - before.heap).toBeLessThan(8 * 2 ** 20);
    expect(engine.stats().liveBuffers).toBeLessThanOrEqual(before.engine.liveBuffers);
    expect(engine.stats().bytesInUse).toBeLessThanOrEqual(before.engine.bytesInUse + 2 ** 20);
    f.clear();
    expect(f.stats()).toMatchObject({ entries: 0, clears: 1 });
    expect(f(new Float64Array(3)).item()).toBe(0);
  });

  it('jit(x => x + big): big is freed after the drop, on the heap and on the engine', async () => {
    const bytes = 8 * 2 ** 20;
    const refs: WeakRef<object>[] = [];
    const run = (): void => {
      const before = engine.stats().bytesInUse;
      const big = tensor(new Float64Array(bytes / 8));
      const f = jit((x: F64) => x.add(big).sum(), { engine });
      refs.push(new WeakRef(big), new WeakRef(f));
      expect(f(1).item()).toBe(bytes / 8);
      expect(engine.stats().bytesInUse - before).toBeGreaterThanOrEqual(bytes);
    };
    run();
    await settle();
    expect(refs.map((ref) => ref.deref())).toEqual([undefined, undefined]);
    // What stays is the arena for temporaries that all plans share; it does not grow with the second run.
    const after = engine.stats();
    run();
    await settle();
    expect(engine.stats().bytesInUse).toBeLessThanOrEqual(after.bytesInUse + 4096);
    expect(engine.stats().liveBuffers).toBe(0);
  });

  it('clear() lets captures go while the function is kept', async () => {
    const refs: WeakRef<object>[] = [];
    const capture = { current: undefined as object | undefined };
    const f = jit((x: F64) => x.add(capture.current as never).sum(), { engine });
    const run = (): void => {
      capture.current = tensor(new Float64Array(1000));
      refs.push(new WeakRef(capture.current));
      f(1);
      capture.current = undefined;
    };
    run();
    await settle();
    expect(refs[0]!.deref()).not.toBeUndefined();
    f.clear();
    await settle();
    expect(refs[0]!.deref()).toBeUndefined();
  });

  it('let key; jit(x => { key = next(key) … }): touching key later raises, naming function and operation', () => {
    let state: unknown;
    const step = (x: F64): F64 => {
      state = state === undefined ? x : mul(state as F64, x);
      return x.mul(2);
    };
    jit(step, { engine })(3);
    const touched = [() => jit((y: F64) => y.mul(state as F64), { engine, name: 'later' })(1), () => evaluate(state as F64, engine)];
    touched.forEach((touch, at) => {
      const error = thrown(touch) as Error;
      expect(isTfError(error, 'TracerLeakError')).toBe(true);
      expect(error.message).toMatch(at === 0 ? /jit\(later\).*jit\(step\)/ : /evaluate.*jit\(step\)/);
    });
  });

  it('v={val:100}; add(v,1)=101; v.val=0; add(v,1) → 1: data are read at each call', () => {
    const add = jit((v: { readonly val: F64 }, by: F64) => v.val.add(by), { engine });
    const v = { val: 100 };
    for (const [val, expected] of [[100, 101], [0, 1], [0, 1], [-1, 0]] as const) {
      v.val = val;
      expect(add(v, 1).item()).toBe(expected);
    }
    expect(add.stats().misses).toBe(1);
  });

  it('broadcastTo(x,[2,3]) 1000 times with a new array each → one program', () => {
    const context = new AdContext({ catalog: createCatalog() });
    const f = (x: F64): F64 => sum(mul(broadcastTo(x, [2, 3]), reshape(x, [1, 3])));
    const run = jit((x: F64) => f(x), { engine });
    const before = engine.stats().plansCompiled;
    for (let call = 0; call < 1000; call++) {
      run(tensor([1, 2, call]));
      grad(f, { context })(tensor([1, 2, 3]));
    }
    expect(engine.stats().plansCompiled - before).toBe(1);
    expect(run.stats()).toMatchObject({ misses: 1, hits: 999 });
    expect(context.stats()).toMatchObject({ misses: 1, hits: 999 });
  });

  it('depth 20 of nested selects, jits and transforms costs less than 4 times depth 10', { retry: 3 }, () => {
    const nest: Readonly<Record<string, (depth: number) => (x: F64) => F64>> = {
      select: (depth) => (x) => {
        let y: F64 = x;
        for (let at = 0; at < depth; at++) y = select(less(y, at), y.mul(2), y.sub(1));
        return y;
      },
      jit: (depth) => {
        let f = (x: F64): F64 => x.mul(x);
        for (let at = 0; at < depth; at++) {
          const inner = jit(f, { engine });
          f = (x) => inner(x).mul(0.5);
        }
        return f;
      },
      jvp: (depth) => {
        let f = (x: F64): F64 => x.mul(0.5);
        for (let at = 0; at < depth; at++) {
          const inner = f;
          f = (x) => jvp((v: F64) => inner(v), [x], [1])[1].add(x);
        }
        return f;
      },
      'captured grad': (depth) => {
        let f = (x: F64): F64 => x;
        for (let at = 0; at < depth; at++) {
          const inner = f;
          f = (x) => x.mul(grad((y: F64) => y.mul(x))(1)).add(inner(x));
        }
        return f;
      },
    };
    for (const build of Object.values(nest)) {
      const time = (depth: number): number => {
        const started = performance.now();
        for (let round = 0; round < 5; round++) jit(build(depth), { engine })(1);
        return performance.now() - started;
      };
      time(10);
      const [short, long] = [0, 1, 2].map(() => [time(10), time(20)] as const).reduce((best, pair) => (pair[1] / pair[0] < best[1] / best[0] ? pair : best));
      expect(long).toBeLessThan(1000);
      expect(long / short).toBeLessThan(4);
    }
  });

  it('nested grad of one function to depth 6 is right, and depth 20 of alternating captures too', () => {
    let f = (x: F64): F64 => x.mul(x).mul(x).mul(x).mul(x).mul(x);
    const found: F64[] = [];
    for (let order = 0; order < 6; order++) {
      const next = grad(f);
      found.push(next(1));
      f = next;
    }
    expect(evaluate(found, engine).map((x) => x.item())).toEqual([6, 30, 120, 360, 720, 720]);
    let g = (x: F64): F64 => x;
    for (let depth = 0; depth < 20; depth++) {
      const inner = g;
      g = (x) => inner(grad((y: F64) => y.mul(x))(x));
    }
    expect(evaluate(grad(g)(3), engine).item()).toBe(1);
  });
});

describe('traps: eager autograd, the lines about nesting', () => {
  it('a=1; xa=x*a; f=x*xa + x*xa + (x*x)*a, x=1 → 6 both on the first and the second run', () => {
    const f = jit(grad((x: F64) => {
      const a = tensor(1);
      const xa = x.mul(a);
      return x.mul(xa).add(x.mul(xa)).add(x.mul(x).mul(a));
    }), { engine });
    expect([f(1).item(), f(1).item()]).toEqual([6, 6]);
  });

  it('J=jac(v=>v^3)(x); g=grad(b=>sum(J@x+b)) → ones(3) under jit and by jvp', () => {
    const x = tensor([1, 2, 3]);
    const f = (b: F64): F64 => sum(jacobianReverse((v: F64) => v.mul(v).mul(v))(x).mul(x)).add(b.sum());
    expect(jit(grad(f), { engine })(tensor([4, 5, 6])).toArray()).toEqual([1, 1, 1]);
    expect(evaluate(jvp(f, [tensor([4, 5, 6])], [tensor([1, 1, 1])])[1], engine).item()).toBe(3);
    // Where the outer variable is the inner point too, the second derivative counts: d/dx Σ 3x²·c = 6x·c.
    const active = grad((v: F64) => sum(grad((z: F64) => z.mul(z).mul(z).sum())(v).mul(x)));
    expect(evaluate(active(x), engine).toArray()).toEqual([6, 24, 54]);
  });
});

describe('traps: precision, memory', () => {
  it('element count >= 2^31, 2^32 (65536x65536 by broadcast): a clear error before allocation', () => {
    const before = engine.stats().bytesInUse;
    for (const shape of [[65536, 65536], [2 ** 27, 2 ** 27]]) {
      const error = thrown(() => jit((x: F64) => exp(broadcastTo(x, shape)), { engine })(1)) as Error;
      expect(isTfError(error) ? '' : String(error)).toBe('');
      expect(isTfError(error, 'InvariantError')).toBe(false);
    }
    expect(engine.stats().bytesInUse).toBeLessThan(before + 4096);
  });
});

describe('traps: third-party authors', () => {
  const type = ([x]: readonly TensorType[]): readonly TensorType[] => [x as TensorType];
  const operation = (name: string): Operation => ({ id: `acme.x.${name}`, family: 'acme.x', name, infer: type, traits: { elementwise: (_params, [dtype]) => [{ op: 'neg', type: dtype as 'float64', args: [{ op: 'read', type: dtype as 'float64', index: 0 }] } as never] } });
  const [opaque, known] = [operation('opaque'), operation('known')];
  const extension: Extension = {
    contract: 1, family: 'acme.x', package: '@acme/x', version: '1.0.0', operations: [opaque, known],
    rules: {
      opaque: { kind: 'none', reason: 'its author has not written one' },
      known: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose: (_ctx, [ct]) => [ct === undefined ? undefined : (neg(ct) as never)] },
    },
  };
  const applied = (op: Operation, x: F64): F64 => applyOperation(op, [x], {})[0] as F64;

  it('an operation without a rule: grad and jvp name family, operation and mode; late registration misses no cache', () => {
    const base = new AdContext({ catalog: createCatalog() });
    const f = (x: F64): F64 => applied(known, x.mul(2));
    const missing = thrown(() => grad(f, { context: base })(3)) as Error;
    expect(isTfError(missing, 'UnregisteredFamilyError') && missing.message).toMatch(/acme\.x/);
    const context = base.with(extension);
    expect(trace(grad(f, { context }), 3).toString()).toContain('neg');
    expect(isTfError(thrown(() => grad(f, { context: base })(3)), 'UnregisteredFamilyError')).toBe(true);
    for (const [mode, run] of [['vjp', () => grad((x: F64) => applied(opaque, x), { context })(3)], ['jvp', () => jvp((x: F64) => applied(opaque, x), [3], [1], { context })]] as const) {
      const error = thrown(run);
      expect(isTfError(error, 'UnsupportedRuleError') && error.fields).toMatchObject({ family: 'acme.x', op: 'acme.x.opaque' });
      expect((error as Error).message).toMatch(new RegExp(`acme\\.x\\.opaque.*${mode}.*its author`));
    }
  });

  it('f(x, idx) with integer idx, under jit and Jacobians: idx has no derivative', () => {
    const f = (x: F64, idx: TracedTensor<'int32'>): F64 => mul(take(x, idx), take(x, idx));
    const [x, idx] = [tensor([1, 2, 3]), tensor(Int32Array.of(2, 0))];
    for (const jacobian of [jacobianForward, jacobianReverse]) {
      expect(jit((v: F64, i: TracedTensor<'int32'>) => jacobian(f)(v, i), { engine })(x, idx).toArray()).toEqual([[0, 0, 6], [2, 0, 0]]);
      expect(isTfError(thrown(() => jacobian(f as (x: F64, idx: TracedTensor) => F64, { argnums: 1 })(x, idx)), 'NotDifferentiableError')).toBe(true);
    }
    const [back, none] = linearTranspose((v: F64, i: TracedTensor<'int32'>) => take(v, i), x, idx)(tensor([10, 20]));
    expect(evaluate(back, engine).toArray()).toEqual([20, 0, 10]);
    expect(none).toBeUndefined();
  });
});
