import { contractVersion, type Extension } from '@tf/core';
import { dftOperation } from './dft.ts';
import { type FamilyOperation, fftFamily } from './family.ts';
import { hdftOperation, rdftOperation } from './half-spectrum.ts';
import { fftVersion } from './version.ts';

const members: readonly FamilyOperation[] = [dftOperation, rdftOperation, hdftOperation];

/**
 * The operations that all transforms are made of, with their derivatives: for `createCatalog`. Engines run them with one of the
 * execution modules.
 *
 * @example
 * import { AdContext, createCatalog } from '@tf/core';
 * import { fftExtension } from '@tf/fft';
 * const context = new AdContext({ catalog: createCatalog([fftExtension]) });
 * if (context.catalog.operation('tf.fft.v1.dft') === undefined) throw new Error('unexpected');
 */
export const fftExtension: Extension = Object.freeze({
  contract: contractVersion,
  family: fftFamily,
  package: '@tf/fft',
  version: fftVersion,
  operations: Object.freeze(members.map(({ operation }) => operation)),
  rules: Object.freeze(Object.fromEntries(members.map(({ operation, rule }) => [operation.name, rule]))),
});
