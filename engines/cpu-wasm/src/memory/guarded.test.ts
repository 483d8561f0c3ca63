import { isTfError, loop, type Plan, type PlanBuffer, tensorType, type TfError } from '@tf/core';
import { expect, test } from 'vitest';
import { type Device } from './device.ts';
import { createEngineSync } from '../index.ts';
import { argumentOf, constantBuffer, copyPlan, elementwisePlan, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { GuardedAllocator, poisonWord } from './guarded-allocator.ts';
import { Heap, PAGE } from './heap.ts';
import type { WasmBuffer } from './buffer.ts';

const MiB = 2 ** 20;
const one = loop.constant('f64', 1);
const double = loop.add(argumentOf('float64', 0), argumentOf('float64', 0));
type Debugged = ReturnType<typeof createEngineSync> & { device(): Device };
const open = (maximumBytes?: number): Debugged => createEngineSync({ debug: 'memory', memory: { ...(maximumBytes === undefined ? {} : { maximumBytes }) } }) as Debugged;

function thrownBy(work: () => unknown): TfError {
  try {
    work();
  } catch (thrown) {
    if (isTfError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

const faultWith = (fields: object): unknown => expect.objectContaining({ name: 'EngineFaultError', fields: expect.objectContaining(fields) as unknown });

/** Fills its first output; then fills its second from `from` to `to`, which has three elements. */
const fillPlan = (from: number, to: number): Plan =>
  planOf({
    inputs: [], outputs: [tensorType('float64', [3]), tensorType('float64', [3])],
    steps: [loopStep([], 'float64', [3], [], viewOf(0, [1]), one), loopStep([], 'float64', [to - from], [], viewOf(1, [1], from), one)],
  });

test('good work is as good in debug mode', () => {
  const engine = open();
  const x = engine.upload('float64', [3], Float64Array.of(1, 2, 3));
  const [y] = engine.compile(elementwisePlan(['float64'], 'float64', [3], double)).run([x]);
  expect(engine.read(y!)).toEqual(Float64Array.of(2, 4, 6));
  expect(engine.compile(fillPlan(0, 3)).run([]).map((buffer) => engine.read(buffer)[2])).toEqual([1, 1]);
});

test('the memory grows with every allocation', () => {
  const engine = open();
  const { growths } = engine.memory();
  for (let i = 0; i < 5; i++) engine.upload('bool', [1], Uint8Array.of(1)).dispose();
  expect(engine.memory().growths).toBe(growths + 5);
});

test('planted: a kernel that writes one element too far is named with its step', () => {
  const after = thrownBy(() => open().compile(fillPlan(0, 4)).run([]));
  expect(after).toEqual(faultWith({ step: 1, side: 'after', bytes: 24 }));
  expect(after.message).toMatch(/^cpu-wasm: step 1 of the plan \(loop \[4\].* wrote 0 bytes beyond the end of a block of 24 bytes/s);
});

test('planted: a kernel that writes one element before its buffer', () => {
  expect(thrownBy(() => open().compile(fillPlan(-1, 3)).run([]))).toEqual(faultWith({ step: 1, side: 'before' }));
});

test('planted: a kernel that writes beyond its slot of the arena', () => {
  const inSlot = (slot: number): PlanBuffer => ({ dtype: 'float64', elements: 8, place: { kind: 'arena', slot } });
  const fill = (buffer: number, n: number): ReturnType<typeof loopStep> => loopStep([], 'float64', [n], [], viewOf(buffer, [1]), one);
  const plan = (n: number): Plan => planOf({
    inputs: [], outputs: [tensorType('float64', [8])], more: [inSlot(0), inSlot(1)], slots: [[64], [64]],
    steps: [fill(2, 8), fill(1, n), fill(0, 8)],
  });
  open().compile(plan(8)).run([]);
  expect(thrownBy(() => open().compile(plan(9)).run([]))).toEqual(faultWith({ step: 1, slot: 0, side: 'after' }));
});

test('planted: use after free, of a buffer and of a constant whose memory is gone', () => {
  const engine = open();
  const executable = engine.compile(copyPlan('float64', 3));
  const x = engine.upload('float64', [3], Float64Array.of(1, 2, 3)) as WasmBuffer;
  const { address } = x.slot;
  x.dispose();
  // As if somebody had kept the address: the engine believes that the buffer lives.
  x.slot.address = address;
  expect(thrownBy(() => executable.run([x]))).toEqual(faultWith({ buffer: 0, side: 'freed' }));
  expect(new Int32Array((engine.read(x) as Float64Array).buffer)).toEqual(new Int32Array(6).fill(poisonWord));
  expect([...engine.read(x)]).toEqual([NaN, NaN, NaN]);
});

test('planted: a constant freed too early', () => {
  const engine = open();
  const device = engine.device();
  const held: { readonly address: number }[] = [];
  const hold = device.hold.bind(device);
  device.hold = (kind, bytes) => {
    const block = hold(kind, bytes);
    if (kind === 'constants') held.push(block);
    return block;
  };
  const plan = planOf({ inputs: [], outputs: [tensorType('float64', [1])], more: [constantBuffer('float64', Float64Array.of(4))], steps: [{ kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 1, offset: 0 }, to: { buffer: 0, offset: 0 } }] });
  const executable = engine.compile(plan);
  expect(engine.read(executable.run([])[0]!)).toEqual(Float64Array.of(4));
  device.allocator.free(held[0] as never);
  expect(thrownBy(() => executable.run([]))).toEqual(faultWith({ buffer: 1, side: 'freed' }));
});

test('planted: a write after free is seen by the next run, and before the memory serves again', () => {
  for (const find of [
    (engine: Debugged) => engine.compile(fillPlan(0, 3)).run([]),
    (engine: Debugged) => { for (let i = 0; i < 20; i++) engine.upload('float64', [MiB / 16], new Float64Array(MiB / 16)).dispose(); },
  ]) {
    const engine = open(5 * MiB);
    const x = engine.upload('float64', [3], new Float64Array(3)) as WasmBuffer;
    const { address } = x.slot;
    x.dispose();
    engine.device().heap.doubles[address / 8 + 1] = 5;
    expect(thrownBy(() => find(engine))).toEqual(faultWith({ side: 'freed', address, bytes: 24 }));
  }
});

test.each([true, false])('planted: a view held across growth misses what comes after, shared: %s', (shared) => {
  const engine = createEngineSync({ debug: 'memory', memory: { shared } }) as Debugged;
  const { heap } = engine.device();
  Object.defineProperty(heap, 'doubles', { value: heap.doubles });
  expect(() => engine.upload('float64', [3], Float64Array.of(1, 2, 3))).toThrow();
  const plain = createEngineSync({ memory: { shared } }) as Debugged;
  Object.defineProperty(plain.device().heap, 'doubles', { value: plain.device().heap.doubles });
  // The memory has room, so that without debug mode the fault sleeps.
  if (plain.device().guard === undefined) expect(plain.read(plain.upload('float64', [3], Float64Array.of(1, 2, 3)))).toEqual(Float64Array.of(1, 2, 3));
});

test('what is not written yet is NaN', () => {
  const engine = open();
  const [y] = engine.compile(planOf({ inputs: [], outputs: [tensorType('float32', [2])], steps: [] })).run([]);
  expect([...engine.read(y!)]).toEqual([NaN, NaN]);
});

test('freed memory serves again where nothing else is left, and a canary that broke is mended', () => {
  const heap = new Heap({ initialBytes: PAGE, maximumBytes: 2 * PAGE });
  const allocator = new GuardedAllocator(heap, () => false);
  for (let i = 0; i < 1000; i++) allocator.free(allocator.allocate(1000));
  const block = allocator.allocate(10);
  heap.bytes[block.address + 10] = 0;
  expect(thrownBy(() => allocator.check(() => 'it'))).toEqual(faultWith({ side: 'after', bytes: 10 }));
  allocator.check(() => 'it');
  expect(() => allocator.allocate(2 * PAGE)).toThrow(expect.objectContaining({ name: 'TooLargeError' }));
  expect(allocator.bytesInUse).toBe(64);
});

test('a plan may use all of the arena that another one left', () => {
  const engine = open();
  const through = (n: number): Plan => planOf({
    inputs: [], outputs: [tensorType('float64', [n])], more: [{ dtype: 'float64', elements: n, place: { kind: 'arena', slot: 0 } }], slots: [[8 * n]],
    steps: [loopStep([], 'float64', [n], [], viewOf(1, [1]), one), loopStep(['float64'], 'float64', [n], [viewOf(1, [1])], viewOf(0, [1]), double)],
  });
  for (const n of [520, 560]) expect(engine.read(engine.compile(through(n)).run([])[0]!)).toEqual(new Float64Array(n).fill(2));
});
