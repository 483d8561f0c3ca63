// What each module holds: one per dtype. Routines are named without the letter of their dtype.

/** Prefix of the real and of the complex routines. */
export const modules = [
  { dtype: 'float64', precision: 8, real: 'd' },
  { dtype: 'float32', precision: 4, real: 's' },
  { dtype: 'complex128', precision: 8, real: 'd', complex: 'z' },
  { dtype: 'complex64', precision: 4, real: 's', complex: 'c' },
].filter((m) => !m.complex);

const shared = ['gelqf', 'gebrd', 'gesvd', 'geqrf', 'geqp3', 'geev', 'gees', 'trsyl'];
const realOnly = ['ormlq', 'bdsdc', 'orgqr', 'ormqr', 'ormbr', 'syevd'];
const complexOnly = ['unmlq', 'ungqr', 'unmqr', 'unmbr', 'heevd'];

/** What the shims of a module call. */
export const rootsOf = ({ real, complex }) =>
  complex === undefined
    ? [...shared, ...realOnly].map((name) => real + name)
    : [...[...shared, ...complexOnly].map((name) => complex + name), ...['bdsdc'].map((name) => real + name)];

/** C files of a module; each is compiled once per precision. */
export const unitsOf = ({ complex }) => (complex === undefined ? ['base.c', 'real.c', 'kernels.c'] : ['base.c', 'real.c', 'complex.c', 'kernels.c']);
