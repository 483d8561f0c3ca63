import { convolutionLength, radicesOf } from './factors.ts';
import { putRoot, rootsOfUnity } from './roots.ts';

/** Forward transforms of interleaved complex lines of one length, in float64. */
export interface Transform {
  readonly length: number;
  /** From `line`, which it overwrites, into one of the two arrays: the one it returns. */
  run(line: Float64Array, other: Float64Array): Float64Array;
}

/** What a transform of length n computes with: roots of unity, or what a convolution needs (see {@link transformOf}). */
export function transformTables(n: number): Float64Array {
  if (radicesOf(n) !== undefined) return rootsOfUnity(n, n);
  const m = convolutionLength(n);
  const tables = new Float64Array(2 * (n + 2 * m));
  const [chirp, roots] = [chirpOf(n), rootsOfUnity(m, m)];
  tables.set(chirp);
  tables.set(chirpSpectrum(chirp, m, roots), 2 * n);
  tables.set(roots, 2 * (n + m));
  return tables;
}

/** The transform that {@link transformTables} were made for. */
export function transformOf(n: number, tables: Float64Array): Transform {
  const radices = radicesOf(n);
  if (radices !== undefined) return { length: n, run: (line, other) => runStages(n, radices, tables, line, other) };
  return chirpTransform(n, tables);
}

/** c_j = w_{2n}^{j²}; j² modulo 2n stays exact for every length that fits memory. */
export function chirpOf(n: number): Float64Array {
  const chirp = new Float64Array(2 * n);
  // (j + 1)² = j² + 2j + 1
  for (let j = 0, square = 0; j < n; j++) {
    putRoot(chirp, 2 * j, square, 2 * n);
    square = (square + 2 * j + 1) % (2 * n);
  }
  return chirp;
}

/** The transform of conj(c_{−j}) on a circle of m, divided by m: what a line is multiplied by between two forward transforms. */
export function chirpSpectrum(chirp: Float64Array, m: number, roots: Float64Array = rootsOfUnity(m, m)): Float64Array {
  const line = new Float64Array(2 * m);
  for (let j = 0; 2 * j < chirp.length; j++) {
    const [re, im] = [(chirp[2 * j] as number) / m, -(chirp[2 * j + 1] as number) / m];
    line[2 * j] = re;
    line[2 * j + 1] = im;
    if (j === 0) continue;
    line[2 * (m - j)] = re;
    line[2 * (m - j) + 1] = im;
  }
  return runStages(m, radicesOf(m) as readonly number[], roots, line, new Float64Array(2 * m));
}

/**
 * Bluestein (1970): with jk = (j² + k² − (k − j)²)/2, y_k = c_k Σ_j (x_j c_j)·conj(c_{k−j}), a convolution on a circle. Tables: the chirp,
 * its spectrum, roots of the convolution's length.
 */
function chirpTransform(n: number, tables: Float64Array): Transform {
  const m = convolutionLength(n);
  const radices = radicesOf(m) as readonly number[];
  const [chirp, spectrum, roots] = [tables.subarray(0, 2 * n), tables.subarray(2 * n, 2 * (n + m)), tables.subarray(2 * (n + m))];
  return {
    length: n,
    run(line, _other) {
      const padded = new Float64Array(2 * m);
      multiply(padded, line, chirp, n);
      const product = runStages(m, radices, roots, padded, new Float64Array(2 * m));
      multiply(product, product, spectrum, m);
      // The inverse transform is the forward one of the conjugate, conjugated.
      for (let i = 1; i < 2 * m; i += 2) product[i] = -(product[i] as number);
      const convolved = runStages(m, radices, roots, product, new Float64Array(2 * m));
      for (let i = 1; i < 2 * n; i += 2) convolved[i] = -(convolved[i] as number);
      multiply(line, convolved, chirp, n);
      return line;
    },
  };
}

function multiply(into: Float64Array, a: Float64Array, b: Float64Array, count: number): void {
  for (let i = 0; i < 2 * count; i += 2) {
    const [ar, ai, br, bi] = [a[i] as number, a[i + 1] as number, b[i] as number, b[i + 1] as number];
    into[i] = ar * br - ai * bi;
    into[i + 1] = ar * bi + ai * br;
  }
}

/** Where one butterfly reads and writes, in numbers. */
interface Place {
  readonly from: number;
  readonly far: number;
  readonly to: number;
  readonly near: number;
}

/** Stockham's self-sorting stages (Van Loan 1992, §1.7): y[q + s(r·p + k)] = w_n^{pk} Σ_j x[q + s(p + m·j)]·w_r^{jk}. */
function runStages(length: number, radices: readonly number[], roots: Float64Array, line: Float64Array, other: Float64Array): Float64Array {
  let [x, y] = [line, other];
  let [n, s] = [length, 1];
  for (const radix of radices) {
    const m = n / radix;
    if (radix === 4) stage4(x, y, m, s, roots);
    else stage(radix, x, y, m, s, roots);
    [x, y, n, s] = [y, x, m, s * radix];
  }
  return x;
}

function stage(radix: number, x: Float64Array, y: Float64Array, m: number, s: number, roots: Float64Array): void {
  for (let p = 0; p < m; p++) {
    for (let q = 0; q < s; q++) butterfly(radix, x, y, { from: 2 * (q + s * p), far: 2 * s * m, to: 2 * (q + s * radix * p), near: 2 * s }, roots, s * p);
  }
}

/** The stage that long lines spend their time in: without objects, and with the factors of a p read once. */
function stage4(x: Float64Array, y: Float64Array, m: number, s: number, roots: Float64Array): void {
  const [far, near] = [2 * s * m, 2 * s];
  for (let p = 0; p < m; p++) {
    const at = 2 * s * p;
    const c1 = roots[at] as number, s1 = roots[at + 1] as number;
    const c2 = roots[2 * at] as number, s2 = roots[2 * at + 1] as number;
    const c3 = roots[3 * at] as number, s3 = roots[3 * at + 1] as number;
    for (let from = at, to = 4 * at, end = at + near; from < end; from += 2, to += 2) {
      const ar = x[from] as number, ai = x[from + 1] as number, br = x[from + far] as number, bi = x[from + far + 1] as number;
      const cr = x[from + 2 * far] as number, ci = x[from + 2 * far + 1] as number, dr = x[from + 3 * far] as number, di = x[from + 3 * far + 1] as number;
      const er = ar + cr, ei = ai + ci, or = br + dr, oi = bi + di;
      const fr = ar - cr, fi = ai - ci, gr = bi - di, gi = dr - br;
      y[to] = er + or;
      y[to + 1] = ei + oi;
      store(y, to + near, p === 0, fr + gr, fi + gi, c1, s1);
      store(y, to + 2 * near, p === 0, er - or, ei - oi, c2, s2);
      store(y, to + 3 * near, p === 0, fr - gr, fi - gi, c3, s3);
    }
  }
}

/** Any radix: sums over conjugate pairs of inputs, outputs two at a time. */
function butterfly(radix: number, x: Float64Array, y: Float64Array, { from, far, to, near }: Place, roots: Float64Array, step: number): void {
  const unit = roots.length / 2 / radix;
  for (let k = 0; k <= radix / 2; k++) {
    let [cr, ci, sr, si] = [x[from] as number, x[from + 1] as number, 0, 0];
    for (let j = 1; 2 * j <= radix; j++) {
      const [low, high] = [from + j * far, from + (radix - j) * far];
      const [c, s] = [roots[2 * unit * ((j * k) % radix)] as number, roots[2 * unit * ((j * k) % radix) + 1] as number];
      const paired = low === high ? 0 : 1;
      cr += ((x[low] as number) + paired * (x[high] as number)) * c;
      ci += ((x[low + 1] as number) + paired * (x[high + 1] as number)) * c;
      sr += ((x[low] as number) - (x[high] as number)) * s;
      si += ((x[low + 1] as number) - (x[high + 1] as number)) * s;
    }
    turned(y, to + k * near, cr - si, ci + sr, roots, k * step);
    if (k > 0 && 2 * k < radix) turned(y, to + (radix - k) * near, cr + si, ci - sr, roots, (radix - k) * step);
  }
}

/** y[at] = (re + i·im)·w, w the root at `index`; as it is where that is 1. */
function turned(y: Float64Array, at: number, re: number, im: number, roots: Float64Array, index: number): void {
  store(y, at, index === 0, re, im, roots[2 * index] as number, roots[2 * index + 1] as number);
}

function store(y: Float64Array, at: number, plain: boolean, re: number, im: number, c: number, s: number): void {
  y[at] = plain ? re : re * c - im * s;
  y[at + 1] = plain ? im : re * s + im * c;
}
