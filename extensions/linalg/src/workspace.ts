/** Working memory of the kernels that are compiled from C, as the rooms of lapack/c/kernels_*.h need it: enough for every engine. Kernels in JavaScript make arrays of their own. */
import { addDims, type Dim, type DType, dtypes, isComplex, isKnown, mulDims } from '@tf/core';

/** What LAPACK's blocked algorithms ask for: BLOCK columns, FACTOR words for a triangular factor, EIGEN_LENGTH (field.h, kernels_eigen.h). */
const [block, factor, perEigenvalue] = [32, 65 * 64, 200];
/** Each of a kernel's arrays begins at a multiple of 16 bytes. */
const padding = 16 * 16;

const sum = (...dims: readonly Dim[]): Dim => dims.reduce(addDims, 0);
const times = (...dims: readonly Dim[]): Dim => dims.reduce(mulDims, 1);

/** Bytes of an element, of its real part, of an int32. */
interface Sizes {
  readonly element: number;
  readonly real: number;
  readonly integer: number;
  readonly isComplex: boolean;
}

/** min(m, n), or one that is not smaller. */
const smaller = (m: Dim, n: Dim): Dim => (isKnown(m) && isKnown(n) ? Math.min(m, n) : m);
/** min(m, n)², or no less. */
const square = (m: Dim, n: Dim): Dim => (isKnown(m) && isKnown(n) ? Math.min(m, n) ** 2 : times(m, n));

function svdBytes({ element, real, integer }: Sizes, m: Dim, n: Dim): Dim {
  const [k, kk] = [smaller(m, n), square(m, n)];
  const elements = sum(times(m, n), kk, times(3, k), times(2 * block, sum(m, n)), factor);
  return sum(times(element, elements), times(real, sum(times(5, kk), times(8, k))), times(8 * integer, k));
}

function qrBytes({ element }: Sizes, m: Dim, n: Dim, columns: Dim): Dim {
  return times(element, sum(times(m, n), smaller(m, n), times(block, sum(m, n)), factor, times(m, columns)));
}

function pivotedBytes(sizes: Sizes, m: Dim, n: Dim): Dim {
  const beside = sum(times(sizes.element, sum(times(2 + block, n), block)), times(2 * sizes.real + sizes.integer, n));
  return sum(qrBytes(sizes, m, n, smaller(m, n)), beside);
}

function eighBytes({ element, real, integer, isComplex: complex }: Sizes, n: Dim): Dim {
  const reals = sum(times(2, n, n), times(6 + 2 * (block + 2), n), 1);
  const work = complex ? times(element, sum(times(n, n), times(block + 4, n))) : 0;
  return sum(times(element, n, n), times(real, reals), work, times(integer, sum(times(5, n), 3)));
}

function eigenBytes({ element, real }: Sizes, n: Dim): Dim {
  return sum(times(element, sum(times(2, n, n), times(perEigenvalue + 1, n), factor + 64)), times(3 * real, n));
}

/** Elements beside an m×n matrix for its LU: a panel of columns, or a copy with at most 64 bytes more in each column (FACTOR_ROOM). */
function factorElements(m: Dim, n: Dim): Dim {
  return sum(times(8, m), times(sum(m, 16), n));
}

function cofactorBytes(sizes: Sizes, n: Dim): Dim {
  const { element, real, integer } = sizes;
  return sum(svdBytes(sizes, n, n), times(element, sum(times(3, n, n), factorElements(n, n))), times(real + integer, n));
}

type Formula = (sizes: Sizes, ...extents: readonly Dim[]) => Dim;

/** Of the integers behind the size of the batch. */
const formulas: Readonly<Record<string, Formula>> = {
  svd: (sizes, m, n) => svdBytes(sizes, m!, n!),
  svdFull: (sizes, m, n) => svdBytes(sizes, m!, n!),
  svdLeft: (sizes, m, n) => svdBytes(sizes, m!, n!),
  svdRight: (sizes, m, n) => svdBytes(sizes, m!, n!),
  svdvals: (sizes, m, n) => svdBytes(sizes, m!, n!),
  qr: (sizes, m, n) => qrBytes(sizes, m!, n!, smaller(m!, n!)),
  qrComplete: (sizes, m, n) => qrBytes(sizes, m!, n!, m!),
  qrUpper: (sizes, m, n) => qrBytes(sizes, m!, n!, 0),
  householder: (sizes, m, n) => qrBytes(sizes, m!, n!, 0),
  householderApply: ({ element }, m, j, p) => times(element, sum(times(m!, sum(j!, p!)), times(block, sum(m!, p!)), factor)),
  qrPivoted: (sizes, m, n) => pivotedBytes(sizes, m!, n!),
  eigh: (sizes, n) => eighBytes(sizes, n!),
  eigvalsh: (sizes, n) => eighBytes(sizes, n!),
  eig: (sizes, n) => eigenBytes(sizes, n!),
  eigvals: (sizes, n) => eigenBytes(sizes, n!),
  schur: (sizes, n) => eigenBytes(sizes, n!),
  triangularSylvester: ({ element }, m, n) => times(element, sum(times(m!, m!), times(n!, n!), times(m!, n!))),
  lu: ({ element, integer }, m, n) => sum(times(integer, m!), times(element, factorElements(m!, n!))),
  luSolve: ({ element }, n, p) => times(element, n!, p!),
  cofactor: (sizes, n) => cofactorBytes(sizes, n!),
};

/** Bytes of working memory for the kernel of this name, with these integers; none for kernels that need none. */
export function workspaceBytes(name: string, dtype: DType, [, ...extents]: readonly Dim[]): Dim | undefined {
  const formula = Object.hasOwn(formulas, name) ? formulas[name] : undefined;
  if (formula === undefined) return undefined;
  const element = dtypes[dtype].bytes;
  const complex = isComplex(dtype);
  return sum(formula({ element, real: complex ? element / 2 : element, integer: 4, isComplex: complex }, ...extents), padding);
}
