/** Kernels in JavaScript: for every CPU engine. */
import { contractVersion, type HostModule } from '@tf/core';
import { linalgFamily } from '../family.ts';
import { distinctKernels } from '../host/distinct.ts';
import { factorisationKernels } from '../host/factorisations.ts';
import { spectralKernels } from '../host/spectral.ts';
import { linalgVersion } from '../version.ts';

/**
 * Kernels of the family in JavaScript: for `createEngine({ modules: [linalgHost()] })`, on every CPU engine.
 *
 * @example
 * import { linalgHost } from '@tf/linalg/host';
 * if (linalgHost().engine !== 'host') throw new Error('unexpected');
 */
export function linalgHost(): HostModule {
  return {
    contract: contractVersion,
    family: linalgFamily,
    package: '@tf/linalg',
    version: linalgVersion,
    engine: 'host',
    kernels: { ...distinctKernels, ...factorisationKernels, ...spectralKernels },
  };
}
