/** What must end in a typed error, and never in a crash: `pnpm test:native-sanitized` runs it with every access checked. */
import { type BufferView, broadcastTo, Builder, compileProgram, type Executable, isTfError, matmul, mul, type Plan, symbolicDim, take, tensorType } from '@tf/core';
import { expect } from 'vitest';
import { halved, kindsOf, negating, samples, spoiled, stepsAlone } from './hard-use.testing.ts';
import { createEngineSync, type CpuBlasNativeEngine } from './index.ts';
import { nativeTest as test } from './presence.testing.ts';

const engineOf = (): CpuBlasNativeEngine => createEngineSync({ threads: 1 });

/** The name of the error, or undefined where it works. */
function outcome(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    if (!isTfError(thrown)) throw thrown;
    return thrown.name;
  }
}

const sized = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => Math.cos(i));

/** Some hundredths of a second of products. */
function slow(engine: CpuBlasNativeEngine): { readonly executable: Executable; readonly data: Float64Array; readonly shape: readonly number[] } {
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [200, 200]), 'x');
  let y = matmul(x, x);
  for (let i = 0; i < 20; i++) y = mul(matmul(y, x), 0.01);
  return { executable: engine.compile(compileProgram(builder.build([y]))), data: sized(40_000), shape: [200, 200] };
}

test('a plan whose buffers are one byte or one element short is refused, whatever the step', () => {
  const plans = samples();
  expect([...kindsOf(plans.map(({ plan }) => plan))].sort()).toEqual(expect.arrayContaining(['branch', 'contract', 'gather', 'loop', 'repeat', 'scan', 'scatter', 'sort', 'while']));
  const engine = engineOf();
  for (const { plan, inputs } of plans) {
    expect(outcome(() => engine.compile(plan).run(inputs))).toBeUndefined();
    const less = (dims: readonly unknown[]): never => dims.map((dim) => (dim as number) - 1) as never;
    // Short lines are sorted in half of their workspace.
    const short = plan.steps.some(({ kind }) => kind === 'sort') ? (dims: readonly unknown[]): never => dims.map((dim) => (dim as number) / 2 - 1) as never : less;
    plan.slots.forEach((slot, i) => {
      expect(outcome(() => engine.compile({ ...plan, slots: plan.slots.map((one, at) => (at === i ? short(slot) : one)) }).run(inputs))).toBe('InvariantError');
    });
    plan.outputs.forEach((type, i) => {
      if (type.shape.length === 0) return;
      const outputs = plan.outputs.map((one, at) => (at === i ? tensorType(type.dtype, less(type.shape)) : one));
      expect(outcome(() => engine.compile({ ...plan, outputs }).run(inputs))).toBe('InvariantError');
    });
    plan.buffers.forEach(({ place, dtype }, i) => {
      if (place.kind !== 'constant') return;
      const buffers = plan.buffers.map((one, at) => (at === i ? { dtype, elements: one.elements, place: { ...place, data: place.data.subarray(1) } } : one));
      expect(outcome(() => engine.compile({ ...plan, buffers }).run(inputs))).toBe('InvariantError');
    });
  }
});

test('an offset or a stride that is no whole number of elements is refused, whatever the step', () => {
  const engine = createEngineSync({ threads: 1, modules: [negating] });
  for (const { plan, inputs } of [...samples(), ...stepsAlone()]) {
    expect(outcome(() => engine.compile(plan).run(inputs))).toBeUndefined();
    const plans = halved(plan);
    expect(plans.length).toBeGreaterThan(0);
    for (const one of plans) expect(outcome(() => engine.compile(one).run(inputs)), JSON.stringify(one.steps)).toBe('InvariantError');
  }
});

test('a step whose elements are larger than those of its buffers is refused where they would not lie on multiples of their size', () => {
  const engine = engineOf();
  const { plan, inputs } = samples().find((one) => kindsOf([one.plan]).has('sort'))!;
  const buffers = plan.buffers.map((one): typeof one => (one.place.kind === 'constant' ? one : { ...one, dtype: 'int32' }));
  expect(outcome(() => engine.compile({ ...plan, buffers }).run(inputs))).toBe('InvariantError');
});

test('inputs that are short, of another dtype, foreign or no inputs are refused', () => {
  const engine = engineOf();
  const [{ plan, inputs }] = samples() as [ReturnType<typeof samples>[number]];
  const executable = engine.compile(plan);
  const [x, y, index] = inputs as [typeof inputs[number], typeof inputs[number], typeof inputs[number]];
  expect(outcome(() => executable.run([{ ...x, data: x.data.subarray(1) }, y, index]))).toMatch(/Error$/);
  expect(outcome(() => executable.run([{ data: x.data, shape: [6, 4] }, y, index]))).toMatch(/Error$/);
  expect(outcome(() => executable.run([{ data: Float32Array.from(x.data), shape: [6, 5] }, y, index]))).toMatch(/Error$/);
  expect(outcome(() => executable.run([engineOf().upload('float64', [6, 5], x.data), y, index]))).toBe('ForeignValueError');
  expect(outcome(() => executable.run([x, y]))).toMatch(/Error$/);
  expect(outcome(() => executable.run([x, y, null as never]))).toMatch(/Error$/);
  expect(outcome(() => engine.upload('float64', [6, 5], x.data.subarray(1)))).toMatch(/Error$/);
});

test('1500 plans with wrong numbers run or are refused', { timeout: 120_000 }, () => {
  const engine = engineOf();
  // Of a condition that always holds nobody hears again.
  const all = samples().filter(({ plan }) => !kindsOf([plan]).has('while'));
  const outcomes = new Map<string, number>();
  for (let seed = 0; seed < 1500; seed++) {
    const { plan, inputs } = all[seed % all.length]!;
    const ended = outcome(() => engine.compile(spoiled(plan, seed)).run(inputs)) ?? 'ran';
    outcomes.set(ended, (outcomes.get(ended) ?? 0) + 1);
  }
  expect([...outcomes.keys()].filter((name) => !['ran', 'InvariantError', 'TooLargeError', 'IndexError', 'ArgumentError', 'ShapeError', 'DTypeError'].includes(name))).toEqual([]);
  expect(outcomes.get('InvariantError')).toBeGreaterThan(300);
});

test('views of a tile and of repeated steps are followed to their last count', () => {
  const engine = engineOf();
  const view = (buffer: number, offset: unknown): BufferView => ({ buffer, offset: offset as never, strides: [] });
  const plan = (count: number): Plan => ({
    contract: 1, inputs: [tensorType('float64', [4])], outputs: [tensorType('float64', [4])], slots: [], constraints: [], intermediateBytes: 0, donations: [],
    buffers: [{ dtype: 'float64', elements: 4, place: { kind: 'input', index: 0 } }, { dtype: 'float64', elements: 4, place: { kind: 'output', index: 0 } }],
    steps: [{ kind: 'repeat', counter: 'i', count, steps: [{ kind: 'copy', dtype: 'float64', elements: 1, from: view(0, symbolicDim('i')), to: view(1, symbolicDim('i')) }] }],
  });
  const input = { data: Float64Array.of(1, 2, 3, 4), shape: [4] };
  expect(engine.read(engine.compile(plan(4)).run([input])[0]!)).toEqual(input.data);
  expect(outcome(() => engine.compile(plan(5)).run([input]))).toBe('InvariantError');
});

test('more memory than there is: a TooLargeError, and work goes on', () => {
  const engine = engineOf();
  const builder = new Builder();
  const x = builder.input(tensorType('float64', []), 'x');
  const executable = engine.compile(compileProgram(builder.build([broadcastTo(x, [2 ** 40])])));
  expect(outcome(() => executable.run([1]))).toBe('TooLargeError');
  const [{ plan, inputs }] = samples() as [ReturnType<typeof samples>[number]];
  expect(outcome(() => engine.compile(plan).run(inputs))).toBeUndefined();
});

test('what is disposed is refused: engines, their executables, buffers', { timeout: 120_000 }, async () => {
  const engine = engineOf();
  const { executable, data, shape } = slow(engine);
  const buffer = engine.upload('float64', shape, data);
  const other = engine.upload('float64', shape, data);
  other.dispose();
  other.dispose();
  expect(outcome(() => executable.run([other]))).toBe('DisposedError');
  await expect(executable.runAsync!([other])).rejects.toMatchObject({ name: 'DisposedError' });
  expect(outcome(() => engine.read(other))).toBe('DisposedError');
  const running = executable.runAsync!([buffer]);
  engine.dispose();
  await expect(running).rejects.toMatchObject({ name: 'DisposedError' });
  expect(outcome(() => executable.run([buffer]))).toBe('DisposedError');
  await expect(executable.runAsync!([buffer])).rejects.toMatchObject({ name: 'DisposedError' });
  expect(outcome(() => engine.compile(executable.plan))).toBe('DisposedError');
  expect(outcome(() => engine.upload('float64', shape, data))).toBe('DisposedError');
  expect(outcome(() => engine.read(buffer))).toBe('DisposedError');
  buffer.dispose();
});

test('inputs that are disposed or donated while a run in the background reads them keep their values for it', { timeout: 120_000 }, async () => {
  const engine = engineOf();
  const { executable, data, shape } = slow(engine);
  const expected = engine.read(executable.run([{ data, shape }])[0]!);
  const buffers = [0, 1, 2].map(() => engine.upload('float64', shape, data));
  const runs = buffers.map((buffer) => executable.runAsync!([buffer]));
  // Their memory would be the next that is taken.
  buffers.forEach((buffer) => buffer.dispose());
  const others = Array.from({ length: 4 }, () => engine.upload('float64', shape, new Float64Array(40_000)));
  for (const [result] of await Promise.all(runs)) expect(engine.read(result!)).toEqual(expected);
  others.forEach((buffer) => expect(engine.read(buffer)[0]).toBe(0));

  const donor = engine.upload('float64', shape, data);
  const builder = new Builder();
  const negate = engine.compile(compileProgram(builder.build([mul(builder.input(tensorType('float64', [200, 200]), 'x'), -1)])));
  const reading = executable.runAsync!([donor]);
  const [negative] = negate.run([donor], { donate: [0] });
  expect(engine.read(negative!)[5]).toBe(-data[5]!);
  expect(outcome(() => engine.read(donor))).toBe('DisposedError');
  expect(engine.read((await reading)[0]!)).toEqual(expected);
});

test('what a run in the background was given is gone at once, and disposing it does no harm', { timeout: 120_000 }, async () => {
  const engine = engineOf();
  const { executable, data, shape } = slow(engine);
  const expected = engine.read(executable.run([{ data, shape }])[0]!);
  const given = engine.upload('float64', shape, data);
  const running = executable.runAsync!([given], { donate: [0] });
  expect(given.disposed).toBe(true);
  expect(outcome(() => executable.run([given]))).toBe('DisposedError');
  given.dispose();
  const before = engine.stats().liveBuffers;
  const [result] = await running;
  expect(engine.read(result!)).toEqual(expected);
  expect(engine.stats().liveBuffers).toBeLessThanOrEqual(before + 1);
  result!.dispose();
});

test('runs in the background of one plan with several sizes: each has its own results and its own errors', async () => {
  const engine = engineOf();
  const builder = new Builder();
  const x = builder.input(tensorType('float64', [symbolicDim('n')]), 'x');
  const index = builder.input(tensorType('int32', [1]), 'index');
  const executable = engine.compile(compileProgram(builder.build([mul(take(x, index), 2)])));
  const runOf = (n: number, at: number): Promise<readonly unknown[]> => executable.runAsync!([{ data: sized(n), shape: [n] }, { data: Int32Array.of(at), shape: [1] }]);
  const sizes = [5, 9, 3, 1000, 7];
  const good = sizes.map((n) => runOf(n, n - 1));
  const bad = sizes.map((n) => runOf(n, n));
  const all = await Promise.allSettled([...good, ...bad]);
  sizes.forEach((n, i) => {
    const result = all[i] as PromiseFulfilledResult<readonly never[]>;
    expect(engine.read(result.value[0]!)[0]).toBe(2 * Math.cos(n - 1));
    expect(String((all[sizes.length + i] as PromiseRejectedResult).reason)).toMatch(new RegExp(`${n}\\D.*\\b${n}\\b|\\b${n}\\b`));
  });
});

test('of runs side by side those end that were told to, the others go on', { timeout: 120_000 }, async () => {
  const engine = engineOf();
  const { executable, data, shape } = slow(engine);
  const second = slow(engine);
  const expected = engine.read(executable.run([{ data, shape }])[0]!);
  const controllers = Array.from({ length: 6 }, () => new AbortController());
  const runs = controllers.map(({ signal }, i) => (i % 2 === 0 ? executable : second.executable).runAsync!([{ data, shape }], { signal }));
  [0, 3, 5].forEach((i) => controllers[i]!.abort(new Error(`stop ${i}`)));
  const ended = await Promise.allSettled(runs);
  ended.forEach((end, i) => {
    if (end.status === 'rejected') expect(end.reason).toMatchObject({ message: `stop ${i}` });
    else expect(engine.read(end.value[0]!)).toEqual(expected);
  });
  expect([1, 2, 4].every((i) => ended[i]!.status === 'fulfilled')).toBe(true);
  expect([0, 3, 5].some((i) => ended[i]!.status === 'rejected')).toBe(true);
  const early = new AbortController();
  early.abort(new Error('before'));
  await expect(executable.runAsync!([{ data, shape }], { signal: early.signal })).rejects.toThrow('before');
});
