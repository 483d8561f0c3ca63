/** For `pnpm test:native-sanitized`: the kernels in the machine's own code alone. */
import { AdContext, createCatalog } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-blas-native';
import { engineSuite, reportPresence } from '@tf/testkit';
import { describe, it } from 'vitest';
import { fftNativePresence } from './run.testing.ts';
import { fftCases } from './src/cases.ts';
import { fftReference } from './src/cases/naive.ts';
import { fftExtension } from './src/index.ts';
import { fftNative } from './src/modules/cpu-blas-native.ts';

if (reportPresence({ it }, fftNativePresence)) {
  for (const level of [0, 1, 2] as const) {
    engineSuite({ describe, it }, {
      name: `cpu-blas-native with fftNative(), level ${level}`, create: (options) => createEngine({ ...options, level, modules: [...options.modules, fftNative()] }),
      cases: fftCases, context: new AdContext({ catalog: createCatalog([fftExtension]) }), operations: fftReference,
    });
  }
}
