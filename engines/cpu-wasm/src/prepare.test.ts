import { loop } from '@tf/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEngineSync } from './index.ts';
import { argumentOf, contractPlan, elementwisePlan } from './testing/plans.ts';

const double = loop.add(argumentOf('float64', 0), argumentOf('float64', 0));
const plan = elementwisePlan(['float64'], 'float64', [3], double);
const input = { data: Float64Array.of(1, 2, 3), shape: [3] };
const realModule = WebAssembly.Module;

/** As a browser's main thread: modules above `limit` bytes only without blocking. */
function limitModules(limit: number): void {
  const Limited = function (bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
    if (bytes.length > limit) throw new RangeError('WebAssembly.Compile is disallowed on the main thread, if the buffer size is larger than 8MB.');
    return new realModule(bytes);
  };
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(WebAssembly) as typeof WebAssembly, { Module: Limited }));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('where modules compile at once', () => {
  test('prepare has nothing to do, and runAsync gives what run gives', async () => {
    const engine = createEngineSync();
    const executable = engine.compile(plan);
    await executable.prepare?.();
    expect(engine.read((await executable.runAsync!([input]))[0]!)).toEqual(Float64Array.of(2, 4, 6));
    await expect(executable.runAsync!([])).rejects.toThrow(expect.objectContaining({ name: 'ArgumentError' }));
    engine.dispose();
    await expect(executable.prepare!()).rejects.toThrow(expect.objectContaining({ name: 'DisposedError' }));
  });
});

describe('where a thread compiles large modules only without blocking', () => {
  test('a run says to prepare, and runs afterwards', async () => {
    limitModules(100);
    const engine = createEngineSync();
    const executable = engine.compile(plan);
    const before = engine.stats();
    expect(() => executable.run([input])).toThrow(expect.objectContaining({ name: 'ModuleNotLoadedError', message: expect.stringMatching(/await f\.prepare\(\)/) as string }));
    // The heap may have grown for the input; nothing of it stays in use.
    expect({ ...engine.stats(), bytesReserved: 0 }).toEqual({ ...before, bytesReserved: 0 });
    await Promise.all([executable.prepare!(), executable.prepare!()]);
    expect(engine.read(executable.run([input])[0]!)).toEqual(Float64Array.of(2, 4, 6));
    expect(engine.stats().modulesCompiled).toBe(1);
  });

  test('runAsync prepares, products of matrices included', async () => {
    limitModules(100);
    const engine = createEngineSync();
    const executable = engine.compile(contractPlan({ dtype: 'float64', m: 2, n: 2, k: 2 }));
    const [product] = await executable.runAsync!([{ data: Float64Array.of(1, 2, 3, 4), shape: [2, 2] }, { data: Float64Array.of(1, 0, 1, 1), shape: [2, 2] }]);
    expect(engine.read(product!)).toEqual(Float64Array.of(3, 2, 7, 4));
  });
});
