import { contractVersion, type Extension } from '@tf/core';
import { factorisationMembers } from './factorisations.ts';
import { type FamilyOperation, linalgFamily } from './family.ts';
import { spectralMembers } from './spectral.ts';
import { linalgVersion } from './version.ts';

const members: readonly FamilyOperation[] = [...spectralMembers, ...factorisationMembers];

/**
 * The operations that all functions of the package are made of, with their derivatives: for `createCatalog`. Engines run them with one
 * of the execution modules.
 *
 * @example
 * import { AdContext, createCatalog } from '@tf/core';
 * import { linalgExtension } from '@tf/linalg';
 * const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
 * if (context.catalog.operation('tf.linalg.v1.eigh') === undefined) throw new Error('unexpected');
 */
export const linalgExtension: Extension = Object.freeze({
  contract: contractVersion,
  family: linalgFamily,
  package: '@tf/linalg',
  version: linalgVersion,
  operations: Object.freeze(members.map(({ operation }) => operation)),
  rules: Object.freeze(Object.fromEntries(members.map(({ operation, rule }) => [operation.name, rule]))),
});
