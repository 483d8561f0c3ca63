import { loop, tensorType } from '@tf/core';
import { expect, test } from 'vitest';
import { createEngineSync, createTunedEngine } from '../engine.ts';
import { guarded } from '../testing/mode.ts';
import { argumentOf, constantBuffer, contractPlan, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { MemoryReport } from './report.ts';

const MiB = 2 ** 20;

test.skipIf(guarded)('kinds add up to what is in use, and each is seen where it belongs', () => {
  const engine = createEngineSync();
  const start = engine.memory();
  expect(start.kinds).toMatchObject({ buffers: 0, arena: 0, constants: 0, code: 0 });
  expect(start).toMatchObject({ liveBuffers: 0, evictedBuffers: 0, bytesEvicted: 0, evictions: 0, growths: 0, bytesPeak: start.bytesInUse });
  const n = 20_000;
  const double = (from: number, to: number): ReturnType<typeof loopStep> => loopStep(['float64'], 'float64', [n], [viewOf(from, [1])], viewOf(to, [1]), loop.add(argumentOf('float64', 0), argumentOf('float64', 0)));
  const plan = planOf({ inputs: [], outputs: [tensorType('float64', [n])], more: [{ dtype: 'float64', elements: n, place: { kind: 'arena', slot: 0 } }, constantBuffer('float64', new Float64Array(n).fill(1))], slots: [[8 * n]], steps: [double(2, 1), double(1, 0)] });
  const executable = engine.compile(plan);
  expect(engine.memory().kinds).toMatchObject({ buffers: 0, arena: 0, constants: 8 * n });
  expect(engine.memory().kinds.code).toBeGreaterThan(0);
  const [y] = executable.run([]);
  const held = engine.memory();
  expect(held.kinds).toMatchObject({ buffers: 8 * n, arena: 8 * n, constants: 8 * n });
  y!.dispose();
  const { kinds, bytesInUse, bytesPeak } = engine.memory();
  expect(kinds.buffers + kinds.arena + kinds.constants + kinds.code + kinds.tables + kinds.modules + kinds.scratch).toBe(bytesInUse);
  expect([kinds.buffers, bytesPeak]).toEqual([0, held.bytesInUse]);
  engine.compile(contractPlan({ dtype: 'float64', m: 2, n: 2, k: 2 }));
  expect(engine.memory().kinds.scratch).toBeGreaterThan(kinds.scratch);
});

test.skipIf(guarded)('growths and evictions are counted, what lies on the host with its bytes', () => {
  const engine = createTunedEngine({}, { budgetBytes: 2 * MiB });
  const buffers = Array.from({ length: 8 }, () => engine.upload('float64', [MiB / 8], new Float64Array(MiB / 8)));
  expect(engine.memory()).toMatchObject({ liveBuffers: 8, evictedBuffers: 6, bytesEvicted: 6 * MiB, evictions: 6 });
  buffers[0]!.dispose();
  expect(engine.memory()).toMatchObject({ liveBuffers: 7, evictedBuffers: 5, bytesEvicted: 5 * MiB, evictions: 6 });
  engine.upload('float64', [MiB], new Float64Array(MiB));
  expect(engine.memory()).toMatchObject({ growths: 1, bytesReserved: engine.stats().bytesReserved });
  for (const buffer of buffers) buffer.dispose();
  expect(engine.memory()).toMatchObject({ liveBuffers: 1, evictedBuffers: 0, bytesEvicted: 0 });
});

test('the text is a short table', () => {
  const report = new MemoryReport({
    bytesReserved: 4 * MiB, bytesMaximum: 4096 * MiB, bytesInUse: 90_560, bytesPeak: 3_500_000, kinds: { buffers: 64, arena: 4096, constants: 0, code: 1000, tables: 0, modules: 2048, scratch: 85_400 },
    liveBuffers: 3, evictedBuffers: 2, bytesEvicted: 2048, evictions: 7, growths: 1,
  });
  expect(String(report)).toBe([
    'reserved      4.0 MiB  of at most 4.0 GiB; 1 growth',
    'in use       88.4 KiB  3.3 MiB at the peak',
    '  buffers        64 B  1 here',
    '  arena       4.0 KiB',
    '  constants       0 B',
    '  code         1000 B',
    '  tables          0 B',
    '  modules     2.0 KiB',
    '  scratch    83.4 KiB',
    'evicted       2.0 KiB  2 buffers on the host; 7 evictions',
  ].join('\n'));
  expect(Object.isFrozen(report) && Object.isFrozen(report.kinds)).toBe(true);
});

test('a disposed engine has no memory to tell of', () => {
  const engine = createEngineSync();
  engine.dispose();
  expect(() => engine.memory()).toThrow(expect.objectContaining({ name: 'DisposedError' }));
});
