/** The kernels in WebAssembly, one by one. */
import { reportPresence } from '@tf/testkit';
import { it } from 'vitest';
import { compiledKernelSuite } from './compiled-kernels.testing.ts';
import { lapackKernels, lapackPresence } from './lapack.testing.ts';

if (reportPresence({ it }, lapackPresence)) compiledKernelSuite('WebAssembly', lapackKernels());
