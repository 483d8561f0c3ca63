/**
 * Linear algebra on the matrices in the last two axes: decompositions, what is made of them, and their derivatives, which hold where
 * spectra are degenerate. Leading axes are batches.
 */
export { linalgExtension } from './extension.ts';
export { linalgFamily } from './family.ts';
export { eigh, type Eigh, type EighOptions, eigvalsh } from './eigh/operation.ts';
export type { Gauge, OnDegenerate, SpectralOptions } from './options.ts';
export { type LeftVectors, type RightVectors, type SingularValues, svd, type Svd, svdFull, type SvdFullOptions, type SvdOptions, svdvals } from './svd/svd.ts';
