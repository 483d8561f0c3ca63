import { existsSync } from 'node:fs';
import { complexOf, coreVersion, type DType, type Engine } from '@tf/core';
import { createEngine as createNativeEngine, createEngineSync as createNativeEngineSync } from '@tf/engine-cpu-blas-native';
import { codeUrl, createEngine, createEngineSync, type WasmModule } from '@tf/engine-cpu-wasm';
import { fftNative } from '@tf/fft/cpu-blas-native';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import { linalgNative } from '@tf/linalg/cpu-blas-native';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { linalgHost } from '@tf/linalg/host';
import type { ContenderKind, ContenderSource } from '../contender.ts';
import type { FloatDType, Input, Workload } from '../workloads.ts';
import { prepareFrom, type Tasks } from './adapter.ts';

/** The engine that everybody has, or the machine's own, which throws where it cannot run. */
export type EngineName = 'cpu-wasm' | 'cpu-blas-native';

/** Our engine with the kernels of every family: their own where they were built, those in JavaScript elsewhere. */
export async function openEngine(name: EngineName): Promise<Engine> {
  // One thread, as every contender has.
  if (name === 'cpu-blas-native') return createNativeEngine({ threads: 1, modules: [fftNative(), linalgNative()] });
  const [fft, ...linalg] = [fftWasm(), ...linalgWasm('float64', 'complex128')] as const;
  const isBuilt = (module: WasmModule): boolean => existsSync(codeUrl(module)!);
  return createEngine({ modules: [isBuilt(fft) ? fft : fftHost(), ...(linalg.every(isBuilt) ? linalg : [linalgHost()])] });
}

/** Another engine of this kind, with core's operations and nothing compiled. */
export function freshEngine({ info }: Engine): Engine {
  return info.name === 'cpu-wasm' ? createEngineSync() : createNativeEngineSync({ threads: 1 });
}

/** A front end of ours on an engine, which is open as long as the contender is. */
export function sourceOn(engineName: EngineName, name: string, kind: ContenderKind, tasksOn: (engine: Engine) => Tasks, whyNot: (workload: Workload) => string | undefined): ContenderSource {
  return {
    name,
    kind,
    async open() {
      const engine = await openEngine(engineName);
      return { name, kind, version: coreVersion, prepare: prepareFrom(tasksOn(engine), whyNot), close: () => engine.dispose() };
    },
  };
}

/** The dtype of an input of a workload in this precision. */
export function dtypeOf({ complex }: Input, dtype: FloatDType): DType {
  return complex === true ? complexOf(dtype) : dtype;
}
