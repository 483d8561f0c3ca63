import { AdContext, createCatalog } from '@tf/core';
import { createEngine as createNativeEngine } from '@tf/engine-cpu-blas-native';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine, engineSuite, type EngineSuiteOptions, extensionSuite, reportPresence } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { fftNativePresence, fftWasmPresence } from './run.testing.ts';
import { fftCases } from './src/cases.ts';
import { fftReference } from './src/cases/naive.ts';
import { fftExtension } from './src/index.ts';
import { fftNative } from './src/modules/cpu-blas-native.ts';
import { fftWasm } from './src/modules/cpu-wasm.ts';
import { fftHost } from './src/modules/host.ts';

extensionSuite({ describe, it }, { extension: fftExtension, cases: fftCases, operations: fftReference });

const family: Pick<EngineSuiteOptions, 'cases' | 'context' | 'operations'> = { cases: fftCases, context: new AdContext({ catalog: createCatalog([fftExtension]) }), operations: fftReference };
engineSuite({ describe, it }, { ...family, name: 'reference with fftHost()', create: ({ modules }) => createReferenceEngine({ modules: [...modules, fftHost()] }) });
engineSuite({ describe, it }, { ...family, name: 'cpu-wasm with fftHost()', create: ({ modules }) => createEngine({ modules: [...modules, fftHost()] }) });
if (reportPresence({ it }, fftWasmPresence)) engineSuite({ describe, it }, { ...family, name: 'cpu-wasm with fftWasm()', create: ({ modules }) => createEngine({ modules: [...modules, fftWasm()] }) });
if (reportPresence({ it }, fftNativePresence)) engineSuite({ describe, it }, { ...family, name: 'cpu-blas-native with fftNative()', create: (options) => createNativeEngine({ ...options, modules: [...options.modules, fftNative()] }) });

it('has host kernels for all operations in both precisions', () => {
  const { kernels } = createReferenceEngine({ modules: [fftHost()] });
  expect([...(kernels ?? [])].sort()).toEqual(['dft.complex128', 'dft.complex64', 'hdft.complex128', 'hdft.complex64', 'rdft.float32', 'rdft.float64'].map((name) => `tf.fft.v1.${name}`));
});
