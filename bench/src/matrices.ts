/** The matrices of the group linalg, what is compared of their decompositions, and gradients, by plain loops. */
import { choleskyFactor, qrFactors } from './factors.ts';


export const linalgTasks = ['svd', 'eigh', 'qr', 'eig', 'cholesky', 'solve', 'inv', 'slogdet'] as const;
export type Decomposition = (typeof linalgTasks)[number];
export type LinalgTask = Decomposition | `${Decomposition} gradient` | `${Decomposition} tangent`;

type Product = (a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number) => Float64Array;

/** The operation that a task is about, and whether a loss made of it is differentiated, backwards or along a direction; undefined where it is none of them. */
export function linalgTask(task: string): { readonly of: Decomposition; readonly mode: 'value' | 'gradient' | 'tangent' } | undefined {
  const [of, mode = 'value', ...rest] = task.split(' ');
  const known = linalgTasks.find((name) => name === of);
  return known === undefined || rest.length > 0 || (mode !== 'value' && mode !== 'gradient' && mode !== 'tangent') ? undefined : { of: known, mode };
}

export interface Square {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/**
 * `a`, and for systems the right side `b`; for derivatives `c`, of which the loss is made, and for those along a direction
 * that, `t`. Entries are drawn; those of `a` such that products
 * neither grow nor vanish, symmetric for eigh, and with 3 on the diagonal beside for cholesky. The losses of cholesky and qr are linear
 * in the factors: `c` (and `e`, of R) are their cotangents of Σ D∘(L·Lᵀ) and Σ D∘(Q·R), so that the gradients are known by `d`.
 */
export function linalgInputs(task: string, n: number, uniform: (shape: readonly number[], low: number, high: number) => Square, product: Product): Readonly<Record<string, Square>> | undefined {
  const described = linalgTask(task);
  if (described === undefined) return undefined;
  const direction = (): { readonly t?: Square } => (described.mode === 'tangent' ? { t: uniform([n, n], -1, 1) } : {});
  const bound = Math.sqrt(3 / n);
  const drawn = uniform([n, n], -bound, bound);
  const isSymmetric = described.of === 'eigh' || described.of === 'cholesky';
  const diagonal = described.of === 'cholesky' ? 3 : 0;
  const a: Square = isSymmetric ? { ...drawn, values: drawn.values.map((value, at) => (value + (drawn.values[mirrored(at, n)] as number)) / 2 + (at % (n + 1) === 0 ? diagonal : 0)) } : drawn;
  if (described.of === 'solve') {
    const x = uniform([n], -1, 1);
    const b = { shape: [n], values: product(a.values, x.values, n, n, 1) };
    if (described.mode === 'value') return { a, b };
    return { a, b, ...direction(), c: { shape: [n], values: product(transposed(a.values, n), x.values, n, n, 1) } };
  }
  if (described.mode === 'value' || described.of === 'slogdet') return { a, ...direction() };
  const weights = uniform([n, n], -1, 1);
  const times = (x: Float64Array, y: Float64Array): Square => ({ shape: [n, n], values: product(x, y, n, n, n) });
  if (described.of === 'cholesky') return { a, ...direction(), c: times(plus(weights.values, transposed(weights.values, n)), choleskyFactor(a.values, n)), d: weights };
  if (described.of === 'qr') {
    const { q, r } = qrFactors(a.values, n);
    return { a, ...direction(), c: times(weights.values, transposed(r, n)), e: times(transposed(q, n), weights.values), d: weights };
  }
  return { a, ...direction(), c: weights };
}

function mirrored(at: number, n: number): number {
  return (at % n) * n + Math.floor(at / n);
}

function transposed(a: Float64Array, n: number): Float64Array {
  return a.map((_, at) => a[mirrored(at, n)] as number);
}

function plus(...parts: readonly Float64Array[]): Float64Array {
  return (parts[0] as Float64Array).map((_, at) => parts.reduce((sum, part) => sum + (part[at] as number), 0));
}

function inner(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
}

/** The inverse by Gauss and Jordan with pivots chosen in columns, and log |det|. */
function inverse(a: Float64Array, n: number): { readonly inverse: Float64Array; readonly logDeterminant: number } {
  const rows = Array.from({ length: n }, (_, row) => Float64Array.from({ length: 2 * n }, (_, at) => (at < n ? (a[row * n + at] as number) : at - n === row ? 1 : 0)));
  let logDeterminant = 0;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++) if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const own = rows[column]!;
    const scale = own[column]!;
    logDeterminant += Math.log(Math.abs(scale));
    for (let at = 0; at < 2 * n; at++) own[at]! /= scale;
    rows.forEach((row, index) => {
      const factor = row[column]!;
      if (index === column || factor === 0) return;
      for (let at = 0; at < 2 * n; at++) row[at]! -= factor * own[at]!;
    });
  }
  return { inverse: Float64Array.from({ length: n * n }, (_, at) => rows[Math.floor(at / n)]![n + (at % n)]!), logDeterminant };
}

/** What {@link digest} must find, for the inputs by name. */
export function linalgReference(task: LinalgTask, inputs: Readonly<Record<string, Square>>, n: number, product: Product): Float64Array {
  const { of, mode } = linalgTask(task)!;
  const a = (inputs['a'] as Square).values;
  const [c, d] = ['c', 'd'].map((name) => inputs[name]?.values ?? new Float64Array(0)) as [Float64Array, Float64Array];
  const times = (x: Float64Array, y: Float64Array): Float64Array => product(x, y, n, n, n);
  const t = (x: Float64Array): Float64Array => transposed(x, n);
  const both = (value: number, slope: Float64Array): Float64Array => (mode === 'tangent' ? Float64Array.of(value, inner(slope, (inputs['t'] as Square).values)) : Float64Array.from([value, ...slope]));
  if (mode === 'value') return forwardReference(of, a, inputs['b']?.values, n, times);
  switch (of) {
    case 'svd': {
      // Σ C∘(A·Aᵀ·A)
      const square = times(a, t(a));
      return both(inner(c, times(square, a)), plus(times(c, times(t(a), a)), times(a, times(t(c), a)), times(square, c)));
    }
    case 'eigh': {
      // Σ C∘A², A symmetrised
      const slope = plus(times(c, t(a)), times(t(a), c));
      return both(inner(c, times(a, a)), plus(slope, t(slope)).map((value) => value / 2));
    }
    // Linear in factors of which the product is A: twice Σ D∘A.
    case 'qr':
      return both(2 * inner(d, a), d);
    case 'eig':
      return both(inner(a, t(a)) + n, t(a).map((value) => 2 * value));
    case 'cholesky':
      return both(2 * inner(d, a), plus(d, t(d)).map((value) => value / 2));
    case 'solve': {
      // c = Aᵀ·x and b = A·x with one x, so that the gradient Σ c∘A⁻¹b is −x·xᵀ.
      const { inverse: inverted } = inverse(a, n);
      const x = product(inverted, (inputs['b'] as Square).values, n, n, 1);
      return both(inner(c, x), a.map((_, at) => -(x[Math.floor(at / n)] as number) * (x[at % n] as number)));
    }
    case 'inv': {
      const { inverse: inverted } = inverse(a, n);
      return both(inner(c, inverted), times(t(inverted), times(c, t(inverted))).map((value) => -value));
    }
    case 'slogdet': {
      const { inverse: inverted, logDeterminant } = inverse(a, n);
      return both(logDeterminant, t(inverted));
    }
  }
}

function forwardReference(of: Decomposition, a: Float64Array, b: Float64Array | undefined, n: number, times: (x: Float64Array, y: Float64Array) => Float64Array): Float64Array {
  if (of === 'eig') return Float64Array.of(inner(a, a.map((_, at) => (at % (n + 1) === 0 ? 1 : 0))), inner(a, transposed(a, n)));
  if (of === 'solve') return b as Float64Array;
  if (of === 'inv') return a.map((_, at) => (at % (n + 1) === 0 ? 1 : 0));
  if (of === 'slogdet') return Float64Array.of(inverse(a, n).logDeterminant);
  return times(a, a.map((_, at) => (at % (n + 1) === 0 ? 1 : 0)));
}

/**
 * What is compared of a decomposition, whose vectors have signs of their own: the matrix put together again, A·x and A·A⁻¹, and sums of
 * powers of eigenvalues. `parts` are svd: U, s, Vᵀ; eigh: w, V; qr: Q, R; eig: w in pairs, vectors; cholesky: L; solve: x; inv; slogdet: log.
 */
export function digest(of: Decomposition, parts: readonly ArrayLike<number>[], a: Float64Array, n: number, product: Product): Float64Array {
  const [first, second, third] = parts.map((part) => Float64Array.from(part));
  const times = (x: Float64Array, y: Float64Array): Float64Array => product(x, y, n, n, n);
  const scaled = (x: Float64Array, by: Float64Array): Float64Array => x.map((value, at) => value * (by[at % n] as number));
  switch (of) {
    case 'svd':
      return times(scaled(first!, second!), third!);
    case 'eigh':
      return times(scaled(second!, first!), transposed(second!, n));
    case 'qr':
      return times(first!, second!);
    case 'cholesky':
      return times(first!, transposed(first!, n));
    case 'solve':
      return product(a, first!, n, n, 1);
    case 'inv':
      return times(a, first!);
    case 'slogdet':
      return first!;
    case 'eig': {
      let [sum, squares] = [0, 0];
      for (let at = 0; at < n; at++) {
        const [re, im] = [first![2 * at]!, first![2 * at + 1]!];
        sum += re;
        squares += re * re - im * im;
      }
      return Float64Array.of(sum, squares);
    }
  }
}
