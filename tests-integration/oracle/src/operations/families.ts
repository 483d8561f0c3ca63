import { einsum } from '@tf/einsum';
import { fourierOperations } from './fourier.ts';
import { linearAlgebraOperations } from './linear-algebra.ts';
import type { OracleOperation } from './operation.ts';

/** Operations of packages beside core. */
export const familyOperations: readonly (readonly [string, OracleOperation])[] = [
  ...fourierOperations,
  ...linearAlgebraOperations,
  ['einsum', (inputs, args) => [einsum(args.text('equation'), inputs)]],
];
