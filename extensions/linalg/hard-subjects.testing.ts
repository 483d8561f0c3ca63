/** Hard matrices of one shape and dtype, with what is known of each in high precision. */
import { createRandom } from '@tf/testkit';
import { hardFamilies } from './hard-matrices.testing.ts';
import { minus, nearest, precise, type Precise, preciseAdjoint, preciseDeterminant, preciseProduct, preciseSvd, type PreciseSvd, reciprocal, sizeOf, spectralSum, unity, type Wide } from './high-precision.testing.ts';
import { adjoint, call, epsilonOf, isRealDType, type KernelDType, rounded } from './kernels.testing.ts';
import { type Matrix, multiplied, timesReal, zeroMatrix } from './src/host/matrix.ts';
import { linalgHost } from './src/modules/host.ts';

const { kernels } = linalgHost();

/** Decomposes a matrix that is not wider than tall, from what float64 finds on. */
function decomposed(a: Precise): PreciseSvd {
  const { rows, columns } = a;
  const [, , vh] = call(kernels, 'svd', 'complex128', [nearest(a)], [rows, columns], [{ rows, columns }, { rows: columns, columns: 1, dtype: 'float64' }, { rows: columns, columns }]).outputs as [Matrix, Matrix, Matrix];
  return preciseSvd(a, precise(a.im === undefined ? { ...adjoint(vh), im: new Float64Array(columns * columns) } : adjoint(vh)));
}

export class Subject {
  readonly where: string;
  readonly dtype: KernelDType;
  readonly given: Matrix;
  /** Twice a whole number: the given matrix times 2^exponent is of the order of 1. */
  readonly exponent: number;
  readonly exact: Precise;
  readonly svd: PreciseSvd;
  #determinant: Wide | undefined;

  constructor(where: string, dtype: KernelDType, given: Matrix) {
    const most = [...given.re, ...given.im].reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    [this.where, this.dtype, this.given] = [where, dtype, given];
    this.exponent = most === 0 ? 0 : -2 * Math.ceil(Math.log2(most) / 2);
    this.exact = precise(given, this.exponent);
    const isWide = given.rows < given.columns;
    const found = decomposed(isWide ? preciseAdjoint(this.exact) : this.exact);
    this.svd = isWide ? { ...found, u: found.v, v: found.u } : found;
  }

  /** Of the order of 1, which is exact. */
  get scaled(): Matrix {
    return timesReal(this.given, 2 ** this.exponent);
  }

  get size(): number {
    return Math.max(this.given.rows, this.given.columns);
  }

  /** What errors are counted in: size·eps. */
  get unit(): number {
    return this.size * epsilonOf(this.dtype);
  }

  get largest(): number {
    return this.svd.s[0]!;
  }

  /** The largest singular value over the r-th. */
  condition(rank = this.svd.s.length): number {
    return rank === 0 ? 1 : this.largest / this.svd.s[rank - 1]!;
  }

  /** Whether its inverse has a digit. */
  get isRegular(): boolean {
    return this.unit * this.condition() < 0.1;
  }

  /** How many singular values are above rtol times the largest; undefined where one is so close that rounding decides. */
  rank(rtol = this.unit): number | undefined {
    const limit = rtol * this.largest;
    const { s } = this.svd;
    if (s.some((value) => value > limit / 16 && value < limit * 16)) return undefined;
    return s.filter((value) => value > limit).length;
  }

  pseudoinverse(rank: number): Precise {
    const { u, v, values } = this.svd;
    return spectralSum(v, values, u, rank, reciprocal);
  }

  /** The part of the first values. */
  part(rank: number): Precise {
    const { u, v, values } = this.svd;
    return spectralSum(u, values, v, rank, (s) => s);
  }

  /** U Vᴴ, V diag(s) Vᴴ and U diag(s) Uᴴ. */
  polar(): { readonly unitary: Precise; readonly right: Precise; readonly left: Precise } {
    const { u, v, values } = this.svd;
    const count = values.length;
    return { unitary: spectralSum(u, values, v, count, unity), right: spectralSum(v, values, v, count, (s) => s), left: spectralSum(u, values, u, count, (s) => s) };
  }

  determinant(): Wide {
    return (this.#determinant ??= preciseDeterminant(this.exact));
  }
}

/** All families of one shape; those that overflow in the dtype are left out. */
export function subjectsOf(dtype: KernelDType, rows: number, columns: number, seed: number): readonly Subject[] {
  return Object.entries(hardFamilies).flatMap(([name, family]) => {
    const a = rounded(dtype, family({ rows, columns, isReal: isRealDType(dtype), seed }));
    return [...a.re, ...a.im].every(Number.isFinite) ? [new Subject(`${name}, ${rows}×${columns}`, dtype, a)] : [];
  });
}

/** ‖a − b‖ / size, in the subject's units; infinite for what is no number. */
export function distance(found: Precise | undefined, wanted: Precise, size: number, unit: number): number {
  if (found === undefined) return Infinity;
  const error = sizeOf(minus(found, wanted));
  return error === 0 ? 0 : error / size / unit;
}

/** A result times 2^exponent, or undefined where it is not finite. */
export function exactly(found: Matrix, exponent = 0): Precise | undefined {
  return [...found.re, ...found.im].every(Number.isFinite) ? precise(found, exponent) : undefined;
}

/** The part of x outside the span of columns. */
export function outside(x: Precise, columns: Precise): Precise {
  return minus(x, preciseProduct(columns, preciseProduct(preciseAdjoint(columns), x)));
}

const norm = ({ re, im }: Matrix): number => Math.hypot(...re, ...im);

/** The derivative of the exponential in a direction, to a few digits: the block at the upper right of that of [[A, E], [0, A]]. */
function exponentialTangent(a: Matrix, e: Matrix): Matrix {
  const n = a.rows;
  const halvings = Math.max(0, Math.ceil(Math.log2(norm(a) + 1e-300)) + 2);
  const block = zeroMatrix(2 * n, 2 * n);
  for (let at = 0; at < n * n; at++) {
    const [i, j] = [Math.floor(at / n), at % n];
    for (const [row, column, from] of [[i, j, a], [i, j + n, e], [i + n, j + n, a]] as const) [block.re[row * 2 * n + column], block.im[row * 2 * n + column]] = [from.re[at]! * 2 ** -halvings, from.im[at]! * 2 ** -halvings];
  }
  let term = zeroMatrix(2 * n, 2 * n);
  for (let i = 0; i < 2 * n; i++) term.re[i * (2 * n + 1)] = 1;
  let sum = term;
  for (let k = 1; k <= 16; k++) {
    term = timesReal(multiplied(term, block), 1 / k);
    sum = { ...sum, re: sum.re.map((value, at) => value + term.re[at]!), im: sum.im.map((value, at) => value + term.im[at]!) };
  }
  for (let left = halvings; left > 0; left--) sum = multiplied(sum, sum);
  const result = zeroMatrix(n, n);
  for (let at = 0; at < n * n; at++) {
    const from = Math.floor(at / n) * 2 * n + (at % n) + n;
    [result.re[at], result.im[at]] = [sum.re[from]!, sum.im[from]!];
  }
  return result;
}

/** How much the exponential at A magnifies a change of A at most: an estimate from below by three steps of power iteration. */
export function exponentialGain(a: Matrix): number {
  const random = createRandom(5);
  let e = zeroMatrix(a.rows, a.rows);
  for (let at = 0; at < e.re.length; at++) e.re[at] = 2 * random() - 1;
  let gain = 0;
  for (let step = 0; step < 3; step++) {
    e = timesReal(e, 1 / norm(e));
    const there = exponentialTangent(a, e);
    gain = norm(there);
    e = exponentialTangent(adjoint(a), there);
  }
  return gain;
}

