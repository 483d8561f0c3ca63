/** What the decompositions become in StableHLO. */
import type { StableHloFamily } from '@tf/export-stablehlo';
import { linalgFamily } from '../family.ts';
import { factorisationRoles } from './factorisations.ts';
import { pivotingRoles } from './pivoting.ts';
import { spectralRoles } from './spectral.ts';
import { triangleRoles } from './triangles.ts';

/**
 * `cholesky` and `triangular_solve` of StableHLO; the other decompositions as the calls of LAPACK that JAX's runtime registers on CPUs, or as
 * loops. What is not here becomes what it lowers to.
 */
export const linalgStableHlo: StableHloFamily = {
  family: linalgFamily,
  operations: { ...factorisationRoles, ...pivotingRoles, ...spectralRoles, ...triangleRoles },
};
