/** The operations of factorisations and of what they solve. */
import { choleskyMembers } from './cholesky/rule.ts';
import { determinantMembers } from './determinant/rule.ts';
import type { FamilyOperation } from './family.ts';
import { householderMembers } from './householder/rule.ts';
import { luMembers } from './lu/rule.ts';
import { matrixExpMembers } from './matrix-exp/rule.ts';
import { pivotedQrMembers } from './pivoted-qr/operation.ts';
import { qrMembers } from './qr/rule.ts';
import { solveMembers } from './solve/rule.ts';
import { triangularMembers } from './triangular/rule.ts';

export const factorisationMembers: readonly FamilyOperation[] = [...luMembers, ...solveMembers, ...triangularMembers, ...choleskyMembers, ...determinantMembers, ...qrMembers, ...householderMembers, ...pivotedQrMembers, ...matrixExpMembers];
