/**
 * Matrices of complex numbers with 448 bits behind the point, as integers: so many that what is left of an error is that of the function under
 * test. Made for matrices whose largest element is of the order of 1; what is below 2⁻¹⁵⁰ of that counts as 0.
 */
import { type Matrix, zeroMatrix } from './src/host/matrix.ts';

const bits = 448n;
const one = 1n << bits;

/** Row after row. `im` is absent of real ones. */
export interface Precise {
  readonly rows: number;
  readonly columns: number;
  readonly re: readonly bigint[];
  readonly im?: readonly bigint[];
}

const words = new DataView(new ArrayBuffer(8));

/** x·2^exponent, exactly but for what is beyond the last bit. */
function preciseNumber(x: number, exponent: number): bigint {
  if (x === 0) return 0n;
  if (!Number.isFinite(x)) throw new Error(`${x} is no number of an exact matrix`);
  words.setFloat64(0, x);
  const high = words.getUint32(0);
  const biased = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(words.getUint32(4));
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const shift = BigInt(Math.max(biased, 1) - 1075 + exponent) + bits;
  const size = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return high >>> 31 === 1 ? -size : size;
}

/** a·2^exponent. */
export function precise({ rows, columns, re, im }: Matrix, exponent = 0): Precise {
  const part = (values: Float64Array): bigint[] => Array.from(values, (value) => preciseNumber(value, exponent));
  return { rows, columns, re: part(re), ...(im.some((value) => value !== 0) && { im: part(im) }) };
}

/** The nearest number of float64. */
export function numberOf(x: bigint): number {
  return Number(x) * 2 ** -Number(bits);
}

/** The nearest matrix of float64. */
export function nearest({ rows, columns, re, im }: Precise): Matrix {
  return { ...zeroMatrix(rows, columns), re: Float64Array.from(re, numberOf), ...(im && { im: Float64Array.from(im, numberOf) }) };
}

export function identity(rows: number, columns: number = rows): Precise {
  return { rows, columns, re: Array.from({ length: rows * columns }, (_, at) => (Math.floor(at / columns) === at % columns ? one : 0n)) };
}

/** a + factor·b, the factor a whole number. */
export function combined(a: Precise, factor: bigint, b: Precise): Precise {
  if (a.rows !== b.rows || a.columns !== b.columns) throw new Error(`${a.rows}×${a.columns} and ${b.rows}×${b.columns}`);
  const part = (x: readonly bigint[] | undefined, y: readonly bigint[] | undefined): bigint[] => Array.from({ length: a.re.length }, (_, at) => (x?.[at] ?? 0n) + factor * (y?.[at] ?? 0n));
  return { ...a, re: part(a.re, b.re), ...((a.im ?? b.im) && { im: part(a.im, b.im) }) };
}

export const minus = (a: Precise, b: Precise): Precise => combined(a, -1n, b);

export function preciseAdjoint(a: Precise): Precise {
  const part = (x: readonly bigint[], sign: bigint): bigint[] => Array.from(x, (_, at) => sign * x[(at % a.rows) * a.columns + Math.floor(at / a.rows)]!);
  return { rows: a.columns, columns: a.rows, re: part(a.re, 1n), ...(a.im && { im: part(a.im, -1n) }) };
}

/** Σ x_i y_i, with twice as many bits. */
function dot(x: readonly bigint[] | undefined, y: readonly bigint[] | undefined): bigint {
  let sum = 0n;
  if (x === undefined || y === undefined) return sum;
  for (let at = 0; at < x.length; at++) sum += x[at]! * y[at]!;
  return sum;
}

/** A vector: a column or a row. */
interface Vector {
  readonly re: readonly bigint[];
  readonly im: readonly bigint[] | undefined;
}

function rowsOf({ rows, columns, re, im }: Precise): readonly Vector[] {
  return Array.from({ length: rows }, (_, i) => ({ re: re.slice(i * columns, (i + 1) * columns), im: im?.slice(i * columns, (i + 1) * columns) }));
}

function columnsOf({ rows, columns, re, im }: Precise): readonly Vector[] {
  const pick = (x: readonly bigint[], j: number): bigint[] => Array.from({ length: rows }, (_, i) => x[i * columns + j]!);
  return Array.from({ length: columns }, (_, j) => ({ re: pick(re, j), im: im && pick(im, j) }));
}

function ofColumns(vectors: readonly Vector[], rows: number): Precise {
  const columns = vectors.length;
  const part = (of: (vector: Vector) => readonly bigint[] | undefined): bigint[] => Array.from({ length: rows * columns }, (_, at) => of(vectors[at % columns]!)?.[Math.floor(at / columns)] ?? 0n);
  return { rows, columns, re: part(({ re }) => re), ...(vectors.some(({ im }) => im) && { im: part(({ im }) => im) }) };
}

export function preciseProduct(a: Precise, b: Precise, ...rest: readonly Precise[]): Precise {
  if (a.columns !== b.rows) throw new Error(`${a.rows}×${a.columns} times ${b.rows}×${b.columns}`);
  const [left, right] = [rowsOf(a), columnsOf(b)];
  const element = (of: (x: Vector, y: Vector) => bigint): bigint[] => left.flatMap((x) => right.map((y) => of(x, y) >> bits));
  const product: Precise = { rows: a.rows, columns: b.columns, re: element((x, y) => dot(x.re, y.re) - dot(x.im, y.im)), ...((a.im ?? b.im) && { im: element((x, y) => dot(x.re, y.im) + dot(x.im, y.re)) }) };
  const [next, ...further] = rest;
  return next === undefined ? product : preciseProduct(product, next, ...further);
}

/** The largest whole number whose square is not larger (Newton). */
function integerRoot(x: bigint): bigint {
  if (x < 1n << 52n) return BigInt(Math.floor(Math.sqrt(Number(x))));
  const digits = BigInt(4 * x.toString(16).length);
  const shift = (digits - 52n + ((digits - 52n) & 1n)) / 2n;
  let root = (BigInt(Math.ceil(Math.sqrt(Number(x >> (2n * shift))))) + 1n) << shift;
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The Frobenius norm. */
export function sizeOf({ re, im }: Precise): number {
  return numberOf(integerRoot(dot(re, re) + dot(im, im)));
}

const abs = (x: bigint): bigint => (x < 0n ? -x : x);

/** Σ c_k v_k of vectors with complex coefficients. */
function combination(terms: readonly (readonly [Vector, re: bigint, im: bigint])[]): Vector {
  const part = (of: (v: Vector, re: bigint, im: bigint, at: number) => bigint): bigint[] => Array.from(terms[0]![0].re, (_, at) => terms.reduce((sum, [v, re, im]) => sum + of(v, re, im, at), 0n) >> bits);
  const isReal = terms.every(([v, , im]) => v.im === undefined && im === 0n);
  return { re: part((v, re, im, at) => re * v.re[at]! - im * (v.im?.[at] ?? 0n)), im: isReal ? undefined : part((v, re, im, at) => im * v.re[at]! + re * (v.im?.[at] ?? 0n)) };
}

/** xᴴ y with twice as many bits. */
const inner = (x: Vector, y: Vector): readonly [bigint, bigint] => [dot(x.re, y.re) + dot(x.im, y.im), dot(x.re, y.im) - dot(x.im, y.re)];

/** Columns made orthonormal (Gram and Schmidt, twice). */
function orthonormal(given: readonly Vector[]): readonly Vector[] {
  const done: Vector[] = [];
  for (const column of given) {
    let left = column;
    for (let pass = 0; pass < 2; pass++) {
      for (const other of done) {
        const [re, im] = inner(other, left);
        left = combination([[left, one, 0n], [other, -(re >> bits), -(im >> bits)]]);
      }
    }
    done.push(combination([[left, (one * one) / integerRoot(inner(left, left)[0]), 0n]]));
  }
  return done;
}

/** What is below this is nothing: of a column's square, with twice as many bits. */
const nothing = 1n << (2n * (bits - 150n));
/** Columns whose cosine is below 2⁻¹⁰⁰ are orthogonal. */
const orthogonal = 200n;

/** Turns columns p and q of both lists so that those of the first are orthogonal (Hestenes); false where they were. */
function turned(w: Vector[], v: Vector[], p: number, q: number): boolean {
  const [x, y] = [w[p]!, w[q]!];
  const [[alpha], [beta], [re, im]] = [inner(x, x), inner(y, y), inner(x, y)];
  const square = re * re + im * im;
  if (alpha < nothing || beta < nothing || square << orthogonal <= alpha * beta) return false;
  const [gamma, gap] = [integerRoot(square), beta - alpha];
  const tangent = ((gamma << (bits + 1n)) / (abs(gap) + integerRoot(gap * gap + 4n * square))) * (gap < 0n ? -1n : 1n);
  const cosine = (one * one) / integerRoot(one * one + tangent * tangent);
  const sine = (tangent * cosine) >> bits;
  // The second column times the conjugate phase of the product.
  const [pr, pi] = [(re << bits) / gamma, -(im << bits) / gamma];
  for (const columns of [w, v]) {
    const [a, b] = [columns[p]!, columns[q]!];
    columns[p] = combination([[a, cosine, 0n], [b, -(sine * pr) >> bits, -(sine * pi) >> bits]]);
    columns[q] = combination([[a, sine, 0n], [b, (cosine * pr) >> bits, (cosine * pi) >> bits]]);
  }
  return true;
}

/** A = U diag(s) Vᴴ, s descending; columns of U whose value is nothing are 0. */
export interface PreciseSvd {
  readonly u: Precise;
  readonly values: readonly bigint[];
  readonly s: readonly number[];
  readonly v: Precise;
}

/** One-sided Jacobi rotations from orthonormal columns on that are nearly right: `start` [n, n] of a matrix not wider than tall. */
export function preciseSvd(a: Precise, start: Precise): PreciseSvd {
  const v = [...orthonormal(columnsOf(start))];
  const w = [...columnsOf(preciseProduct(a, ofColumns(v, a.columns)))];
  for (let sweep = 0, isTurned = true; isTurned; sweep++) {
    if (sweep === 60) throw new Error('Jacobi rotations do not converge');
    isTurned = false;
    for (let p = 0; p < w.length; p++) for (let q = p + 1; q < w.length; q++) isTurned = turned(w, v, p, q) || isTurned;
  }
  const found = w.map((column, at) => ({ column, right: v[at]!, square: inner(column, column)[0] })).sort((x, y) => (x.square < y.square ? 1 : -1));
  const values = found.map(({ square }) => (square < nothing ? 0n : integerRoot(square)));
  const left = found.map(({ column }, at) => combination([[column, values[at] === 0n ? 0n : (one * one) / values[at]!, 0n]]));
  return { u: ofColumns(left, a.rows), values, s: values.map(numberOf), v: ofColumns(found.map(({ right }) => right), a.columns) };
}

/** Σ f(s_i) x_i y_iᴴ over the first `count` values. */
export function spectralSum(x: Precise, values: readonly bigint[], y: Precise, count: number, f: (s: bigint) => bigint): Precise {
  const scaled = columnsOf(x).map((column, at) => combination([[column, at < count ? f(values[at]!) : 0n, 0n]]));
  return preciseProduct(ofColumns(scaled, x.rows), preciseAdjoint(y));
}

export const reciprocal = (s: bigint): bigint => (one * one) / s;
export const unity = (): bigint => one;

/** A number of any size: (re + i im)·2^exponent. */
export interface Wide {
  readonly re: number;
  readonly im: number;
  readonly exponent: number;
}

/** The determinant, by elimination with complete pivoting. */
export function preciseDeterminant(a: Precise): Wide {
  const rows = [...rowsOf(a)];
  let product: Scaled = { re: one, im: 0n, exponent: 0 };
  for (let k = 0; k < a.rows; k++) {
    const [p, q] = largestElement(rows, k);
    [rows[k], rows[p]] = [rows[p]!, rows[k]!];
    for (let i = k; i < a.rows; i++) rows[i] = swapped(rows[i]!, k, q);
    const top = rows[k]!;
    const [re, im] = [top.re[k]!, top.im?.[k] ?? 0n];
    const square = re * re + im * im;
    if (square < nothing) return { re: 0, im: 0, exponent: 0 };
    product = timesPivot(product, re, im, (p === k) === (q === k) ? 1n : -1n);
    for (let i = k + 1; i < a.rows; i++) {
      const [x, y] = [rows[i]!.re[k]!, rows[i]!.im?.[k] ?? 0n];
      rows[i] = combination([[rows[i]!, one, 0n], [top, -((x * re + y * im) << bits) / square, -((y * re - x * im) << bits) / square]]);
    }
  }
  return { re: numberOf(product.re), im: numberOf(product.im), exponent: product.exponent };
}

interface Scaled {
  readonly re: bigint;
  readonly im: bigint;
  readonly exponent: number;
}

/** The product, brought back to the order of 1. */
function timesPivot(x: Scaled, re: bigint, im: bigint, sign: bigint): Scaled {
  const product = [sign * (x.re * re - x.im * im), sign * (x.re * im + x.im * re)] as const;
  const larger = abs(product[0]) > abs(product[1]) ? abs(product[0]) : abs(product[1]);
  const digits = 4n * BigInt(larger.toString(16).length) - bits;
  const moved = (value: bigint): bigint => (digits >= 0n ? value >> digits : value << -digits);
  return { re: moved(product[0]), im: moved(product[1]), exponent: x.exponent + Number(digits - bits) };
}

function swapped({ re, im }: Vector, p: number, q: number): Vector {
  const swap = (x: readonly bigint[]): bigint[] => x.map((value, at) => (at === p ? x[q]! : at === q ? x[p]! : value));
  return { re: swap(re), im: im && swap(im) };
}

function largestElement(rows: readonly Vector[], from: number): readonly [number, number] {
  let [best, place]: [bigint, readonly [number, number]] = [-1n, [from, from]];
  for (let i = from; i < rows.length; i++) {
    for (let j = from; j < rows.length; j++) {
      const size = abs(rows[i]!.re[j]!) + abs(rows[i]!.im?.[j] ?? 0n);
      if (size > best) [best, place] = [size, [i, j]];
    }
  }
  return place;
}

/** Σ Aᵏ/k! after halvings to a norm below 2⁻⁸, and squarings. */
export function preciseExponential(a: Precise): Precise {
  const halvings = BigInt(Math.max(0, Math.ceil(Math.log2(Math.max(sizeOf(a), 2 ** -60))) + 8));
  const halved = (x: bigint): bigint => x >> halvings;
  const small: Precise = { ...a, re: a.re.map(halved), ...(a.im && { im: a.im.map(halved) }) };
  let [sum, term] = [identity(a.rows), identity(a.rows)];
  for (let k = 1n; term.re.some((x) => x !== 0n && x !== -1n) || term.im?.some((x) => x !== 0n && x !== -1n); k++) {
    const next = preciseProduct(term, small);
    term = { ...next, re: next.re.map((x) => x / k), ...(next.im && { im: next.im.map((x) => x / k) }) };
    sum = combined(sum, 1n, term);
  }
  for (let left = halvings; left > 0n; left--) sum = preciseProduct(sum, sum);
  return sum;
}
