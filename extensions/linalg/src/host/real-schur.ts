/** The Schur form of real matrices by QR steps with two shifts at once (Francis 1962; Golub & Van Loan 2013, section 7.5). */
import { mostSteps } from './complex-schur.ts';
import { blockStart } from './deflation.ts';
import { hessenbergForm, type SchurForm } from './hessenberg.ts';
import { type Matrix, scaledToOne, timesReal } from './matrix.ts';
import { reflectColumns, type Reflection, reflectionOf, reflectRows } from './reflections.ts';
import { rotateColumns, rotateRows } from './rotations.ts';
import { standardised } from './standard-block.ts';

/**
 * A = Z T Zᵀ of a finite real matrix, T with 1×1 and 2×2 blocks on its diagonal; a 2×2 block has equal diagonal elements and a pair of
 * complex eigenvalues. Nothing when the steps do not end.
 */
export function realSchur(a: Matrix, wanted: boolean): SchurForm | undefined {
  const { matrix, scale } = scaledToOne(a);
  const { t, z } = hessenbergForm(matrix, wanted);
  let [last, steps] = [t.rows - 1, 0];
  while (last >= 0) {
    const first = blockStart(t, last);
    if (last - first < 2) {
      if (first < last) standardise(t, z, first);
      [last, steps] = [first - 1, 0];
      continue;
    }
    if (++steps > mostSteps) return undefined;
    step(t, z, first, last, steps % 10 === 0 ? exceptionalShifts(t, first, last, steps) : shifts(t, last));
  }
  return { t: timesReal(t, scale), z };
}

/** Two shifts: real ones, or a pair re ± i·im. */
interface Shifts {
  readonly re: readonly [number, number];
  readonly im: number;
}

function element({ columns, re }: Matrix, i: number, j: number): number {
  return re[i * columns + j]!;
}

function eigenvaluesOf(a: number, b: number, c: number, d: number): Shifts {
  const scale = Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d);
  if (scale === 0) return { re: [0, 0], im: 0 };
  const [mean, half] = [0.5 * (a + d), (0.5 * (a - d)) / scale];
  const discriminant = half * half + (b / scale) * (c / scale);
  const root = Math.sqrt(Math.abs(discriminant)) * scale;
  if (discriminant < 0) return { re: [mean, mean], im: root };
  // Two real ones: twice the one that is closer to d.
  const closer = Math.abs(mean + root - d) <= Math.abs(mean - root - d) ? mean + root : mean - root;
  return { re: [closer, closer], im: 0 };
}

/** The eigenvalues of the last 2×2 block. */
function shifts(t: Matrix, last: number): Shifts {
  return eigenvaluesOf(element(t, last - 1, last - 1), element(t, last - 1, last), element(t, last, last - 1), element(t, last, last));
}

/** Break a cycle that the usual shifts can fall into (Martin, Peters & Wilkinson 1970): from the upper and the lower end in turn. */
function exceptionalShifts(t: Matrix, first: number, last: number, steps: number): Shifts {
  const upper = steps % 20 === 10;
  const size = upper ? Math.abs(element(t, first + 1, first)) + Math.abs(element(t, first + 2, first + 1)) : Math.abs(element(t, last, last - 1)) + Math.abs(element(t, last - 1, last - 2));
  const centre = 0.75 * size + (upper ? element(t, first, first) : element(t, last, last));
  return eigenvaluesOf(centre, -0.4375 * size, size, centre);
}

/**
 * The first column of (H − σ₁)(H − σ₂), divided by a positive number: the three elements from row `first` on that are not zero.
 */
function firstColumn(t: Matrix, first: number, { re: [re1, re2], im }: Shifts): Matrix {
  const [h11, h12, h21] = [element(t, first, first), element(t, first, first + 1), element(t, first + 1, first)];
  const [h22, h32] = [element(t, first + 1, first + 1), element(t, first + 2, first + 1)];
  const scale = Math.abs(h11 - re2) + Math.abs(im) + Math.abs(h21);
  const below = h21 / scale;
  const column = [below * h12 + (h11 - re1) * ((h11 - re2) / scale) + im * (im / scale), below * (h11 + h22 - re1 - re2), below * h32];
  return { rows: 3, columns: 1, re: Float64Array.from(column), im: new Float64Array(3) };
}

/** One QR step on the block between rows `first` and `last`: a reflection from the shifted first column, then the bulge is chased out. */
function step(t: Matrix, z: Matrix, first: number, last: number, by: Shifts): void {
  const n = t.columns;
  for (let k = first; k < last; k++) {
    const rows = Math.min(3, last - k + 1);
    const column = k === first ? firstColumn(t, first, by) : bulge(t, k, rows);
    const reflection = reflectionOf(column, 0, 0);
    if (reflection === undefined) continue;
    apply(t, z, { ...reflection, first: k }, Math.max(first, k - 1));
    if (k > first) for (let i = k + 1; i < k + rows; i++) t.re[i * n + k - 1] = 0;
  }
}

function bulge(t: Matrix, k: number, rows: number): Matrix {
  return { rows, columns: 1, re: Float64Array.from({ length: rows }, (_, i) => element(t, k + i, k - 1)), im: new Float64Array(rows) };
}

function apply(t: Matrix, z: Matrix, reflection: Reflection, from: number): void {
  reflectRows(t, reflection, from);
  reflectColumns(t, reflection);
  reflectColumns(z, reflection);
}

function standardise(t: Matrix, z: Matrix, k: number): void {
  const n = t.columns;
  const at = k * n + k;
  for (let turn = standardised(blockAt(t, k)); turn !== undefined; turn = standardised(blockAt(t, k))) {
    const rotation = { c: turn.rotation.c, re: turn.rotation.s, im: 0 };
    rotateRows(t, k, k + 1, rotation, k);
    rotateColumns(t, k, k + 1, rotation, k + 2);
    rotateColumns(z, k, k + 1, rotation);
    const { a, b, c, d } = turn.block;
    [t.re[at], t.re[at + 1], t.re[at + n], t.re[at + n + 1]] = [a, b, c, d];
  }
}

function blockAt({ columns: n, re }: Matrix, k: number): { readonly a: number; readonly b: number; readonly c: number; readonly d: number } {
  const at = k * n + k;
  return { a: re[at]!, b: re[at + 1]!, c: re[at + n]!, d: re[at + n + 1]! };
}
