/** The kernels of factorisations and of what they solve. */
import type { HostKernel } from '@tf/core';
import { fullPivotKernels } from './full-pivot.ts';
import { householderKernels } from './householder.ts';
import { luKernels } from './lu.ts';
import { triangularKernels } from './triangular.ts';

export const factorisationKernels: Readonly<Record<string, HostKernel>> = { ...luKernels, ...fullPivotKernels, ...triangularKernels, ...householderKernels };
