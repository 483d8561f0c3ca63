// What each module holds: one per dtype. Routines are named without the letter of their dtype.

/** Prefix of the real and of the complex routines. */
export const modules = [
  { dtype: 'float64', precision: 8, real: 'd' },
  { dtype: 'float32', precision: 4, real: 's' },
  { dtype: 'complex128', precision: 8, real: 'd', complex: 'z' },
  { dtype: 'complex64', precision: 4, real: 's', complex: 'c' },
];

const shared = ['gelqf', 'gebrd', 'bdsqr', 'geqrf', 'geqp3', 'gebal', 'gebak', 'gehrd', 'hseqr', 'trevc3', 'gees', 'trsyl'];
const realOnly = ['ormlq', 'bdsdc', 'orgqr', 'ormqr', 'ormbr', 'orghr', 'syevd'];
const complexOnly = ['unmlq', 'ungqr', 'unmqr', 'unmbr', 'unghr', 'heevd'];

/** What the shims of a module call. */
export const rootsOf = ({ real, complex }) =>
  complex === undefined
    ? [...shared, ...realOnly].map((name) => real + name)
    : [...[...shared, ...complexOnly].map((name) => complex + name), `${real}bdsdc`];

/** C files of a module; each is compiled once per precision. */
export const unitsOf = ({ complex }) => (complex === undefined ? ['base.c', 'real.c', 'kernels.c'] : ['base.c', 'real.c', 'complex.c', 'kernels.c']);

/** What c/ has instead of Fortran: all of the BLAS, and what is written in Fortran 90. The linker says when this list is wrong. */
const general = ['lsame', 'xerbla', 'ilaenv'];
const ofReal = ['asum', 'axpy', 'copy', 'dot', 'gemm', 'gemv', 'ger', 'isnan', 'labad', 'lamc3', 'lamch', 'larfb', 'lartg', 'lassq', 'nrm2', 'rot', 'roundup_lwork', 'scal', 'swap', 'symv', 'syr2', 'syr2k', 'trmm', 'trmv'];
const ofComplex = ['axpy', 'copy', 'dotc', 'dotu', 'gemm', 'gemv', 'gerc', 'hemv', 'her2', 'her2k', 'larfb', 'lartg', 'lassq', 'scal', 'swap', 'trmm', 'trmv', 'trsv'];
const mixed = ['dcabs1', 'scabs1', 'dzasum', 'scasum', 'dznrm2', 'scnrm2', 'zdrot', 'csrot', 'zdscal', 'csscal'];

export const ownRoutines = new Set([
  ...general, ...mixed,
  ...['d', 's'].flatMap((letter) => [...ofReal.map((name) => letter + name), `i${letter}amax`]),
  ...['z', 'c'].flatMap((letter) => [...ofComplex.map((name) => letter + name), `i${letter}amax`]),
]);

/**
 * What is called only with arguments that no kernel passes: sorting of Schur forms, bidiagonal vectors in compact form, tridiagonal
 * ones of a matrix that was reduced before. Their calls trap.
 */
export const unreached = new Set(['d', 's'].flatMap((letter) => ['trsen', 'lasda', 'laed7'].map((name) => letter + name)).concat(['z', 'c'].flatMap((letter) => ['trsen', 'laed0'].map((name) => letter + name))));

/** Routines with inner loops of their own, compiled for speed; all others for size. */
export const hot = new Set(['s', 'd', 'c', 'z'].flatMap((letter) => ['laqr5', 'lahqr', 'lasr', 'lasq5', 'lanv2', 'laed3', 'laed4', 'lacpy'].map((name) => letter + name)));
