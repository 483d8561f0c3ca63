import { existsSync } from 'node:fs';
import { complexOf, type DType, type Engine } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { fftHost } from '@tf/fft/host';
import type { FloatDType, Input } from '../workloads.ts';

/** Our engine with the kernels of every family: their own where they were built, those in JavaScript elsewhere. */
export async function openEngine(): Promise<Engine> {
  const fft = fftWasm();
  return createEngine({ modules: [existsSync(fft.code as URL) ? fft : fftHost()] });
}

/** The dtype of an input of a workload in this precision. */
export function dtypeOf({ complex }: Input, dtype: FloatDType): DType {
  return complex === true ? complexOf(dtype) : dtype;
}
