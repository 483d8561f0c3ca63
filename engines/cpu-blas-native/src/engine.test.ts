import { Worker } from 'node:worker_threads';
import { add, type BufferView, Builder, compileProgram, convert, exp, fori, isTfError, loop, matmul, mul, type Operand, type Plan, sum, tensorType, transpose, type Var } from '@tf/core';
import { expect } from 'vitest';
import { createEngineSync } from './index.ts';
import { nativeTest as test } from './presence.testing.ts';


test('runs a program of loops, folds and products', () => {
  const engine = createEngineSync({ threads: 1 });
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [3, 4]), 'x');
  const y = builder.input(tensorType('float64', [4, 2]), 'y');
  const product = matmul(x, y);
  const total = sum(mul(exp(product), 2));
  const executable = engine.compile(compileProgram(builder.build([product, add(total, 1), total])));
  const a = Float64Array.from({ length: 12 }, (_, i) => i / 10);
  const b = Float64Array.from({ length: 8 }, (_, i) => 1 - i / 5);
  const [p, q] = executable.run([{ data: a, shape: [3, 4] }, { data: b, shape: [4, 2] }]);
  const expected = Float64Array.from({ length: 6 }, (_, at) => [0, 1, 2, 3].reduce((s, k) => s + a[4 * Math.floor(at / 2) + k]! * b[2 * k + (at % 2)]!, 0));
  engine.read(p!).forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 12));
  expect(engine.read(q!)[0]).toBeCloseTo(1 + expected.reduce((s, v) => s + 2 * Math.exp(v), 0), 10);
});

/** x → (−x where x was read, x as it is, x + i·x): one iteration reads all of an element before it writes. */
function inPlacePlan(): Plan {
  const x = loop.argument('f32', 0);
  const vector = { dtype: 'float32', inner: 'contiguous' } as const;
  const view = (buffer: number): BufferView => ({ buffer, offset: 0, strides: [1] });
  const type = tensorType('float32', [5]);
  return {
    contract: 1, inputs: [type], outputs: [type, type, tensorType('complex64', [5])], slots: [], constraints: [], intermediateBytes: 0, donations: [{ input: 0, output: 0 }],
    buffers: [
      { dtype: 'float32', elements: 5, place: { kind: 'input', index: 0 } },
      { dtype: 'float32', elements: 5, place: { kind: 'output', index: 0 } },
      { dtype: 'float32', elements: 5, place: { kind: 'output', index: 1 } },
      { dtype: 'complex64', elements: 5, place: { kind: 'output', index: 2 } },
    ],
    steps: [{ kind: 'loop', kernel: { rank: 1, reads: [vector], writes: [vector, vector, { ...vector, dtype: 'complex64' }], body: [loop.neg(x), x, x, x] }, extents: [5], reads: [view(0)], writes: [view(1), view(2), view(3)] }],
  };
}

test('a loop that writes where it reads has read before', () => {
  const engine = createEngineSync();
  const x = engine.upload('float32', [5], Float32Array.of(1, 2, 3, 4, 5));
  const [negative, same, complex] = engine.compile(inPlacePlan()).run([x], { donate: [0] });
  expect(engine.read(negative!)).toEqual(Float32Array.of(-1, -2, -3, -4, -5));
  expect(engine.read(same!)).toEqual(Float32Array.of(1, 2, 3, 4, 5));
  expect(engine.read(complex!)).toEqual(Float32Array.of(1, 1, 2, 2, 3, 3, 4, 4, 5, 5));
});

test('what is missing is told at create, with every reason and what to install', () => {
  const nameOf = (work: () => unknown): string => {
    try {
      work();
      return 'nothing';
    } catch (thrown) {
      return isTfError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown);
    }
  };
  expect(nameOf(() => createEngineSync({ library: '/nowhere/libopenblas.so' }))).toMatch(/nothing|EngineUnavailableError: .*nowhere/s);
  expect(nameOf(() => createEngineSync({ addon: '/nowhere/tf.node' }))).toMatch(/^EngineUnavailableError: [\s\S]*\/nowhere\/tf\.node/);
  expect(nameOf(() => createEngineSync({ threads: 0 }))).toMatch(/^ArgumentError: createEngine: threads/);
});

test('300 000 runs in one turn of the event loop, of which nothing is disposed, stay below 200 MB above the start', { timeout: 240_000 }, () => {
  const engine = createEngineSync({ threads: 1 });
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [512]), 'x');
  const executable = engine.compile(compileProgram(builder.build([add(mul(x, 2), 1)])));
  const buffer = engine.upload('float64', [512], new Float64Array(512));
  const start = process.memoryUsage().rss;
  let most = start;
  for (let i = 0; i < 300_000; i++) {
    executable.run([buffer]);
    if (i % 2000 === 0) most = Math.max(most, process.memoryUsage().rss);
  }
  expect(most - start).toBeLessThan(200e6);
});

test('what a loop disposes is gone from stats at once, in the same turn of the event loop', () => {
  const engine = createEngineSync({ threads: 1 });
  const builder = new Builder();
  const executable = engine.compile(compileProgram(builder.build([mul(builder.input(tensorType('float64', [512]), 'x'), 2)])));
  const buffer = engine.upload('float64', [512], new Float64Array(512));
  const start = engine.stats();
  for (let i = 0; i < 1000; i++) {
    const [result] = executable.run([buffer]);
    expect(engine.stats().liveBuffers).toBe(start.liveBuffers + 1);
    result!.dispose();
    expect(engine.stats()).toMatchObject({ liveBuffers: start.liveBuffers, bytesInUse: start.bytesInUse });
  }
});

test('the number of threads changes no bit of loops, folds and products', { timeout: 120_000 }, () => {
  const sized = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => Math.sin(i));
  // Large enough for threads, in every way that operands lie.
  const shapes = [[150, 150, 150], [230, 310, 290], [410, 130, 700]] as const;
  const bytesOn = (threads: number): Buffer => {
    const engine = createEngineSync({ threads });
    const results = shapes.flatMap(([m, n, k]) => (['float64', 'float32', 'complex128', 'complex64'] as const).flatMap((dtype) => {
      const builder = new Builder();
      const [a, b] = [builder.input(tensorType('float64', [m, k])), builder.input(tensorType('float64', [n, k]))];
      const [x, y] = [convert(a, dtype), convert(b, dtype)];
      const product = matmul(x, transpose(y, [1, 0]));
      return engine.compile(compileProgram(builder.build([product, matmul(transpose(product, [1, 0]), x), exp(mul(product, 0.01)), sum(product), sum(mul(product, product), { axes: 1 })]))).run([{ data: sized(m * k), shape: [m, k] }, { data: sized(n * k), shape: [n, k] }]);
    }));
    return Buffer.concat(results.map((result) => {
      const { buffer, byteOffset, byteLength } = engine.read(result);
      return Buffer.from(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    }));
  };
  const one = bytesOn(1);
  for (const threads of [2, 3, 4]) expect({ threads, isSame: bytesOn(threads).equals(one) }).toEqual({ threads, isSame: true });
});

/** The longest time between two turns of the event loop until something ends. */
async function lagDuring(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await work;
  clearInterval(timer);
  return longest;
}

/** That beside a thread that is as busy and has nothing to do with the engine: what this machine does to anybody now. */
async function lagBesideBusyThread(ms: number): Promise<number> {
  const worker = new Worker('for (;;);', { eval: true });
  await new Promise((started) => worker.once('online', started));
  const lag = await lagDuring(new Promise((over) => setTimeout(over, ms)));
  await worker.terminate();
  return lag;
}

test('the event loop turns at least every 10 ms while a run works in the background', { timeout: 120_000 }, async () => {
  const engine = createEngineSync({ threads: 1 });
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [256, 256]), 'x');
  const executable = engine.compile(compileProgram(builder.build([fori(60, (_, y: Operand) => mul(matmul(y, x), 0.01), x as Operand) as Var])));
  const buffer = engine.upload('float64', [256, 256], Float64Array.from({ length: 65_536 }, (_, i) => Math.sin(i)));
  await executable.runAsync!([buffer]);
  const tries: string[] = [];
  // Noise of the machine makes lags longer, never shorter: one try without it is enough.
  for (let i = 0; i < 6; i++) {
    const start = performance.now();
    const lag = await lagDuring(executable.runAsync!([buffer]));
    const taken = performance.now() - start;
    expect(taken).toBeGreaterThan(30);
    const usual = await lagBesideBusyThread(Math.min(taken, 1000));
    if (lag <= 10 || lag <= usual) return;
    tries.push(`${lag.toFixed(1)} ms of ${taken.toFixed(0)}, beside another thread ${usual.toFixed(1)} ms`);
  }
  expect(tries).toEqual([]);
});

test('runs in the background while JavaScript goes on, side by side, and ends when it is told', { timeout: 120_000 }, async () => {
  const engine = createEngineSync({ threads: 1 });
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [400, 400]), 'x');
  let y = matmul(x, x);
  for (let i = 0; i < 20; i++) y = mul(matmul(y, x), 0.01);
  const executable = engine.compile(compileProgram(builder.build([y])));
  const data = Float64Array.from({ length: 160_000 }, (_, i) => Math.sin(i));
  const [expected] = executable.run([{ data, shape: [400, 400] }]);
  const runs = [executable.runAsync!([{ data, shape: [400, 400] }]), executable.runAsync!([{ data, shape: [400, 400] }])];
  const all = await Promise.all(runs);
  for (const [result] of all) expect(engine.read(result!)).toEqual(engine.read(expected!));
  const controller = new AbortController();
  const aborted = executable.runAsync!([{ data, shape: [400, 400] }], { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  const [again] = await executable.runAsync!([{ data, shape: [400, 400] }]);
  expect(engine.read(again!)).toEqual(engine.read(expected!));
});
