import { argsort, imag, mul, type Operand, real, round, takeAlongAxis } from '@tf/core';
import { cholesky, cond, det, eig, eigh, eigvals, eigvalsh, inv, lstsq, lu, matrixExp, matrixNorm, type MatrixOrder, matrixPower, pinv, qr, slogdet, solve, svd, svdFull, svdvals, triangularSolve } from '@tf/linalg';
import { type ArgumentReader, binary, type OracleOperation, unary, withArguments } from './operation.ts';

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

function general(x: Operand): readonly unknown[] {
  const { values, vectors } = eig(x);
  return [values, vectors];
}

type Indices = Parameters<typeof takeAlongAxis>[1];

/** In ascending order of a key, equal ones as they were. */
function orderedBy(w: Operand, key: (w: Operand) => unknown): Operand {
  const rounded = round(mul(key(w) as Operand, 1e9) as Operand) as Operand;
  return takeAlongAxis(w, argsort(rounded, -1) as Indices, -1) as Operand;
}

/** By real part, and where that is the same to nine places by imaginary part: the order of the cases. */
function sortedEigenvalues(x: Operand): Operand {
  return orderedBy(orderedBy(eigvals(x) as Operand, imag), real);
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

function orderOf(args: ArgumentReader): MatrixOrder {
  const ord = args.raw('ord');
  return ord === 'inf' ? Infinity : ord === '-inf' ? -Infinity : (ord as MatrixOrder);
}

function leastSquares([a, b]: readonly Operand[]): readonly Operand[] {
  return [lstsq(a as Operand, b as Operand).x as Operand];
}

export const linearAlgebraOperations: readonly (readonly [string, OracleOperation])[] = [
  ['svd', several(singular)],
  ['svdvals', unary(svdvals)],
  ['eigh', several(hermitian)],
  ['eigvalsh', unary(eigvalsh)],
  ['eig', several(general)],
  ['eigvals', unary(sortedEigenvalues)],
  ['qr', several(orthogonal)],
  ['cholesky', unary(cholesky)],
  ['lu', several(triangular)],
  ['solve', binary(solve)],
  ['triangular_solve', triangularSystem],
  ['inv', unary(inv)],
  ['det', unary(det)],
  ['slogdet', several(signAndLog)],
  ['pinv', unary(pinv)],
  ['lstsq', leastSquares],
  ['cond', unary(cond)],
  ['matrix_exp', unary(matrixExp)],
  ['matrix_power', withArguments((x, args) => matrixPower(x, args.number('n')))],
  ['matrix_norm', withArguments((x, args) => matrixNorm(x, { ord: orderOf(args), keepdims: args.flag('keepdims') }))],
];
