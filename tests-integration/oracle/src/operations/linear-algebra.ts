import type { Operand } from '@tf/core';
import { eigh, eigvalsh, svd, svdFull, svdvals } from '@tf/linalg';
import { type ArgumentReader, type OracleOperation, unary } from './operation.ts';

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

export const linearAlgebraOperations: readonly (readonly [string, OracleOperation])[] = [
  ['svd', several(singular)],
  ['svdvals', unary(svdvals)],
  ['eigh', several(hermitian)],
  ['eigvalsh', unary(eigvalsh)],
];
