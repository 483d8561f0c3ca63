import { contractVersion, type Extension } from '@tf/core';
import { contractOperation } from './contract.ts';
import { diagonalOperation, embedOperation } from './diagonal.ts';
import { einsumFamily, type FamilyOperation } from './operations.ts';
import { einsumVersion } from './version.ts';

const members: readonly FamilyOperation[] = [contractOperation, diagonalOperation, embedOperation];

/**
 * The operations that an {@link einsum} is made of, with their derivatives: for `createCatalog`.
 *
 * @example
 * import { AdContext, createCatalog } from '@tf/core';
 * import { einsumExtension } from '@tf/einsum';
 * const context = new AdContext({ catalog: createCatalog([einsumExtension]) });
 * if (context.catalog.operation('tf.einsum.v1.contract') === undefined) throw new Error('unexpected');
 */
export const einsumExtension: Extension = Object.freeze({
  contract: contractVersion,
  family: einsumFamily,
  package: '@tf/einsum',
  version: einsumVersion,
  operations: Object.freeze(members.map(({ operation }) => operation)),
  rules: Object.freeze(Object.fromEntries(members.map(({ operation, rule }) => [operation.name, rule]))),
});
