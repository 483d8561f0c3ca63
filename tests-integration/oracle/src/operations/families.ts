import { einsum } from '@tf/einsum';
import { fourierOperations } from './fourier.ts';
import type { OracleOperation } from './operation.ts';

/** Operations of packages beside core. */
export const familyOperations: readonly (readonly [string, OracleOperation])[] = [
  ...fourierOperations,
  ['einsum', (inputs, args) => [einsum(args.text('equation'), inputs)]],
];
