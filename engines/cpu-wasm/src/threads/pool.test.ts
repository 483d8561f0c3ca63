import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { type Atom, Builder, compileProgram, exp, isTfError, loop, matmul, mul, type Operand, type Plan, softmax, sum, tensorType, type Var } from '@tf/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type CpuWasmEngine, createEngineSync, createTunedEngine } from '../engine.ts';
import type { EngineOptions } from '../options.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { randomValues } from '../testing/values.ts';
import type { Tuning } from '../tuning.ts';
import type { Pool } from './pool.ts';
import { TeamMember } from './team.ts';
import { startWorker, type TeamWorker } from './worker.ts';

const tuning: Tuning = { splits: { stepCost: 0, pieceCost: 1 }, startCost: 0, patience: 20 };
const engines: CpuWasmEngine[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose();
});

function engineWith(further: Tuning = {}, options: EngineOptions = { threads: 3 }): CpuWasmEngine {
  const engine = createTunedEngine(options, { ...tuning, ...further });
  engines.push(engine);
  return engine;
}

const poolOf = (engine: CpuWasmEngine): Pool => (engine as unknown as { device(): { readonly pool: Pool } }).device().pool;

const N = 96;
const data = randomValues('float64', N * N, 1);
function planFor(f: (x: Var) => unknown): Plan {
  const builder = new Builder();
  return compileProgram(builder.build([f(builder.input(tensorType('float64', [N, N])))] as unknown as readonly Atom[]), { donate: [0] });
}
const work = (): Plan => planFor((x) => softmax(exp(mul(matmul(x, x) as Operand, -0.125) as Operand) as Operand));
const input = { data, shape: [N, N] };

const expected = (() => {
  const engine = createEngineSync({ threads: 1 });
  const [output] = engine.compile(work()).run([input]);
  return engine.read(output!).slice();
})();

function runOn(engine: CpuWasmEngine): unknown {
  return engine.read(engine.compile(work()).run([input])[0]!);
}

const turn = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

const isGone = ({ idle, active }: { readonly idle: number; readonly active: number }): boolean => idle < 0 || active === 0;

/** A worker that ends in the middle of its first piece. */
function dying(given: Parameters<typeof startWorker>[0], owner: object): TeamWorker {
  const text = `const TeamMember = ${TeamMember.toString()}; class Dying extends TeamMember { runPiece() { process.exit(7); } }
    const { parentPort, workerData } = require('node:worker_threads'); new Dying(workerData).serve((message) => parentPort.postMessage(message));`;
  const worker = new Worker(text, { eval: true, workerData: given });
  const handle: { -readonly [K in keyof TeamWorker]: TeamWorker[K] } = { onMessage: undefined, ended: undefined, isGone: () => isGone(worker.performance.eventLoopUtilization()), terminate: () => void worker.terminate() };
  worker.on('message', (message) => handle.onMessage?.(message));
  worker.on('exit', (code) => {
    handle.ended = `exit ${code}`;
    handle.onMessage?.(undefined);
  });
  worker.unref();
  expect(owner).toBeDefined();
  return handle;
}

describe('workers that end', () => {
  test('idle: another one takes the place', async () => {
    const engine = engineWith();
    expect(runOn(engine)).toEqual(expected);
    const before = [...poolOf(engine).workers];
    before[0]!.terminate();
    while (before[0]!.ended === undefined) await turn(5);
    expect(runOn(engine)).toEqual(expected);
    const after = poolOf(engine).workers;
    expect([after.length, after[0] === before[0], after[1] === before[1], after[0]!.ended]).toEqual([2, false, true, undefined]);
    expect(engine.info.threads).toBe(3);
  });

  test('in the middle of a piece: the run is repeated, and others take their places', () => {
    let started = 0;
    const engine = engineWith({ start: (given, owner) => (started++ < 2 ? dying(given, owner) : startWorker(given, owner)) });
    expect(runOn(engine)).toEqual(expected);
    expect(started).toBeGreaterThan(2);
    expect(runOn(engine)).toEqual(expected);
  });

  test('in the middle of a piece of a run whose inputs were given away: an error that says so', () => {
    let started = 0;
    const engine = engineWith({ start: (given, owner) => (started++ < 2 ? dying(given, owner) : startWorker(given, owner)) });
    const given = engine.upload('float64', [N, N], data);
    const executable = engine.compile(work());
    const error = thrownBy(() => executable.run([given], { donate: [0] }));
    expect(isTfError(error, 'EngineFaultError')).toBe(true);
    expect((error as Error).message).toMatch(/a worker thread ended in the middle of a step .* donated.*threads: 1/);
    expect(runOn(engine)).toEqual(expected);
    expect(engine.stats().liveBuffers).toBe(1);
  });

  test('again and again: the engine goes on alone and says why', async () => {
    const engine = engineWith({ start: dying });
    for (let i = 0; i < 8 && engine.info.threads > 1; i++) {
      expect(runOn(engine)).toEqual(expected);
      await turn(20);
    }
    expect([engine.info.threads, engine.info.oneThread]).toEqual([1, expect.stringMatching(/^workers ended too often, the last because /)]);
    expect(runOn(engine)).toEqual(expected);
  });

  test('refused: the engine goes on alone and says why', () => {
    const engine = engineWith({ start: () => {
      throw new Error('no more threads');
    } });
    expect(runOn(engine)).toEqual(expected);
    expect([engine.info.threads, engine.info.oneThread]).toEqual([1, 'a worker was refused: Error: no more threads']);
  });

  test('with their engine: disposed, or forgotten', async () => {
    const engine = engineWith();
    runOn(engine);
    const disposed = [...poolOf(engine).workers];
    engine.dispose();
    const forgotten = (() => {
      const lost = createTunedEngine({ threads: 2 }, tuning);
      runOn(lost);
      return [...poolOf(lost).workers];
    })();
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    for (let i = 0; i < 400 && [...disposed, ...forgotten].some((worker) => worker!.ended === undefined); i++) {
      gc();
      await turn(5);
    }
    expect([...disposed, ...forgotten].map((worker) => worker!.ended)).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });
});

function thrownBy(body: () => unknown): unknown {
  try {
    body();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe('one engine', () => {
  test('starts no worker for small work, and one after the other for large work', () => {
    const engine = createEngineSync({ threads: 4 });
    engines.push(engine);
    runOn(engine);
    expect(poolOf(engine).workers).toEqual([]);
    const large = planFor((x) => matmul(x, x));
    const sizes = new Builder();
    const x = sizes.input(tensorType('float64', [512, 512]));
    const product = engine.compile(compileProgram(sizes.build([matmul(x, x)] as unknown as readonly Atom[])));
    const seen: number[] = [];
    for (let i = 0; i < 4; i++) {
      product.run([{ data: randomValues('float64', 512 * 512, 1), shape: [512, 512] }]);
      seen.push(poolOf(engine).workers.length);
    }
    expect(seen).toEqual([1, 2, 3, 3]);
    engine.compile(large).run([input]);
  });

  test('says why there is one thread', () => {
    const why = (options: EngineOptions): string | undefined => engineWith({}, options).info.oneThread;
    expect(why({ threads: 1 })).toBe('the option threads is 1');
    expect(why({ threads: 4, memory: { shared: false } })).toBe('the option memory.shared is false');
    expect(why({ threads: 4, memory: { maximumBytes: 2 ** 22 } })).toMatch(/^the option memory\.maximumBytes is less than/);
    expect(why({ threads: 4 })).toBeUndefined();
    expect([why({ threads: undefined } as unknown as EngineOptions), why({})]).toEqual(engineWith({}, {}).info.threads === 1 ? ['the option threads was not given', 'the option threads was not given'] : [undefined, undefined]);
  });

  test('threads find memory that grew since they began', () => {
    const engine = engineWith({}, { threads: 3, memory: { initialBytes: 2 ** 22 } });
    const kept = [];
    for (let i = 0; i < 12; i++) {
      expect(runOn(engine)).toEqual(expected);
      kept.push(engine.upload('float64', [2 ** (17 + (i % 3))], new Float64Array(2 ** (17 + (i % 3)))));
    }
    expect(engine.memory().growths).toBeGreaterThan(1);
    expect(kept.length).toBe(12);
  });

  test('a trap on another thread is the same error as on this one, and the engine goes on', () => {
    const bad = planOf({
      inputs: [tensorType('float64', [N])],
      outputs: [tensorType('float64', [N])],
      steps: [loopStep(['float64'], 'float64', [N], [viewOf(0, [2 ** 22])], viewOf(1, [1]), loop.neg(argumentOf('float64', 0)))],
    });
    const errorOn = (engine: CpuWasmEngine): unknown => {
      const executable = engine.compile(bad);
      return thrownBy(() => executable.run([{ data: new Float64Array(N), shape: [N] }]));
    };
    const [alone, together] = [engineWith({}, { threads: 1 }), engineWith()];
    const error = errorOn(together) as Error;
    expect(isTfError(error, 'EngineFaultError')).toBe(true);
    expect(error.message).toBe((errorOn(alone) as Error).message);
    errorOn(together);
    expect(runOn(together)).toEqual(expected);
  });
});

/** As on the main thread of a page, which may not wait. */
describe('a thread that may not wait', () => {
  const away = (options?: EngineOptions): CpuWasmEngine => engineWith({ mayWait: false, patience: 0 }, options);

  test('gives whole runs to workers and goes on', async () => {
    const engine = away();
    const executable = engine.compile(work());
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    for (let i = 0; i < 5; i++) expect(engine.read((await executable.runAsync!([input]))[0]!)).toEqual(expected);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    expect(poolOf(engine).workers.length).toBe(3);
  });

  test('runs alone where it cannot await', () => {
    const engine = away();
    expect(runOn(engine)).toEqual(expected);
    expect(poolOf(engine).workers.length).toBe(0);
  });

  test('may do anything meanwhile', async () => {
    const engine = away();
    const executable = engine.compile(work());
    await executable.runAsync!([input]);
    const x = engine.upload('float64', [N, N], data);
    const flights = [executable.runAsync!([x]), executable.runAsync!([input]), executable.runAsync!([x])];
    // The first is under way now; the others begin after a message from its worker, for which there is no turn before the end of this.
    for (let i = 0; i < 50; i++) await undefined;
    // Each of these waits until the run under way is done.
    x.dispose();
    engine.upload('float64', [N, N], new Float64Array(N * N));
    expect(runOn(engine)).toEqual(expected);
    const [first, second] = await Promise.all(flights.slice(0, 2));
    for (const [output] of [first!, second!]) expect(engine.read(output!)).toEqual(expected);
    await expect(flights[2]).rejects.toThrow(/disposed/);
  });

  test('hears of a trap', async () => {
    const engine = away();
    const bad = planOf({
      inputs: [tensorType('float64', [N])],
      outputs: [tensorType('float64', [N])],
      steps: [loopStep(['float64'], 'float64', [N], [viewOf(0, [2 ** 22])], viewOf(1, [1]), loop.neg(argumentOf('float64', 0)))],
    });
    await expect(engine.compile(bad).runAsync!([{ data: new Float64Array(N), shape: [N] }])).rejects.toThrow(/step 0 of the plan trapped/);
    expect(engine.read((await engine.compile(work()).runAsync!([input]))[0]!)).toEqual(expected);
  });

  test('repeats alone what was lost with a worker, and is not left waiting when the engine is disposed', async () => {
    let started = 0;
    const engine = engineWith({ mayWait: false, patience: 0, start: (given, owner) => (started++ < 3 ? dying(given, owner) : startWorker(given, owner)) });
    const executable = engine.compile(work());
    expect(engine.read((await executable.runAsync!([input]))[0]!)).toEqual(expected);
    expect(engine.read((await executable.runAsync!([input]))[0]!)).toEqual(expected);
    const left = executable.runAsync!([input]);
    await turn(0);
    await turn(0);
    engine.dispose();
    const end = await left.then(() => 'done', (error: unknown) => (isTfError(error, 'DisposedError') ? 'disposed' : error));
    expect(['done', 'disposed']).toContain(end);
  });

  test('goes on alone where no worker begins', async () => {
    const engine = engineWith({ mayWait: false, patience: 0, start: () => {
      throw new Error('a policy');
    } });
    expect(engine.read((await engine.compile(work()).runAsync!([input]))[0]!)).toEqual(expected);
    expect(engine.info.oneThread).toMatch(/a policy/);
  });
});

test('sums of everything are as they were', () => {
  const engine = engineWith();
  const plan = planFor((x) => sum(x));
  const alone = createEngineSync({ threads: 1 });
  engines.push(alone);
  const [a, b] = [engine, alone].map((one) => one.read(one.compile(plan).run([input])[0]!)[0]);
  expect(a).toBe(b);
});
