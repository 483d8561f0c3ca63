import { abs, add, matmul, mul, type Operand, real, sum, transpose } from '@tf/core';
import { cholesky, eig, eigh, inv, qr, slogdet, solve, svd } from '@tf/linalg';
import type { Decomposition } from '../matrices.ts';
import type { Tensors } from './tf-functions.ts';

/** What a decomposition gives, in the order in which `digest` takes it: the same in both front ends. */
export const decompositions: Readonly<Record<Decomposition, (inputs: Tensors) => readonly Operand[]>> = {
  svd: ({ a }) => {
    const { u, s, vh } = svd(a as Operand);
    return [u, s, vh];
  },
  eigh: ({ a }) => {
    const { values, vectors } = eigh(a as Operand);
    return [values, vectors];
  },
  qr: ({ a }) => {
    const { q, r } = qr(a as Operand);
    return [q, r];
  },
  eig: ({ a }) => {
    const { values, vectors } = eig(a as Operand);
    return [values, vectors];
  },
  cholesky: ({ a }) => [cholesky(a as Operand)],
  solve: ({ a, b }) => [solve(a as Operand, b as Operand)],
  inv: ({ a }) => [inv(a as Operand)],
  slogdet: ({ a }) => [slogdet(a as Operand).logabsdet],
};

const weighed = (c: Operand | undefined, x: Operand): Operand => sum(mul(c as Operand, x) as Operand);
const symmetric = (a: Operand): Operand => mul(add(a, transpose(a)), 0.5) as Operand;

/** Losses that do not depend on the signs of singular vectors and eigenvectors; their gradients are known in closed form (`matrices.ts`). */
export const linalgLosses: Readonly<Record<Decomposition, (inputs: Tensors) => Operand>> = {
  svd: ({ a, c }) => {
    const { u, s, vh } = svd(a as Operand);
    return weighed(c, matmul(mul(u, mul(s, mul(s, s))) as Operand, vh) as Operand);
  },
  eigh: ({ a, c }) => {
    const { values, vectors } = eigh(symmetric(a as Operand));
    return weighed(c, matmul(mul(vectors, mul(values, values)) as Operand, transpose(vectors)) as Operand);
  },
  qr: ({ a, c, e }) => {
    const { q, r } = qr(a as Operand);
    return add(weighed(c, q), weighed(e, r)) as Operand;
  },
  eig: ({ a }) => {
    const { values, vectors } = eig(a as Operand);
    const lengths = abs(vectors);
    return add(sum(real(mul(values, values))), sum(mul(lengths, lengths))) as Operand;
  },
  cholesky: ({ a, c }) => weighed(c, cholesky(symmetric(a as Operand))),
  solve: ({ a, b, c }) => weighed(c, solve(a as Operand, b as Operand)),
  inv: ({ a, c }) => weighed(c, inv(a as Operand)),
  slogdet: ({ a }) => slogdet(a as Operand).logabsdet,
};
