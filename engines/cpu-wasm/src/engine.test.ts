import { type Engine, loop, symbolicDim, tensorType } from '@tf/core';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTunedEngine } from './engine.ts';
import { createEngine, createEngineSync } from './index.ts';
import { guarded } from './testing/mode.ts';
import { argumentOf, constantBuffer, contractPlan, copyPlan, elementwisePlan, loopStep, planOf, reductionPlan, viewOf } from './testing/plans.ts';
import { randomValues } from './testing/values.ts';

const double = loop.add(argumentOf('float64', 0), argumentOf('float64', 0));
const doublePlan = (n: number): ReturnType<typeof elementwisePlan> => elementwisePlan(['float64'], 'float64', [n], double);
const named = (name: string, fields?: object): unknown => expect.objectContaining({ name, ...(fields === undefined ? {} : { fields: expect.objectContaining(fields) as unknown }) });
const MiB = 2 ** 20;

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('an engine', () => {
  test('says what it is', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
    const engine = await createEngine();
    expect(engine.info).toEqual({ name: 'cpu-wasm', version, dtypes: ['float32', 'float64', 'complex64', 'complex128', 'int32', 'int64', 'bool'], threads: engine.info.threads, oneThread: engine.info.threads === 1 ? 'the option threads was not given' : undefined, sharedMemory: true, numerics: expect.stringMatching(/^wasm-simd128( fused-contractions)?$/) as string });
    expect((await createEngine({ memory: { shared: false } })).info.sharedMemory).toBe(false);
    vi.stubGlobal('SharedArrayBuffer', undefined);
    expect((await createEngine()).info.sharedMemory).toBe(false);
  });

  test.each([true, false])('gives the same values with shared memory: %s', (shared) => {
    const engine = createEngineSync({ memory: { shared } });
    const x = engine.upload('float64', [3], Float64Array.of(1, 2, 3));
    expect(engine.read(engine.compile(doublePlan(3)).run([x])[0]!)).toEqual(Float64Array.of(2, 4, 6));
    const [product] = engine.compile(contractPlan({ dtype: 'float64', m: 2, n: 2, k: 2 })).run([{ data: Float64Array.of(1, 2, 3, 4), shape: [2, 2] }, { data: Float64Array.of(1, 0, 1, 1), shape: [2, 2] }]);
    expect(engine.read(product!)).toEqual(Float64Array.of(3, 2, 7, 4));
  });

  test('is unavailable without WebAssembly, without SIMD, or under a policy that forbids it', async () => {
    const real = WebAssembly;
    vi.stubGlobal('WebAssembly', { ...real, validate: () => false });
    await expect(createEngine()).rejects.toThrow(named('EngineUnavailableError'));
    const refuse = class {
      constructor() {
        throw new EvalError('violates Content Security Policy');
      }
    };
    vi.stubGlobal('WebAssembly', { validate: () => true, Module: refuse });
    await expect(createEngine()).rejects.toThrow(/'wasm-unsafe-eval'/);
    vi.stubGlobal('WebAssembly', undefined);
    await expect(createEngine()).rejects.toThrow(/has no WebAssembly/);
  });

  test.skipIf(guarded)('starts no larger than its maximum', () => {
    expect(createEngineSync({ memory: { maximumBytes: 2 * MiB } }).stats().bytesReserved).toBe(2 * MiB);
    expect(createEngineSync().stats().bytesReserved).toBe(4 * MiB);
  });

  test('refuses memory sizes that make no sense', () => {
    for (const memory of [{ initialBytes: 3 * MiB, maximumBytes: 2 * MiB }, { maximumBytes: 2 ** 33 }, { initialBytes: -1 }, { initialBytes: NaN }]) {
      expect(() => createEngineSync({ memory })).toThrow(named('ArgumentError'));
    }
  });

  test('copies between host and memory, every dtype', () => {
    const engine = createEngineSync();
    for (const dtype of engine.info.dtypes) {
      const data = randomValues(dtype, 1000);
      const buffer = engine.upload(dtype, [10, 100], data);
      const [copied] = engine.compile(copyPlan(dtype, 1000)).run([engine.upload(dtype, [1000], data)]);
      const before = engine.read(buffer);
      expect(before).toEqual(data);
      expect(engine.read(copied!)).toEqual(data);
      data.fill((dtype === 'int64' ? 0n : 0) as never);
      before.fill((dtype === 'int64' ? 0n : 0) as never);
      expect(engine.read(buffer)).toEqual(randomValues(dtype, 1000));
    }
    expect([...(engine.read(engine.upload('bool', [3], Uint8Array.of(0, 2, 255))) as Uint8Array)]).toEqual([0, 1, 1]);
    expect(engine.read(engine.upload('float64', [0], new Float64Array(0)))).toEqual(new Float64Array(0));
  });

  test('refuses data that do not fit dtype or shape', () => {
    const engine = createEngineSync();
    expect(() => engine.upload('float64', [3], new Float64Array(2))).toThrow(named('DataLengthError', { expected: 3, got: 2 }));
    expect(() => engine.upload('float64', [3], new Float32Array(3))).toThrow(named('DTypeError'));
    expect(() => engine.upload('float64', [-1], new Float64Array(0))).toThrow(named('ShapeError'));
    expect(() => engine.upload('complex128', [3], new Float64Array(3))).toThrow(named('DataLengthError', { expected: 6, got: 3 }));
    expect(() => engine.upload('int64', [3], new Int32Array(3))).toThrow(named('DTypeError'));
    const dtype = 'float16' as never;
    expect(() => engine.upload(dtype, [0], new Float64Array(0))).toThrow(named('UnsupportedOnEngineError', { engine: 'cpu-wasm', dtype }));
    const plan = copyPlan('float64', 3);
    expect(() => engine.compile({ ...plan, buffers: plan.buffers.map((buffer) => ({ ...buffer, dtype })) })).toThrow(named('UnsupportedOnEngineError', { engine: 'cpu-wasm', dtype }));
  });
});

describe('compile', () => {
  test('gives one executable for equal plans, by identity and by value', () => {
    const engine = createEngineSync();
    const plan = doublePlan(3);
    expect(engine.compile(plan)).toBe(engine.compile(plan));
    expect(engine.compile(doublePlan(3))).toBe(engine.compile(plan));
    expect(engine.compile(doublePlan(4))).not.toBe(engine.compile(plan));
    expect(engine.stats().plansCompiled).toBe(2);
  });

  test('tells constants apart by their bits, and uploads them once', () => {
    const engine = createEngineSync();
    const plan = (value: number): ReturnType<typeof planOf> =>
      planOf({ inputs: [], outputs: [tensorType('float64', [1])], more: [constantBuffer('float64', Float64Array.of(value))], steps: [{ kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 1, offset: 0 }, to: { buffer: 0, offset: 0 } }] });
    for (const value of [0, -0, NaN, 1]) {
      const executable = engine.compile(plan(value));
      expect(engine.compile(plan(value))).toBe(executable);
      const [a, b] = [executable.run([])[0]!, executable.run([])[0]!];
      expect([engine.read(a)[0], engine.read(b)[0]]).toEqual([value, value]);
    }
    expect([engine.stats().plansCompiled, engine.stats().modulesCompiled]).toEqual([4, 1]);
  });

  test('keeps a bounded number of plans; what is held goes on working', () => {
    const engine = createEngineSync();
    const first = engine.compile(doublePlan(1));
    for (let n = 2; n < 400; n++) engine.compile(doublePlan(n));
    expect(engine.read(first.run([{ data: Float64Array.of(3), shape: [1] }])[0]!)).toEqual(Float64Array.of(6));
    engine.compile(doublePlan(1));
    expect([engine.stats().plansCompiled, engine.stats().modulesCompiled]).toEqual([400, 1]);
  });

  test('refuses malformed plans as faults of the planner', () => {
    const engine = createEngineSync();
    const plan = doublePlan(3);
    expect(() => engine.compile({ ...plan, contract: 2 as never })).toThrow(named('ExtensionError'));
    expect(() => engine.compile({ ...plan, buffers: plan.buffers.slice(0, 1) })).toThrow(named('InvariantError'));
    expect(() => engine.compile({ ...plan, steps: [loopStep(['float64'], 'float64', [3], [viewOf(7, [1])], viewOf(1, [1]), double)] })).toThrow(named('InvariantError'));
  });
});

describe('buffers', () => {
  const setUp = (): { readonly engine: Engine; readonly x: ReturnType<Engine['upload']> } => {
    const engine = createEngineSync();
    return { engine, x: engine.upload('float64', [3], Float64Array.of(1, 2, 3)) };
  };

  test('are given back by dispose, once', () => {
    const { engine, x } = setUp();
    const { bytesInUse, liveBuffers } = engine.stats();
    const y = engine.upload('float64', [1000], new Float64Array(1000));
    expect(engine.stats().liveBuffers).toBe(liveBuffers + 1);
    y.dispose();
    y.dispose();
    expect([engine.stats().bytesInUse, engine.stats().liveBuffers, y.disposed, x.disposed]).toEqual([bytesInUse, liveBuffers, true, false]);
    expect(() => engine.read(y)).toThrow(named('DisposedError'));
    expect(() => engine.compile(doublePlan(1000)).run([y])).toThrow(named('DisposedError', { argument: 'input 0' }));
  });

  test('of another engine are foreign', () => {
    const { engine, x } = setUp();
    const other = createEngineSync();
    expect(() => other.read(x)).toThrow(named('ForeignValueError'));
    expect(() => other.compile(doublePlan(3)).run([x])).toThrow(named('ForeignValueError', { argument: 'input 0' }));
    expect(() => engine.compile(doublePlan(3)).run([{ engine, dtype: 'float64', shape: [3], disposed: false, dispose: () => undefined }])).toThrow(named('ForeignValueError'));
  });

  test('outlive their neighbours and many growths of the memory, in place', () => {
    const engine = createTunedEngine({ memory: { initialBytes: 65536 * 3 } }, { budgetBytes: 64 * MiB });
    const executable = engine.compile(doublePlan(1000));
    const kept = Array.from({ length: 60 }, (_, i) => {
      const x = engine.upload('float64', [1000], new Float64Array(1000).fill(i));
      engine.upload('float64', [20000], new Float64Array(20000).fill(-1)).dispose();
      return [x, executable.run([x])[0]!, engine.upload('float64', [30000 + 1000 * i], new Float64Array(30000 + 1000 * i).fill(-2))] as const;
    });
    expect(engine.stats().bytesReserved).toBeGreaterThan(20 * MiB);
    kept.forEach(([x, y], i) => {
      expect(engine.read(x)).toEqual(new Float64Array(1000).fill(i));
      expect(engine.read(y)).toEqual(new Float64Array(1000).fill(2 * i));
    });
  });

  test('that nobody holds are freed when the event loop turns after a collection', async () => {
    const engine = createEngineSync();
    const executable = engine.compile(doublePlan(8));
    const kept = executable.run([{ data: new Float64Array(8), shape: [8] }])[0]!;
    for (let i = 0; i < 500; i++) executable.run([kept]);
    expect(engine.stats().liveBuffers).toBe(501);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // What is small dies in pages of 64, and `kept` is on one.
    for (const end = Date.now() + 15_000; engine.stats().liveBuffers > 64 && Date.now() < end; ) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(engine.stats().liveBuffers).toBe(64);
    expect(engine.read(kept)).toEqual(new Float64Array(8));
  });
});

describe('limits', () => {
  test('more than the maximum is a TooLargeError with sizes and advice; then smaller work succeeds', () => {
    const engine = createEngineSync({ memory: { maximumBytes: 8 * MiB } });
    const big = engine.compile(elementwisePlan([], 'float64', [2 * MiB], loop.constant('f64', 1)));
    expect(() => big.run([])).toThrow(named('TooLargeError', { requested: 16 * MiB, maximum: 8 * MiB }));
    expect(() => big.run([])).toThrow(/Dispose tensors/);
    expect(() => engine.upload('float64', [2 * MiB], new Float64Array(2 * MiB))).toThrow(named('TooLargeError'));
    expect(engine.stats().liveBuffers).toBe(0);
    expect(engine.read(engine.compile(doublePlan(2)).run([{ data: Float64Array.of(1, 2), shape: [2] }])[0]!)).toEqual(Float64Array.of(2, 4));
  });

  test('a failing run gives back what it had taken', () => {
    const engine = createEngineSync({ memory: { maximumBytes: 8 * MiB } });
    const n = MiB / 8;
    const step = (buffer: number): ReturnType<typeof loopStep> => loopStep([], 'float64', [n], [], viewOf(buffer, [1]), loop.constant('f64', 1));
    const types = Array.from({ length: 10 }, () => tensorType('float64', [n]));
    const executable = engine.compile(planOf({ inputs: [], outputs: types, steps: types.map((_, i) => step(i)) }));
    const before = engine.stats().bytesInUse;
    expect(() => executable.run([])).toThrow(named('TooLargeError'));
    expect([engine.stats().bytesInUse, engine.stats().liveBuffers]).toEqual([before, 0]);
  });

  test.skipIf(guarded)('an idle arena makes room for what is needed now', () => {
    const engine = createEngineSync({ memory: { maximumBytes: 8 * MiB } });
    const n = (5 * MiB) / 8;
    const fill = loopStep([], 'float64', [n], [], viewOf(1, [1]), loop.constant('f64', 4));
    const plan = planOf({ inputs: [], outputs: [tensorType('float64', [1])], more: [{ dtype: 'float64', elements: n, place: { kind: 'arena', slot: 0 } }], slots: [[8 * n]], steps: [fill, { kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 1, offset: n - 1 }, to: { buffer: 0, offset: 0 } }] });
    const executable = engine.compile(plan);
    for (let round = 0; round < 3; round++) {
      expect(engine.read(executable.run([])[0]!)).toEqual(Float64Array.of(4));
      engine.upload('float64', [n], new Float64Array(n)).dispose();
    }
  });

  test('a plan follows the arena when a larger plan has moved it', () => {
    const engine = createEngineSync();
    const through = (n: number): ReturnType<typeof planOf> =>
      planOf({
        inputs: [tensorType('float64', [n])],
        outputs: [tensorType('float64', [n])],
        more: [{ dtype: 'float64', elements: n, place: { kind: 'arena', slot: 0 } }],
        slots: [[8 * n]],
        steps: [loopStep(['float64'], 'float64', [n], [viewOf(0, [1])], viewOf(2, [1]), double), loopStep(['float64'], 'float64', [n], [viewOf(2, [1])], viewOf(1, [1]), double)],
      });
    const [small, large] = [engine.compile(through(2000)), engine.compile(through(20000))];
    const ones = (n: number): { readonly data: Float64Array; readonly shape: readonly number[] } => ({ data: new Float64Array(n).fill(1), shape: [n] });
    small.run([ones(2000)])[0]!.dispose();
    large.run([ones(20000)])[0]!.dispose();
    const bystanders = Array.from({ length: 20 }, (_, i) => engine.upload('float64', [2000], new Float64Array(2000).fill(-i)));
    expect(engine.read(small.run([ones(2000)])[0]!)).toEqual(new Float64Array(2000).fill(4));
    bystanders.forEach((buffer, i) => expect(engine.read(buffer)).toEqual(new Float64Array(2000).fill(-i)));
  });

  test.skipIf(guarded)('sizes beyond 2^32 bytes or loop steps are refused before anything is allocated', () => {
    const engine = createEngineSync();
    const n = symbolicDim('n');
    const before = engine.stats().bytesReserved;
    expect(() => engine.compile(elementwisePlan([], 'float64', [2 ** 16, 2 ** 16], loop.constant('f64', 1))).run([])).toThrow(named('TooLargeError', { requested: 2 ** 35 }));
    const kernel = { rank: 3, reads: [{ dtype: 'float64', inner: 'broadcast' }], writes: [{ dtype: 'float64', inner: 'contiguous' }], body: [argumentOf('float64', 0)], reduce: { monoid: 'sum', axes: 2 } } as const;
    const endless = planOf({ inputs: [tensorType('float64', [n])], outputs: [tensorType('float64', [n])], steps: [{ kind: 'loop', kernel, extents: [n, 2 ** 16, 2 ** 16], reads: [viewOf(0, [1, 0, 0])], writes: [viewOf(1, [1])] }] });
    expect(() => engine.compile(endless).run([{ data: new Float64Array(1), shape: [1] }])).toThrow(named('TooLargeError'));
    expect(engine.stats().bytesReserved).toBe(before);
  });

  test('a trap is an EngineFaultError with step and kernel, and the engine works on', () => {
    const engine = createEngineSync();
    const far = loopStep(['float64'], 'float64', [3], [viewOf(0, [1], 2 ** 28)], viewOf(1, [1]), double);
    const good = loopStep(['float64'], 'float64', [3], [viewOf(0, [1])], viewOf(1, [1]), loop.neg(argumentOf('float64', 0)));
    const type = tensorType('float64', [3]);
    const executable = engine.compile(planOf({ inputs: [type], outputs: [type], steps: [good, far] }));
    const input = { data: Float64Array.of(1, 2, 3), shape: [3] };
    expect(() => executable.run([input])).toThrow(named('EngineFaultError', { step: 1 }));
    expect(() => executable.run([input])).toThrow(/step 1 of the plan trapped.*\n.*\nkernel rank 1\nread 0 float64 contiguous/);
    expect(engine.stats().liveBuffers).toBe(0);
    expect(engine.read(engine.compile(doublePlan(3)).run([input])[0]!)).toEqual(Float64Array.of(2, 4, 6));
  });

  test.skipIf(guarded)('1e5 runs whose outputs are disposed take no more memory than one', () => {
    const engine = createEngineSync();
    const executable = engine.compile(doublePlan(64));
    let x = engine.upload('float64', [64], new Float64Array(64));
    const run = (): void => {
      const [y] = executable.run([x]);
      x.dispose();
      x = y!;
    };
    run();
    const before = engine.stats();
    for (let i = 0; i < 1e5; i++) run();
    expect([engine.stats().bytesInUse, engine.stats().bytesReserved, engine.stats().liveBuffers]).toEqual([before.bytesInUse, before.bytesReserved, 1]);
  });
});

describe('a disposed engine', () => {
  test('refuses everything, twice is harmless, and its buffers can still be let go', () => {
    const engine = createEngineSync();
    const executable = engine.compile(reductionPlan({ monoid: 'sum', dtype: 'float64', shape: [3], axes: 1 }));
    const x = engine.upload('float64', [3], new Float64Array(3));
    engine.dispose();
    engine.dispose();
    expect([engine.disposed, x.disposed]).toEqual([true, true]);
    for (const use of [() => engine.compile(doublePlan(3)), () => engine.read(x), () => engine.upload('float64', [1], new Float64Array(1)), () => executable.run([x])]) {
      expect(use).toThrow(named('DisposedError'));
    }
    x.dispose();
    expect(engine.stats()).toMatchObject({ bytesInUse: 0, bytesReserved: 0, liveBuffers: 0 });
  });
});
