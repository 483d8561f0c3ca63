import type { Engine, HostModule } from '@tf/core';
import type { NativeModule } from '@tf/engine-cpu-blas-native';
import { codeUrl, type WasmModule } from '@tf/engine-cpu-wasm';
import { fftNative } from '@tf/fft/cpu-blas-native';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import { linalgNative } from '@tf/linalg/cpu-blas-native';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { linalgHost } from '@tf/linalg/host';
import { existsSync } from 'node:fs';

/** A family's own kernels where they were built, else those in JavaScript: said where it is so, and refused where `TF_REQUIRE` names them. */
export function builtOr<M extends WasmModule | NativeModule>(name: string, own: readonly M[], host: HostModule, required: string = process.env['TF_REQUIRE'] ?? ''): readonly (M | HostModule)[] {
  if (own.every((module) => existsSync(('library' in module ? module.library : codeUrl(module)) as URL))) return own;
  if (required.split(',').some((one) => one.trim() === name)) throw new Error(`the kernels ${name} are absent and required (TF_REQUIRE): node scripts/kernels.mjs builds them, or says what it needs`);
  console.error(`kernels ${name}: absent; those in JavaScript run instead`);
  return [host];
}

/** How an engine of this name is made: one line for each that the runner may be asked for. */
const engines: Readonly<Record<string, () => Promise<Engine>>> = Object.freeze({
  'cpu-wasm': async () => (await import('@tf/engine-cpu-wasm')).createEngine({ modules: [...builtOr('fft-wasm', [fftWasm()], fftHost()), ...builtOr('linalg-wasm', linalgWasm(), linalgHost())] }),
  'cpu-blas-native': async () => (await import('@tf/engine-cpu-blas-native')).createEngine({ modules: [...builtOr('fft-native', [fftNative()], fftHost()), ...builtOr('linalg-native', [linalgNative()], linalgHost())] }),
  'cpu-wasm-host': async () => (await import('@tf/engine-cpu-wasm')).createEngine({ modules: [fftHost(), linalgHost()] }),
});

/** Throws when there is no such engine, or it cannot be made here. */
export async function openEngine(name: string): Promise<Engine> {
  const open = Object.hasOwn(engines, name) ? engines[name] : undefined;
  if (open === undefined) throw new Error(`the runner knows ${Object.keys(engines).join(', ')}`);
  return open();
}

export interface RunCounter {
  runs: number;
}

/** Counts the runs of whatever the engine compiles from now on. The engine stays the same object: buffers refer to it. */
export function countRuns(engine: Engine): RunCounter {
  const counter: RunCounter = { runs: 0 };
  const compile = engine.compile.bind(engine);
  const counted: Engine['compile'] = (plan) => {
    const executable = compile(plan);
    return {
      plan: executable.plan,
      run(inputs) {
        counter.runs++;
        return executable.run(inputs);
      },
    };
  };
  Object.defineProperty(engine, 'compile', { value: counted });
  return counter;
}
