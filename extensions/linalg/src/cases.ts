/** Uses of the family that its laws are tried on, by theme. */
import type { ExtensionCase } from '@tf/testkit';
import { eighCases } from './cases/eigh.ts';
import { svdCases } from './cases/svd.ts';

export const linalgCases: readonly ExtensionCase[] = [...eighCases, ...svdCases];
