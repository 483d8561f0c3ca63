/** The kernels in the machine's own code, one by one. */
import { reportPresence } from '@tf/testkit';
import { it } from 'vitest';
import { compiledKernelSuite } from './compiled-kernels.testing.ts';
import { nativeKernels, nativePresence } from './native.testing.ts';

if (reportPresence({ it }, nativePresence)) compiledKernelSuite('machine code', nativeKernels());
