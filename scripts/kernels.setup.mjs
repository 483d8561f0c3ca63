// Before tests that run kernels: compiles what is not up to date.
import { buildKernels } from './kernels.mjs';

export const setup = async () => void (await buildKernels());
