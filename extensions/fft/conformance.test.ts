import { createReferenceEngine, extensionSuite } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { fftCases } from './src/cases.ts';
import { fftExtension } from './src/index.ts';
import { fftHost } from './src/modules/host.ts';
import { fftReference } from './src/cases/naive.ts';

extensionSuite({ describe, it }, { extension: fftExtension, cases: fftCases, operations: fftReference });

it('has host kernels for all operations in both precisions', () => {
  const { kernels } = createReferenceEngine({ modules: [fftHost()] });
  expect([...(kernels ?? [])].sort()).toEqual(['dft.complex128', 'dft.complex64', 'hdft.complex128', 'hdft.complex64', 'rdft.float32', 'rdft.float64'].map((name) => `tf.fft.v1.${name}`));
});
