import { broadcastTo, exp, isTfError, matmul, mul, sum, tensor, zeros } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { jit, type TracedTensor } from '@tf/traced';
import { describe, expect, test } from 'vitest';

type F64 = TracedTensor<'float64'>;
const MiB = 2 ** 20;

function thrown(run: () => unknown): { readonly name: string; readonly message: string } {
  try {
    run();
  } catch (error) {
    if (isTfError(error)) return { name: error.name, message: error.message };
    throw error;
  }
  return { name: 'nothing', message: '' };
}

describe('element counts that no memory holds', async () => {
  const engine = await createEngine();
  const runtime = new EagerRuntime();
  const shapes: readonly (readonly [readonly number[], RegExp])[] = [
    [[65536, 32768], /^cpu-wasm: 2147483648 elements take 17179869184 bytes.*can address 4294967296/],
    [[65536, 65536], /^cpu-wasm: 4294967296 elements take 34359738368 bytes.*can address 4294967296/],
    [[2 ** 27, 2 ** 27], /^broadcastTo: shape \[134217728, 134217728\] has more than 2\^53 elements/],
    [[2 ** 29], /4294967296 bytes do not fit.*Dispose tensors/],
  ];

  test.each(shapes)('%j is a clear error before anything is allocated, traced and eager', (shape, says) => {
    const before = engine.stats().bytesReserved;
    const traced = thrown(() => jit((x: F64) => exp(broadcastTo(x, shape)), { engine })(1));
    const eager = thrown(() => runtime.session(engine, () => exp(broadcastTo(runtime.constant(1), shape))));
    for (const error of [traced, eager]) expect(error).toEqual({ name: 'TooLargeError', message: expect.stringMatching(says) as string });
    expect(engine.stats().bytesReserved).toBe(before);
    expect(engine.stats().bytesInUse).toBeLessThan(1e6);
    expect(jit((x: F64) => exp(x), { engine })(0).item()).toBe(1);
  });

  test('folded as they come, they need no memory at all', () => {
    expect(thrown(() => zeros([2 ** 27, 2 ** 27])).name).toBe('TooLargeError');
    expect(jit((x: F64) => sum(broadcastTo(x, [2 ** 13, 2 ** 12])), { engine })(1).item()).toBe(2 ** 25);
    expect(engine.stats().bytesInUse).toBeLessThan(1e6);
  });
});

describe('an engine of 64 MiB', () => {
  test('refuses 128 MiB with what was asked, what there is and advice; then small work goes on, traced and eager', async () => {
    const engine = await createEngine({ memory: { maximumBytes: 64 * MiB } });
    const runtime = new EagerRuntime();
    const w = runtime.variable([1, 2, 3]);
    const f = jit((x: F64, y: F64) => mul(broadcastTo(x, [16 * MiB]), y), { engine });
    const attempts = [() => f(1, 2), () => runtime.session(engine, () => mul(broadcastTo(w.sum(), [16 * MiB]), 2))];
    for (const attempt of attempts) {
      const error = thrown(attempt);
      expect(error.name).toBe('TooLargeError');
      expect(error.message).toMatch(new RegExp(`${128 * MiB}.*${64 * MiB}`));
      expect(error.message).toMatch(/[Dd]ispose|smaller/);
      expect(jit((x: F64) => mul(x, 2), { engine })(21).item()).toBe(42);
      runtime.session(engine, () => sum(mul(w, w)).backward());
      expect(w.grad?.toArray()).toEqual([2, 4, 6]);
      w.clearGrad();
    }
    engine.dispose();
  });
});

describe('what was read or is held when the memory grows', () => {
  test('stays as it was: A, then B of 64 MiB, then A again', async () => {
    const engine = await createEngine();
    const a = jit((x: F64) => mul(x, 2), { engine })(tensor([1, 2, 3]));
    const view = await a.data();
    const before = engine.stats().bytesReserved;
    const b = jit((x: F64) => mul(x, 1), { engine })(tensor(new Float64Array(8 * MiB).fill(1)));
    expect(engine.stats().bytesReserved).toBeGreaterThan(before);
    expect([...view]).toEqual([2, 4, 6]);
    expect(a.toArray()).toEqual([2, 4, 6]);
    view[0] = 100;
    expect(a.toArray()).toEqual([2, 4, 6]);
    expect(jit((x: F64) => matmul(x, x), { engine })(a as never).item()).toBe(56);
    b.dispose();
    engine.dispose();
  });
});
