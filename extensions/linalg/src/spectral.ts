/** The operations of spectral decompositions, and of what is solved with them. */
import { distinctMember } from './distinct/operation.ts';
import { eigMembers } from './eig/rule.ts';
import { eighMembers } from './eigh/rule.ts';
import type { FamilyOperation } from './family.ts';
import { matrixLogMembers } from './matrix-log/rule.ts';
import { matrixSqrtMembers } from './matrix-sqrt/rule.ts';
import { pinvMembers } from './pinv/rule.ts';
import { schurMember } from './schur/operation.ts';
import { svdMembers } from './svd/rule.ts';
import { sylvesterMembers } from './sylvester/rule.ts';

export const spectralMembers: readonly FamilyOperation[] = [distinctMember, ...eighMembers, ...eigMembers, ...svdMembers, ...pinvMembers, schurMember, ...sylvesterMembers, ...matrixSqrtMembers, ...matrixLogMembers];
