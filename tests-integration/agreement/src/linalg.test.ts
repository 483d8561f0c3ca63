import { abs, AdContext, add, conj, createCatalog, exp, type HostModule, mul, type Operand, real, sqrt, sum, swapaxes, tensor } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { cholesky, cond, det, eig, eigh, eigvals, inv, linalgExtension, logdet, lstsq, lu, matrixExp, matrixSqrt, pinv, polar, qr, slogdet, solve, svd, svdvals, sylvester, triangularSolve } from '@tf/linalg';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { linalgHost } from '@tf/linalg/host';
import { createReferenceEngine, reportPresence } from '@tf/testkit';
import { describe, test } from 'vitest';
import { expectSameBits, linalgPresence } from './families.testing.ts';

const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
const host = linalgHost();
const engines = [
  ['kernels in JavaScript', await createEngine({ modules: [host as HostModule] })],
  ...(reportPresence({ it: test }, linalgPresence) ? [['LAPACK in WebAssembly', await createEngine({ modules: linalgWasm() })] as const] : []),
] as const;
const reference = createReferenceEngine({ modules: [host] });

const transposed = (x: Operand): Operand => swapaxes(x, -1, -2) as Operand;
const times = (a: Operand, b: Operand): Operand => sum(mul(a, b)) as Operand;
const power = (z: Operand): Operand => sum(real(mul(conj(z), z))) as Operand;
const symmetric = (x: Operand): Operand => mul(add(x, transposed(x)) as Operand, 0.5) as Operand;
const definite = (x: Operand): Operand => add(mul(symmetric(x), 0.25), tensor([[3, 0, 0], [0, 4, 0], [0, 0, 5]])) as Operand;
const weights = tensor([[1, -2, 0.5], [0.25, 3, -1], [2, 0.75, 1.5]]);

/** Differentiated, these run a decomposition that has vectors: by another algorithm, which may change last digits (contracts.md §3.6). */
const augmented: ReadonlySet<string> = new Set(['singular values', 'eigenvalues', 'a condition number']);

const losses: readonly (readonly [string, (x: Operand) => Operand])[] = [
  ['singular values', (x) => sum(sqrt(svdvals(x) as Operand))],
  ['singular vectors', (x) => { const { u, vh } = svd(x); return times(mul(u, u), mul(vh, vh)); }],
  ['eigenvectors of a symmetric matrix', (x) => { const { values, vectors } = eigh(symmetric(x)); return times(mul(vectors, vectors), exp(values)); }],
  ['eigenvalues', (x) => power(eigvals(x) as Operand)],
  ['eigenvectors', (x) => sum(abs(eig(x).vectors as Operand))],
  ['a polar factor', (x) => times(polar(x).u as Operand, weights)],
  ['the factors of QR', (x) => { const { q, r } = qr(x, { gauge: 'positiveDiagonal' }); return add(times(q, weights), times(r, weights)) as Operand; }],
  ['a Cholesky factor', (x) => times(cholesky(definite(x)) as Operand, weights)],
  ['triangular factors', (x) => { const { l, u } = lu(x); return add(times(l, weights), times(u, weights)) as Operand; }],
  ['a solution and a determinant', (x) => add(times(solve(x, weights) as Operand, weights), det(x)) as Operand],
  ['an inverse and a logarithm', (x) => add(times(inv(x) as Operand, weights), slogdet(x).logabsdet) as Operand],
  ['a logarithm of a definite matrix', (x) => logdet(definite(x)) as Operand],
  ['a triangular system', (x) => times(triangularSolve(x, weights) as Operand, weights)],
  ['a pseudo-inverse and least squares', (x) => add(times(pinv(x) as Operand, weights), times(lstsq(x, weights).x as Operand, weights)) as Operand],
  ['a condition number', (x) => cond(x) as Operand],
  ['an exponential', (x) => times(matrixExp(x) as Operand, weights)],
  ['a root', (x) => power(matrixSqrt(x) as Operand)],
  ['a Sylvester equation', (x) => times(sylvester(x, definite(x), weights) as Operand, weights)],
];
const data = tensor([[2, -0.5, 0.25], [0.75, 1.5, -0.4], [-0.3, 0.6, 3]]);
const direction = tensor([[1, 0, -1], [0.5, 2, 0], [0.3, -0.7, 0.2]]);

describe.each(engines)('%s', (_kernels, engine) => {
  // One after the other, as eager computes them: what runs together shares decompositions, of which the larger covers the smaller.
  test.each(losses)('%s: the same bits and gradients of two orders traced and eager', (name, f) => expectSameBits({ f, data, direction, context, engine, reference, digits: 9, tolerance: augmented.has(name) ? 1e-11 : 0 }));
});
