import { einsum } from '@tf/einsum';
import type { OracleOperation } from './operation.ts';

/** Operations of packages beside core. */
export const familyOperations: readonly (readonly [string, OracleOperation])[] = [
  ['einsum', (inputs, args) => [einsum(args.text('equation'), inputs)]],
];
