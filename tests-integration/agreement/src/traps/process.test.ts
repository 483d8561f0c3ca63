import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, bundle } from './bundle.testing.ts';

let bundled: Bundle;
beforeAll(async () => {
  bundled = await bundle();
}, 120_000);
afterAll(() => bundled.remove());

const timeout = 70_000;

describe('a process', () => {
  test('one matmul, end: exits by itself with code 0, at once', { timeout }, () => {
    const printed = bundled.run(`
      import { core, cpu, traced } from './everything.mjs';
      const engine = await cpu.createEngine();
      const product = traced.jit((x) => x.matmul(x), { engine })(core.tensor(new Float64Array(64 * 64).fill(1), { shape: [64, 64] }));
      if (product.toArray()[0][0] !== 64) throw new Error('wrong');
      const done = performance.now();
      process.on('exit', () => console.log(performance.now() - done));
    `);
    expect(Number(printed)).toBeLessThan(2000);
  });

  test('threads of the engine keep no process alive, idle or asleep', { timeout }, () => {
    const printed = bundled.run(`
      import { core, cpu, traced } from './everything.mjs';
      const engine = await cpu.createEngine({ threads: 2 });
      const f = traced.jit((x) => x.matmul(x), { engine });
      const x = core.tensor(new Float64Array(512 * 512).fill(1), { shape: [512, 512] });
      for (let i = 0; i < 5; i++) if (f(x).toArray()[511][511] !== 512) throw new Error('wrong');
      console.log(engine.info.threads, engine.info.oneThread);
      const done = performance.now();
      process.on('exit', () => console.log(performance.now() - done));
    `);
    const [info, time] = printed.split('\n');
    expect(info).toBe('2 undefined');
    expect(Number(time)).toBeLessThan(3000);
  });

  test('an engine with threads in a worker thread, whose end is the end of all', { timeout }, () => {
    const printed = bundled.run(`
      import { Worker, isMainThread, parentPort } from 'node:worker_threads';
      import { core, cpu, traced } from './everything.mjs';
      const product = async () => {
        const engine = await cpu.createEngine({ threads: 2 });
        const f = traced.jit((x) => core.exp(x.matmul(x).mul(1e-3)), { engine });
        const x = core.tensor(Float64Array.from({ length: 512 * 512 }, (_, i) => Math.sin(i)), { shape: [512, 512] });
        const bits = [];
        for (let i = 0; i < 8; i++) bits.push((await f(x).data()).join());
        return [...new Set(bits)].join();
      };
      if (isMainThread) {
        const worker = new Worker(new URL(import.meta.url));
        const there = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject));
        console.log(there === await product());
        await worker.terminate();
      } else parentPort.postMessage(await product());
    `);
    expect(printed).toBe('true\n');
  });

  test('await of a result as the only pending work is delivered before the exit', { timeout }, () => {
    const printed = bundled.run(`
      import { core, cpu, eager, traced } from './everything.mjs';
      (async () => {
        const engine = await cpu.createEngine();
        const runtime = new eager.EagerRuntime();
        const squares = await runtime.sessionAsync(engine, async () => core.mul(runtime.constant([1, 2, 3]), 2).data());
        console.log(squares.join(), (await traced.evaluate(core.exp(core.tensor([0])), engine).data()).join());
      })();
    `);
    expect(printed).toBe('2,4,6 1\n');
  });

  test('without BigInt64Array: the import works, all but int64 too, and int64 says what is missing', { timeout }, () => {
    const printed = bundled.run(`
      delete globalThis.BigInt64Array;
      delete globalThis.BigUint64Array;
      const { core, cpu, traced } = await import('./everything.mjs');
      const engine = await cpu.createEngine();
      const f = traced.jit((x) => x.mul(x).sum(), { engine });
      console.log(f(core.tensor([1, 2])).item(), f(core.tensor(Float32Array.of(3))).item(), f(core.tensor(Int32Array.of(4))).item());
      try {
        console.log(String(core.zeros([2], { dtype: 'int64' }).add(core.tensor([1n, 2n]))));
      } catch (error) {
        console.log(core.isTfError(error), error.name, error.message);
      }
    `);
    const [values, refusal] = printed.split('\n');
    expect(values).toBe('5 9 16');
    expect(refusal).toMatch(/^true DTypeError int64 needs BigInt64Array.*use int32/);
  });
});

describe('two copies of the packages', () => {
  test('imported twice under two addresses: nothing is registered, and values, errors and extensions pass between them', { timeout }, () => {
    const printed = bundled.run(`
      const [a, b] = [await import('./everything.mjs?copy=1'), await import('./everything.mjs?copy=2')];
      ${exchange}
    `);
    expect(printed).toBe(exchanged);
  });

  test('one imported, one required: the same', { timeout }, () => {
    const printed = bundled.run(`
      import { createRequire } from 'node:module';
      const [a, b] = [await import('./everything.mjs'), createRequire(import.meta.url)('./everything.cjs')];
      ${exchange}
    `);
    expect(printed).toBe(exchanged);
  });
});

/** Values, an error and an extension of copy \`a\` used with copy \`b\`. */
const exchange = `
  if (a.core.add === b.core.add) throw new Error('this is one copy');
  const engine = await b.cpu.createEngine();
  const x = a.core.tensor([1, 2, 3]);
  console.log(b.traced.jit((y) => b.core.sum(b.core.mul(y, x)), { engine })(x).item());
  const runtime = new b.eager.EagerRuntime();
  const w = runtime.variable(x);
  runtime.session(engine, () => a.core.sum(a.core.mul(w, w)).backward());
  console.log(w.grad.toArray().join());
  try {
    a.core.add(x, [1]);
  } catch (error) {
    console.log(b.core.isTfError(error, 'ArgumentError'));
  }
  const twice = { id: 'test.twice.v1.twice', family: 'test.twice.v1', name: 'twice', infer: ([t]) => [a.core.tensorType(t.dtype, t.shape)], traits: { elementwise: () => [a.core.loop.mul(a.core.loop.constant('f64', 2), a.core.loop.argument('f64', 0))] } };
  const extension = { contract: 1, family: twice.family, package: 'test', version: '1.0.0', operations: [twice], rules: { twice: { kind: 'rule', linear: { inputs: [0], how: 'together' }, transpose: (_ctx, [ct]) => [a.core.mul(ct, 2)] } } };
  const context = new b.core.AdContext({ catalog: b.core.createCatalog([extension]) });
  const [slope] = b.traced.evaluate([b.traced.grad((y) => a.core.sum(a.core.mul(a.core.applyOperation(twice, [y], {})[0], y)), { context })(x)], engine);
  console.log(slope.toArray().join());
  try {
    b.core.createCatalog([extension, { ...extension }]);
  } catch (error) {
    console.log(error.name);
  }
`;
const exchanged = '14\n2,4,6\ntrue\n4,8,12\nExtensionError\n';
