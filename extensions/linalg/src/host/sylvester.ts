/** T X + X U = C with (quasi-)triangular T and U, block by block (Bartels & Stewart 1972). */
import { divided } from './complex.ts';
import { copied, type Matrix, zeroMatrix } from './matrix.ts';

/** Rows or columns of a block on the diagonal. */
interface Range {
  readonly from: number;
  readonly count: number;
}

/**
 * The solution, or of TᴴX + X Uᴴ = C. Nothing when a sum of an eigenvalue of T and one of U is zero to working precision: no larger than
 * `unit` times the largest element of both.
 */
export function triangularSylvester(t: Matrix, u: Matrix, c: Matrix, adjoint: boolean, unit: number): Matrix | undefined {
  const x = copied(c);
  const least = Math.max(unit * Math.max(largestOf(t), largestOf(u)), Number.MIN_VALUE * 2 ** 60);
  const [rows, columns] = [blocksOf(t), blocksOf(u)];
  // What a block needs lies below it and to its left; above it and to its right in the adjoint equation.
  if (adjoint) columns.reverse();
  else rows.reverse();
  for (const column of columns) {
    for (const row of rows) {
      const right = remainder(t, u, x, row, column, adjoint);
      if (!solveBlock(system(t, u, row, column, adjoint), right, least)) return undefined;
      for (let i = 0; i < row.count; i++) {
        for (let j = 0; j < column.count; j++) {
          const at = (row.from + i) * x.columns + column.from + j;
          [x.re[at], x.im[at]] = [right.re[i * column.count + j]!, right.im[i * column.count + j]!];
        }
      }
    }
  }
  return x;
}

function largestOf({ re, im }: Matrix): number {
  let largest = 0;
  for (let i = 0; i < re.length; i++) largest = Math.max(largest, Math.hypot(re[i]!, im[i]!));
  return largest;
}

function blocksOf({ rows: n, re, im }: Matrix): Range[] {
  const blocks: Range[] = [];
  for (let from = 0; from < n; from += blocks.at(-1)!.count) {
    const below = (from + 1) * n + from;
    blocks.push({ from, count: from + 1 < n && (re[below] !== 0 || im[below] !== 0) ? 2 : 1 });
  }
  return blocks;
}

/** An element of a matrix or of its adjoint. */
function element({ columns, re, im }: Matrix, i: number, j: number, adjoint: boolean): readonly [re: number, im: number] {
  const at = adjoint ? j * columns + i : i * columns + j;
  return [re[at]!, adjoint ? -im[at]! : im[at]!];
}

/** What remains of C in a block, as a column of its rows: C − Σ T_ik X_k − Σ X_k U_kj over the blocks that are solved. */
function remainder(t: Matrix, u: Matrix, x: Matrix, row: Range, column: Range, adjoint: boolean): Matrix {
  const right = zeroMatrix(row.count * column.count, 1);
  const n = x.columns;
  const [belowFrom, belowTo] = adjoint ? [0, row.from] : [row.from + row.count, t.rows];
  const [besideFrom, besideTo] = adjoint ? [column.from + column.count, u.rows] : [0, column.from];
  for (let i = 0; i < row.count; i++) {
    for (let j = 0; j < column.count; j++) {
      const [atRow, atColumn] = [row.from + i, column.from + j];
      let [re, im] = [x.re[atRow * n + atColumn]!, x.im[atRow * n + atColumn]!];
      for (let k = belowFrom; k < belowTo; k++) {
        const [a, b] = element(t, atRow, k, adjoint);
        re -= a * x.re[k * n + atColumn]! - b * x.im[k * n + atColumn]!;
        im -= a * x.im[k * n + atColumn]! + b * x.re[k * n + atColumn]!;
      }
      for (let k = besideFrom; k < besideTo; k++) {
        const [a, b] = element(u, k, atColumn, adjoint);
        re -= a * x.re[atRow * n + k]! - b * x.im[atRow * n + k]!;
        im -= a * x.im[atRow * n + k]! + b * x.re[atRow * n + k]!;
      }
      [right.re[i * column.count + j], right.im[i * column.count + j]] = [re, im];
    }
  }
  return right;
}

/** The equations of one block: T_ii ⊗ 1 + 1 ⊗ U_jjᵀ for its elements row after row. */
function system(t: Matrix, u: Matrix, row: Range, column: Range, adjoint: boolean): Matrix {
  const size = row.count * column.count;
  const matrix = zeroMatrix(size, size);
  const add = (at: number, [re, im]: readonly [number, number]): void => {
    matrix.re[at]! += re;
    matrix.im[at]! += im;
  };
  for (let i = 0; i < row.count; i++) {
    for (let j = 0; j < column.count; j++) {
      const equation = (i * column.count + j) * size;
      for (let k = 0; k < row.count; k++) add(equation + k * column.count + j, element(t, row.from + i, row.from + k, adjoint));
      for (let k = 0; k < column.count; k++) add(equation + i * column.count + k, element(u, column.from + k, column.from + j, adjoint));
    }
  }
  return matrix;
}

/** Solves up to four equations in place, by elimination with the largest pivot of all; false when it is less than `least`. */
function solveBlock(a: Matrix, right: Matrix, least: number): boolean {
  const n = a.rows;
  const order = [...right.re.keys()];
  for (let k = 0; k < n; k++) {
    const pivot = largestFrom(a, k);
    if (pivot.size < least) return false;
    exchange(a, right, order, k, pivot);
    for (let i = k + 1; i < n; i++) {
      const [re, im] = divided(a.re[i * n + k]!, a.im[i * n + k]!, a.re[k * n + k]!, a.im[k * n + k]!);
      subtractRow(a, i, k, re, im);
      subtractRow(right, i, k, re, im);
    }
  }
  const solution = right.re.map(() => 0);
  const imaginary = solution.slice();
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) {
      right.re[k]! -= a.re[k * n + j]! * right.re[j]! - a.im[k * n + j]! * right.im[j]!;
      right.im[k]! -= a.re[k * n + j]! * right.im[j]! + a.im[k * n + j]! * right.re[j]!;
    }
    [right.re[k], right.im[k]] = divided(right.re[k]!, right.im[k]!, a.re[k * n + k]!, a.im[k * n + k]!);
    [solution[order[k]!], imaginary[order[k]!]] = [right.re[k]!, right.im[k]!];
  }
  right.re.set(solution);
  right.im.set(imaginary);
  return true;
}

interface Pivot {
  readonly row: number;
  readonly column: number;
  readonly size: number;
}

function largestFrom({ rows: n, re, im }: Matrix, from: number): Pivot {
  let pivot: Pivot = { row: from, column: from, size: -1 };
  for (let row = from; row < n; row++) {
    for (let column = from; column < n; column++) {
      const size = Math.hypot(re[row * n + column]!, im[row * n + column]!);
      if (size > pivot.size) pivot = { row, column, size };
    }
  }
  return pivot;
}

/** The pivot to place k: rows of both sides, columns with what they stand for. */
function exchange(a: Matrix, right: Matrix, order: number[], k: number, { row, column }: Pivot): void {
  const swap = (list: Float64Array | number[], p: number, q: number): void => {
    [list[p], list[q]] = [list[q]!, list[p]!];
  };
  const n = a.rows;
  for (let j = 0; j < n; j++) for (const part of [a.re, a.im]) swap(part, k * n + j, row * n + j);
  for (let i = 0; i < n; i++) for (const part of [a.re, a.im]) swap(part, i * n + k, i * n + column);
  for (const part of [right.re, right.im]) swap(part, k, row);
  swap(order, k, column);
}

function subtractRow({ columns: n, re, im }: Matrix, i: number, k: number, factorRe: number, factorIm: number): void {
  for (let j = 0; j < n; j++) {
    const [x, y] = [re[k * n + j]!, im[k * n + j]!];
    re[i * n + j]! -= factorRe * x - factorIm * y;
    im[i * n + j]! -= factorRe * y + factorIm * x;
  }
}
