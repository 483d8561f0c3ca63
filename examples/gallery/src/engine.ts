import type { Engine } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { fftWasm } from '@tf/fft/cpu-wasm';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import type { KernelSet } from './example.ts';

/** An engine with the kernels that an example names: in Node, on a page and in a worker. Dispose it after the run. */
export function createGalleryEngine(kernels: readonly KernelSet[]): Promise<Engine> {
  return createEngine({
    modules: [...(kernels.includes('linalg') ? linalgWasm('float64', 'complex128') : []), ...(kernels.includes('fft') ? [fftWasm()] : [])],
  });
}
