import type { Operand } from '@tf/core';
import { cholesky, det, eigh, eigvalsh, inv, lu, matrixExp, matrixPower, qr, slogdet, solve, svd, svdFull, svdvals, triangularSolve } from '@tf/linalg';
import { type ArgumentReader, binary, type OracleOperation, unary } from './operation.ts';

type Parts = (x: Operand, args: ArgumentReader) => readonly unknown[];

/** An operation of one matrix with several results. */
function several(f: Parts): OracleOperation {
  return ([x], args) => f(x as Operand, args) as readonly Operand[];
}

function singular(x: Operand, args: ArgumentReader): readonly unknown[] {
  const { u, s, vh } = args.flag('full_matrices') ? svdFull(x) : svd(x);
  return [u, s, vh];
}

function hermitian(x: Operand): readonly unknown[] {
  const { values, vectors } = eigh(x);
  return [values, vectors];
}

function orthogonal(x: Operand, args: ArgumentReader): readonly unknown[] {
  const { q, r } = qr(x, args.raw('mode') === 'complete' ? { mode: 'complete' } : {});
  return [q, r];
}

function triangular(x: Operand): readonly unknown[] {
  const { p, l, u } = lu(x);
  return [p, l, u];
}

function signAndLog(x: Operand): readonly unknown[] {
  const { sign, logabsdet } = slogdet(x);
  return [sign, logabsdet];
}

const transposes = { N: 'matrix', T: 'transpose', C: 'adjoint' } as const;

function triangularSystem([a, b]: readonly Operand[], args: ArgumentReader): readonly Operand[] {
  const of = transposes[(args.raw('trans') ?? 'N') as keyof typeof transposes];
  const side = (args.raw('left') ?? true) === true ? 'left' : 'right';
  return [triangularSolve(a as Operand, b as Operand, { upper: !args.flag('lower'), of, side, unitDiagonal: args.flag('unit_diagonal') }) as Operand];
}

export const linearAlgebraOperations: readonly (readonly [string, OracleOperation])[] = [
  ['svd', several(singular)],
  ['svdvals', unary(svdvals)],
  ['eigh', several(hermitian)],
  ['eigvalsh', unary(eigvalsh)],
  ['qr', several(orthogonal)],
  ['cholesky', unary(cholesky)],
  ['lu', several(triangular)],
  ['solve', binary(solve)],
  ['triangular_solve', triangularSystem],
  ['inv', unary(inv)],
  ['det', unary(det)],
  ['slogdet', several(signAndLog)],
  ['matrix_exp', unary(matrixExp)],
  ['matrix_power', ([x], args) => [matrixPower(x as Operand, args.number('n')) as Operand]],
];
