import { add, mul, sum, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { describe, expect, test } from 'vitest';
import { EagerRuntime, type EagerTensor, type EagerVariable, type TensorScope } from './index.ts';

const engine = await createEngine();

function errorOf(run: () => unknown): { name: string; message: string; fields: Record<string, unknown> } {
  try {
    run();
  } catch (error) {
    return error as never;
  }
  throw new Error('nothing was thrown');
}

/** A runtime in a session, and how many buffers live more than before. */
function inSession(run: (runtime: EagerRuntime, x: EagerVariable<'float64'>, grown: () => number) => void): void {
  const runtime = new EagerRuntime();
  runtime.session(engine, () => {
    const x = runtime.variable([1, 2, 3]);
    add(x, 0).dispose();
    const before = engine.stats().liveBuffers;
    run(runtime, x, () => engine.stats().liveBuffers - before);
  });
}

describe('a scope frees at its end', () => {
  test('what was made inside, and names itself when that is used', () => {
    inSession((runtime, x, grown) => {
      let escaped: EagerTensor | undefined;
      const result = runtime.scope(function step() {
        escaped = mul(x, x);
        return add(escaped, 1).toArray();
      });
      expect(result).toEqual([2, 5, 10]);
      expect(grown()).toBe(0);
      const error = errorOf(() => add(escaped!, 1));
      expect(error.name).toBe('DisposedError');
      expect(error.message).toMatch(/scope "step" ended.*keep/s);
      expect(error.fields['scope']).toBe('scope "step"');
      expect(errorOf(() => escaped!.toArray()).message).toContain('scope "step"');
      expect(errorOf(() => runtime.grad(escaped!, x)).message).toContain('scope "step"');
      expect(errorOf(() => runtime.variable(escaped!)).message).toContain('scope "step"');
      escaped!.dispose();
    });
  });

  test('its name is given, or the callback’s', () => {
    inSession((runtime, x) => {
      let escaped: EagerTensor | undefined;
      runtime.scope(() => { escaped = add(x, 1); }, { name: 'evaluation' });
      expect(errorOf(() => add(escaped!, 1)).message).toContain('scope "evaluation"');
      const names = [0, 1].map(() => runtime.scope((s) => s.name));
      expect(new Set(names).size).toBe(2);
    });
  });

  test('also when the callback throws, or returns a promise', async () => {
    let pending: Promise<unknown> | undefined;
    inSession((runtime, x, grown) => {
      expect(errorOf(() => runtime.scope(() => { add(x, 1); throw new Error('mine'); })).message).toBe('mine');
      expect(errorOf(() => runtime.scope(() => (pending = Promise.resolve(add(x, 1))))).name).toBe('AsyncCallbackError');
      expect(grown()).toBe(0);
      expect(add(x, 1).toArray()).toEqual([2, 3, 4]);
    });
    await pending;
  });

  test('variables and constants too', () => {
    inSession((runtime, x, grown) => {
      runtime.scope(() => {
        const w = runtime.variable([1, 2, 3]);
        sum(mul(mul(w, x), runtime.constant([4, 5, 6]))).backward();
        expect(w.grad?.toArray()).toEqual([4, 10, 18]);
      });
      x.clearGrad();
      expect(grown()).toBe(0);
    });
  });
});

describe('a scope keeps', () => {
  test('what is returned, anywhere in a tree', () => {
    inSession((runtime, x, grown) => {
      interface Tree { readonly list: readonly EagerTensor[]; readonly map: ReadonlyMap<string, EagerTensor>; readonly set: ReadonlySet<EagerTensor>; self?: Tree }
      const tree = runtime.scope((): Tree => {
        const made: Tree = { list: [add(x, 1), add(x, 2)], map: new Map([['three', add(x, 3)]]), set: new Set([add(x, 4)]) };
        made.self = made;
        add(x, 5);
        return made;
      });
      expect([...tree.list, ...tree.map.values(), ...tree.set].map((t) => (t.toArray() as number[])[0])).toEqual([2, 3, 4, 5]);
      expect(grown()).toBe(4);
    });
  });

  test('what scope.keep is given', () => {
    inSession((runtime, x, grown) => {
      let kept: EagerTensor | undefined;
      runtime.scope((s) => { kept = s.keep({ deep: [add(x, 1)] }).deep[0]; });
      expect(kept?.toArray()).toEqual([2, 3, 4]);
      expect(grown()).toBe(1);
    });
  });

  test('what a variable was assigned, gradients, and what a live trace needs', () => {
    inSession((runtime, x) => {
      const c = runtime.constant([1, 10, 100]);
      const loss = runtime.scope(() => {
        const h = mul(x, c);
        const y = sum(mul(h, h));
        y.backward();
        runtime.noGrad(() => x.assign(add(x, 1)));
        return y;
      });
      expect(x.grad?.toArray()).toEqual([2, 400, 60_000]);
      expect(x.toArray()).toEqual([2, 3, 4]);
      loss.backward();
      expect(x.grad?.toArray()).toEqual([4, 800, 120_000]);
      expect(runtime.grad(loss, x).toArray()).toEqual([2, 400, 60_000]);
    });
  });

  test('tensors from outside untouched', () => {
    inSession((runtime, x) => {
      const y = add(x, 1);
      runtime.scope(() => add(y, 1));
      expect(y.toArray()).toEqual([2, 3, 4]);
    });
  });
});

describe('nested scopes', () => {
  test('what leaves the inner one belongs to the outer one', () => {
    inSession((runtime, x, grown) => {
      let inner: EagerTensor | undefined;
      const outer = runtime.scope(() => {
        inner = runtime.scope(() => add(x, 1), { name: 'inner' });
        expect(inner.toArray()).toEqual([2, 3, 4]);
        return add(inner, 1);
      }, { name: 'outer' });
      expect(outer.toArray()).toEqual([3, 4, 5]);
      expect(errorOf(() => inner!.toArray()).message).toContain('scope "outer"');
      expect(grown()).toBe(1);
    });
  });

  test('the outer one can keep what the inner one makes', () => {
    inSession((runtime, x, grown) => {
      let kept: EagerTensor | undefined;
      runtime.scope((outer: TensorScope) => {
        runtime.scope(() => { kept = outer.keep(add(x, 1)); });
      });
      expect(kept?.toArray()).toEqual([2, 3, 4]);
      expect(grown()).toBe(1);
    });
  });

  test('noGrad and sessions inside are part of the scope', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    let made: EagerTensor | undefined;
    runtime.scope(() => runtime.session(engine, () => runtime.noGrad(() => { made = add(x, tensor([1, 1, 1])); })));
    expect(errorOf(() => made!.toArray()).name).toBe('DisposedError');
  });

  test('a lease that outlives the scope gives it nothing more to free', () => {
    const runtime = new EagerRuntime();
    const x = runtime.variable([1, 2, 3]);
    const lease = runtime.scope(() => runtime.open(engine));
    expect(add(x, 1).toArray()).toEqual([2, 3, 4]);
    lease.dispose();
  });
});

test('a training step in a scope leaves no buffer behind', () => {
  inSession((runtime, x) => {
    const counts: number[] = [];
    for (let step = 0; step < 20; step++) {
      runtime.scope(() => {
        const h = mul(x, runtime.constant([1, 2, 3]));
        sum(mul(h, h)).backward();
        runtime.noGrad(() => x.assign(add(x, mul(x.grad!, -0.001))));
        x.clearGrad();
      });
      counts.push(engine.stats().liveBuffers);
    }
    expect(new Set(counts.slice(1)).size).toBe(1);
  });
});

test('freeing 20 000 tensors of one trace does not overflow the stack', () => {
  inSession((runtime, x, grown) => {
    runtime.scope(() => {
      let y: EagerTensor = x;
      for (let step = 0; step < 20_000; step++) y = mul(y, x);
    });
    expect(grown()).toBeLessThanOrEqual(0);
  });
});
