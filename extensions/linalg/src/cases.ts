/** Uses of the family that its laws are tried on, by theme. */
import type { ExtensionCase } from '@tf/testkit';
import { eighCases } from './cases/eigh.ts';
import { functionCases } from './cases/functions.ts';
import { generalCases } from './cases/general.ts';
import { productCases } from './cases/products.ts';
import { qrCases } from './cases/qr.ts';
import { svdCases } from './cases/svd.ts';
import { systemCases } from './cases/systems.ts';

export const linalgCases: readonly ExtensionCase[] = [...eighCases, ...svdCases, ...functionCases, ...generalCases, ...systemCases, ...qrCases, ...productCases];
