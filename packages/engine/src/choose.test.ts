import { type Engine, TfError } from '@tf/core';
import { createEngine as createWasmEngine } from '@tf/engine-cpu-wasm';
import { expect, test } from 'vitest';
import { type Choice, createEngine, type EnginePackage } from './index.ts';

const notInstalled = (name: string): Error => Object.assign(new Error(`Cannot find package '@tf/engine-${name}'`), { code: 'ERR_MODULE_NOT_FOUND' });
const wasm: EnginePackage = { createEngine: (options) => createWasmEngine(options) };

/** cuda is not installed, native cannot run, wasm can, and one is broken. */
const load = async (name: string): Promise<EnginePackage> => {
  if (name === 'cpu-wasm') return wasm;
  if (name === 'cpu-blas-native') return { createEngine: () => Promise.reject(new TfError('EngineUnavailableError', 'cpu-blas-native: there is no BLAS.', {})) };
  if (name === 'broken') return { createEngine: () => Promise.reject(new TfError('ExtensionError', 'a module does not fit', {})) };
  throw notInstalled(name);
};

async function chosen(prefer: readonly string[]): Promise<{ readonly engine: Engine; readonly choice: Choice }> {
  const told: Choice[] = [];
  const engine = await createEngine({ prefer, load, tell: (choice) => void told.push(choice) });
  return { engine, choice: told[0]! };
}

test('takes the first that runs, and tells why not the others', async () => {
  const { engine, choice } = await chosen(['cuda-native', 'cpu-blas-native', 'cpu-wasm']);
  expect(engine.info.name).toBe('cpu-wasm');
  expect(choice.refused.map(({ engine: name }) => name)).toEqual(['cuda-native', 'cpu-blas-native']);
  expect(choice.text).toBe('tf runs on cpu-wasm, because\n  cuda-native: @tf/engine-cuda-native is not installed\n  cpu-blas-native: cpu-blas-native: there is no BLAS.');
  expect((await chosen(['cpu-wasm'])).choice.text).toBe('tf runs on cpu-wasm.');
});

test('gives each engine its own options', async () => {
  const engine = await createEngine({ prefer: ['cpu-wasm'], load, options: { 'cpu-wasm': { memory: { shared: false } }, 'cpu-blas-native': { threads: 1 } } });
  expect(engine.info.sharedMemory).toBe(false);
});

test('throws what is no absence, and where nothing runs', async () => {
  await expect(createEngine({ prefer: ['broken', 'cpu-wasm'], load })).rejects.toMatchObject({ name: 'ExtensionError' });
  await expect(createEngine({ prefer: ['cpu-wasm'], load, options: { 'cpu-wasm': { nonsense: 1 } } })).rejects.toMatchObject({ name: 'ArgumentError' });
  await expect(createEngine({ prefer: ['cuda-native', 'cpu-blas-native'], load })).rejects.toMatchObject({ name: 'EngineUnavailableError', message: expect.stringMatching(/cuda-native is not installed[\s\S]*no BLAS[\s\S]*npm install/) as unknown });
  await expect(createEngine({ prefer: ['cuda-native'], load: () => Promise.reject(new Error('disk')) })).rejects.toThrow('disk');
});

test.each([[{ prefer: [] }], [{ prefer: 'cpu-wasm' }], [{ prefered: [] }], [{ tell: 1 }], [{ options: 1 }], [null]])('refuses %j', async (options) => {
  await expect(createEngine(options as never)).rejects.toMatchObject({ name: 'ArgumentError' });
});

test('finds the installed packages by their names', async () => {
  const told: Choice[] = [];
  const engine = await createEngine({ prefer: ['no-such-engine', 'cpu-wasm'], tell: (choice) => void told.push(choice) });
  expect(engine.info.name).toBe('cpu-wasm');
  expect(told[0]!.refused.map(({ reason }) => reason)).toEqual([expect.stringContaining('cpu-blas-native, cpu-wasm')]);
});
