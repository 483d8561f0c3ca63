/** Kernels in WebAssembly SIMD, for the engine `cpu-wasm`. */
import { contractVersion } from '@tf/core';
import type { WasmKernel, WasmModule } from '@tf/engine-cpu-wasm';
import { compiledKernels } from '../compiled.ts';
import { fftFamily } from '../family.ts';
import { simdBytes } from '../plan/layout.ts';
import { fftVersion } from '../version.ts';

/**
 * Kernels of all transforms in WebAssembly: for `createEngine({ modules: [fftWasm()] })` of `@tf/engine-cpu-wasm`.
 *
 * @example
 * import { fftWasm } from '@tf/fft/cpu-wasm';
 * if (fftWasm().engine !== 'cpu-wasm') throw new Error('unexpected');
 */
export function fftWasm(): WasmModule {
  return {
    contract: contractVersion,
    family: fftFamily,
    package: '@tf/fft',
    version: fftVersion,
    engine: 'cpu-wasm',
    code: [() => new URL('../../wasm/fft.wasm', import.meta.url), () => import('../../wasm/fft.wasm.mjs').then(({ code }) => code())],
    kernels: compiledKernels(simdBytes, (exported, kernel): WasmKernel => ({ export: exported, ...kernel })),
  };
}
