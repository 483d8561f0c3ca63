/** Why an element of a batch has no result, by kernel: the same words whoever computes. */
export const failures = {
  triangularSylvester: 'an eigenvalue of the first matrix and one of the second add up to zero, so that there is no one solution',
  cholesky: 'the matrix is not positive definite. Add a small multiple of the identity, or take eigh or lu',
  luSolve: 'the matrix is singular: one of the pivots is exactly 0. Take lstsq or pinv, or add a multiple of the identity',
  triangularSolve: 'the triangular matrix is singular: one of its diagonal elements is exactly 0. Take lstsq or pinv, or change the diagonal',
  distinct: 'two of its singular values or eigenvalues are numerically equal, so that their vectors have no derivative. Leave onDegenerate out for losses that do not depend on the vectors one by one',
} as const;
