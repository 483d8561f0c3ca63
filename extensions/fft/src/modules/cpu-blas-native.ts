/** Kernels in the machine's own code, for the engine `cpu-blas-native`: as wide as its vectors are. */
import { contractVersion } from '@tf/core';
import type { NativeKernel, NativeModule } from '@tf/engine-cpu-blas-native';
import { fftFamily } from '../family.ts';
import { widestBytes } from '../plan/layout.ts';
import { kernelTables, type RealBytes } from '../plan/tables.ts';
import type { Transformation } from '../plan/workspace.ts';
import { fftVersion } from '../version.ts';

function kernel(name: Transformation, real: RealBytes): NativeKernel {
  return { symbol: `${name}_f${8 * real}`, tables: ([n]) => kernelTables(name, n as number, real, widestBytes), tableIntegers: [0] };
}

/**
 * Kernels of all transforms in the machine's own code: for `createEngine({ modules: [fftNative()] })` of `@tf/engine-cpu-blas-native`.
 * Results do not depend on how wide the machine's vectors are.
 *
 * @example
 * import { fftNative } from '@tf/fft/cpu-blas-native';
 * if (fftNative().engine !== 'cpu-blas-native') throw new Error('unexpected');
 */
export function fftNative(): NativeModule {
  return {
    contract: contractVersion,
    family: fftFamily,
    package: '@tf/fft',
    version: fftVersion,
    engine: 'cpu-blas-native',
    library: new URL('../../native-build/fft.so', import.meta.url),
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
