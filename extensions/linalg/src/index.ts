/**
 * Linear algebra on the matrices in the last two axes: decompositions, what is made of them, and their derivatives, which hold where
 * spectra are degenerate. Leading axes are batches.
 */
export { linalgExtension } from './extension.ts';
export { linalgFamily } from './family.ts';
export { eigh, type Eigh, type EighOptions, eigvalsh } from './eigh/operation.ts';
export { cholesky, type CholeskyOptions } from './cholesky/operation.ts';
export { det, logdet, type SignAndLog, slogdet } from './determinant/determinant.ts';
export { type FullPivLu, fullPivLu, lu, type Lu } from './lu/lu.ts';
export { type HouseholderFactors, HouseholderQr, householderQr } from './householder/householder-qr.ts';
export { qr, type Qr, type QrOptions } from './qr/qr.ts';
export { type RankOptions, rankRevealingQr, type RankRevealingQr } from './pivoted-qr/operation.ts';
export { cross } from './cross.ts';
export { matrixExp } from './matrix-exp/operation.ts';
export { matrixPower } from './matrix-power.ts';
export { multiDot } from './multi-dot.ts';
export { tensorinv, tensorsolve } from './tensor-systems.ts';
export { vander, type VanderOptions } from './vander.ts';
export { fullPivLuSolve, inv, solve } from './solve/solve.ts';
export type { Solution } from './systems.ts';
export { choleskySolve, type CholeskySolveOptions, triangularSolve, type TriangularSolveOptions } from './triangular/solve.ts';
export type { Gauge, OnDegenerate, SpectralOptions } from './options.ts';
export { type LeftVectors, type RightVectors, type SingularValues, svd, type Svd, svdFull, type SvdFullOptions, type SvdOptions, svdvals } from './svd/svd.ts';
export { eig, type Eig, type EigOptions, eigvals } from './eig/operation.ts';
export { type LeastSquares, lstsq, pinv } from './pinv/pinv.ts';
export { cond, type CondOptions } from './cond.ts';
export { sylvester } from './sylvester/sylvester.ts';
export { schur, type Schur } from './schur/operation.ts';
export { matrixLog } from './matrix-log/operation.ts';
export { matrixSqrt } from './matrix-sqrt/operation.ts';
export { type LinalgNormOptions, matrixNorm, type MatrixNormOptions, type MatrixOrder, norm } from './norms.ts';
export { matrixRank, nullSpace, orth, type ToleranceOptions } from './rank.ts';
export { polar, type Polar, type PolarOptions } from './polar.ts';
export { type TruncatedSvd, truncatedSvd, type TruncationOptions } from './truncated-svd.ts';
