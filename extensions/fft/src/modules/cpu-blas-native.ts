/** Kernels in the machine's own code, for the engine `cpu-blas-native`: as wide as its vectors are. */
import { contractVersion } from '@tf/core';
import type { NativeKernel, NativeModule } from '@tf/engine-cpu-blas-native';
import { compiledKernels } from '../compiled.ts';
import { fftFamily } from '../family.ts';
import { widestBytes } from '../plan/layout.ts';
import { fftVersion } from '../version.ts';

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
    kernels: compiledKernels(widestBytes, (exported, kernel): NativeKernel => ({ symbol: exported, ...kernel })),
  };
}
