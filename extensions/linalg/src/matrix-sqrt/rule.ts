/** dR solves R dR + dR R = dA (Higham 2008, §6.1), by the factors of the value: R = Z S Zᴴ is a Schur decomposition of R. */
import { type DerivativeRule, type Operand, type Var } from '@tf/core';
import { type FamilyOperation, withRule } from '../family.ts';
import { solveSylvester } from '../sylvester/operation.ts';
import { matrixSqrtOperation, triangularSqrtOperation } from './operation.ts';

const matrixSqrtRule: DerivativeRule = {
  kind: 'rule',
  linearize: (ctx, [da]) => {
    const [root, s, z] = [ctx.output(0) as Operand, ctx.input(1) as Operand, ctx.input(2) as Operand];
    return [da && (solveSylvester(root, root, { t: s, z, u: s, w: z }, da, false) as Var)];
  },
  caveats: [
    'there is no derivative where an eigenvalue is 0, and the run fails; on the negative axis the root jumps',
    'the factors among its operands are constant for derivatives, which the matrix itself has',
  ],
};

export const matrixSqrtMembers: readonly FamilyOperation[] = [
  withRule(matrixSqrtOperation, matrixSqrtRule),
  withRule(triangularSqrtOperation, { kind: 'none', reason: 'it is a step of matrixSqrt, which has a derivative of its own: differentiate that' }),
];
