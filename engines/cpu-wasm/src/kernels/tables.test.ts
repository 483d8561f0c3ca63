import { execution } from '@tf/core';
import { expect, test } from 'vitest';
import { createTunedEngine } from '../engine.ts';
import type { Block } from '../memory/allocator.ts';
import { Device } from '../memory/device.ts';
import { guarded } from '../testing/mode.ts';
import { hostModule, planFor, scaled } from './kernels.testing.ts';

const MiB = 2 ** 20;
const owner = (bytes: number, asked: number[] = []): { readonly symbol: string; readonly tables: (integers: readonly number[]) => Float64Array } => ({ symbol: 'test', tables: ([n]) => (asked.push(n!), new Float64Array(bytes / 8).fill(n!)) });

test('tables stay within a bound; those that were needed last stay longest', () => {
  const device = new Device({});
  const asked: number[] = [];
  const cache = new execution.TableCache(device, 3 * 2 ** 16);
  const [own, start] = [owner(2 ** 16, asked), device.report().kinds.tables];
  for (const n of [1, 2, 3, 1, 4, 1, 2]) {
    cache.tick();
    expect(device.heap.doubles[cache.find(own, [n])!.block.address / 8]).toBe(n);
    expect(device.report().kinds.tables - start).toBeLessThanOrEqual(3 * 2 ** 16);
  }
  expect(asked).toEqual([1, 2, 3, 4, 2]);
});

test('integers that they do not depend on ask for no further ones', () => {
  const asked: number[] = [];
  const cache = new execution.TableCache(new Device({}));
  const own = { ...owner(64, asked), tableIntegers: [0] };
  const [first, second, other] = [[5, 1], [5, 2], [6, 1]].map((integers) => cache.find(own, integers));
  expect(second).toBe(first);
  expect(other).not.toBe(first);
  expect(asked).toEqual([5, 6]);
});

test('what one run needs stays, however much it is', () => {
  const device = new Device({});
  const cache = new execution.TableCache(device, 2 ** 16);
  cache.tick();
  const tables = [1, 2, 3].map((n) => cache.find(owner(2 ** 16), [n])!);
  expect(tables.map(({ block }) => device.heap.doubles[block.address / 8])).toEqual([1, 2, 3]);
  cache.tick();
  cache.find(owner(2 ** 16), [4]);
  expect(tables.map(({ block }) => block.address)).toEqual([0, 0, 0]);
});

test('no more than 256 of them', () => {
  const device = new Device({});
  const cache = new execution.TableCache(device);
  const blocks: Block[] = [];
  for (let n = 0; n < 300; n++) {
    cache.tick();
    blocks.push(cache.find(owner(64), [n])!.block);
  }
  expect(blocks.filter(({ address }) => address !== 0).length).toBe(256);
});

test.skipIf(guarded)('the memory is given back to tensors when it is short', () => {
  const engine = createTunedEngine({ modules: [hostModule({ tables: () => new Float64Array(MiB) })], memory: { maximumBytes: 24 * MiB } }, {});
  const executable = engine.compile(planFor(engine, [[2]], (x) => scaled(x, 2)));
  const once = (): void => executable.run([{ data: Float64Array.of(1, 2), shape: [2] }]).forEach((output) => output.dispose());
  once();
  expect(engine.memory().kinds.tables).toBe(8 * MiB);
  engine.upload('float64', [2 * MiB], new Float64Array(2 * MiB)).dispose();
  expect(engine.memory().kinds.tables).toBe(0);
  once();
  expect(engine.memory().kinds.tables).toBe(8 * MiB);
});

test('tables that a run needs in the middle never take the arena, which holds what it has computed', () => {
  const device = new Device({ maximumBytes: 24 * MiB });
  device.ensureArena(10 * MiB);
  const { arena, arenaEpoch } = device;
  const large = (): unknown => device.placeTable(new Float64Array(2 * MiB));
  expect(() => device.keepingArena(() => void large())).toThrow(expect.objectContaining({ name: 'TooLargeError' }));
  expect([device.arena, device.arenaEpoch]).toEqual([arena, arenaEpoch]);
  large();
  expect(device.arenaEpoch).toBe(arenaEpoch + 1);
});
