/** Kernels in the machine's own code, for the engine `cpu-blas-native`: LAPACK's algorithms by the routines of the library that the engine has opened. */
import { contractVersion } from '@tf/core';
import type { NativeKernel, NativeModule } from '@tf/engine-cpu-blas-native';
import { compiledDTypes, compiledNames, failingOf } from '../compiled.ts';
import { kernelSymbol, linalgFamily } from '../family.ts';
import { linalgVersion } from '../version.ts';

/**
 * Kernels of the family in the machine's own code: for `createEngine({ modules: [linalgNative()] })` of `@tf/engine-cpu-blas-native`.
 *
 * @example
 * import { linalgNative } from '@tf/linalg/cpu-blas-native';
 * if (linalgNative().engine !== 'cpu-blas-native') throw new Error('unexpected');
 */
export function linalgNative(): NativeModule {
  return {
    contract: contractVersion,
    family: linalgFamily,
    package: '@tf/linalg',
    version: linalgVersion,
    engine: 'cpu-blas-native',
    library: new URL('../../native-build/linalg.so', import.meta.url),
    kernels: Object.fromEntries(compiledDTypes.flatMap((dtype) => compiledNames(dtype).map((name): [string, NativeKernel] => [kernelSymbol(name, dtype), { symbol: `${name}_${dtype}`, isBatched: true, ...failingOf(name) }]))),
  };
}
