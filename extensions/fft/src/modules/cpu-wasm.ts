/** Kernels in WebAssembly SIMD, for the engine `cpu-wasm`. */
import { contractVersion } from '@tf/core';
import type { WasmKernel, WasmModule } from '@tf/engine-cpu-wasm';
import { fftFamily } from '../family.ts';
import { simdBytes } from '../plan/layout.ts';
import { kernelTables, type RealBytes } from '../plan/tables.ts';
import type { Transformation } from '../plan/workspace.ts';
import { fftVersion } from '../version.ts';

function kernel(name: Transformation, real: RealBytes): WasmKernel {
  return { export: `${name}_f${8 * real}`, tables: ([n]) => kernelTables(name, n as number, real, simdBytes), tableIntegers: [0] };
}

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
    code: new URL('../../wasm/fft.wasm', import.meta.url),
    kernels: {
      [`${fftFamily}.dft.complex64`]: kernel('dft', 4),
      [`${fftFamily}.dft.complex128`]: kernel('dft', 8),
      [`${fftFamily}.rdft.float32`]: kernel('rdft', 4),
      [`${fftFamily}.rdft.float64`]: kernel('rdft', 8),
      [`${fftFamily}.hdft.complex64`]: kernel('hdft', 4),
      [`${fftFamily}.hdft.complex128`]: kernel('hdft', 8),
    },
  };
}
