import { existsSync } from 'node:fs';
import { complexOf, type DType, type Engine } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { linalgHost } from '@tf/linalg/host';
import type { FloatDType, Input } from '../workloads.ts';

/** Our engine with the kernels of every family: their own where they were built, those in JavaScript elsewhere. */
export async function openEngine(): Promise<Engine> {
  const [fft, ...linalg] = [fftWasm(), ...linalgWasm('float64', 'complex128')] as const;
  const isBuilt = ({ code }: { readonly code: unknown }): boolean => existsSync(code as URL);
  return createEngine({ modules: [isBuilt(fft) ? fft : fftHost(), ...(linalg.every(isBuilt) ? linalg : [linalgHost()])] });
}

/** The dtype of an input of a workload in this precision. */
export function dtypeOf({ complex }: Input, dtype: FloatDType): DType {
  return complex === true ? complexOf(dtype) : dtype;
}
