/**
 * Matrices of complex numbers in float64, row after row: what the kernels in JavaScript compute with. A real matrix is one whose
 * imaginary parts are zero; every operation here keeps them so.
 */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Half the distance from 1 to the next number of float64: u. */
export const unitRoundoff: number = 2 ** -53;

export function zeroMatrix(rows: number, columns: number): Matrix {
  return { rows, columns, re: new Float64Array(rows * columns), im: new Float64Array(rows * columns) };
}

export function identityMatrix(rows: number, columns: number = rows): Matrix {
  const matrix = zeroMatrix(rows, columns);
  for (let i = 0; i < Math.min(rows, columns); i++) matrix.re[i * columns + i] = 1;
  return matrix;
}

export function copied({ rows, columns, re, im }: Matrix): Matrix {
  return { rows, columns, re: re.slice(), im: im.slice() };
}

export function transposed({ rows, columns, re, im }: Matrix): Matrix {
  const result = zeroMatrix(columns, rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      result.re[j * rows + i] = re[i * columns + j]!;
      result.im[j * rows + i] = im[i * columns + j]!;
    }
  }
  return result;
}

export function conjugated({ rows, columns, re, im }: Matrix): Matrix {
  return { rows, columns, re: re.slice(), im: im.map((value) => 0 - value) };
}

export function multiplied(a: Matrix, b: Matrix): Matrix {
  const result = zeroMatrix(a.rows, b.columns);
  for (let i = 0; i < a.rows; i++) {
    for (let k = 0; k < a.columns; k++) addScaledRow(result, i, a.re[i * a.columns + k]!, a.im[i * a.columns + k]!, b, k);
  }
  return result;
}

/** Row i of `into` plus a number times row k of `from`. */
export function addScaledRow(into: Matrix, i: number, re: number, im: number, from: Matrix, k: number): void {
  const [to, source] = [i * into.columns, k * from.columns];
  for (let j = 0; j < from.columns; j++) {
    const [x, y] = [from.re[source + j]!, from.im[source + j]!];
    into.re[to + j]! += re * x - im * y;
    into.im[to + j]! += re * y + im * x;
  }
}

/** Whether no element is infinite or not a number. */
export function isFiniteMatrix({ re, im }: Matrix): boolean {
  return re.every(Number.isFinite) && im.every(Number.isFinite);
}

export function filled(rows: number, columns: number, value: number): Matrix {
  return { rows, columns, re: new Float64Array(rows * columns).fill(value), im: new Float64Array(rows * columns).fill(value) };
}

/** A column of real numbers. */
export function realColumn(values: Float64Array): Matrix {
  return { rows: values.length, columns: 1, re: values, im: new Float64Array(values.length) };
}

/** The Frobenius norm, of a matrix whose largest element is of the order of 1. */
export function frobeniusNorm({ re, im }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < re.length; i++) sum += re[i]! ** 2 + im[i]! ** 2;
  return Math.sqrt(sum);
}

/** A copy divided by a power of two that brings its largest element close to 1, so that squares neither overflow nor all vanish. */
export function scaledToOne(a: Matrix): { readonly matrix: Matrix; readonly scale: number } {
  let largest = 0;
  for (let i = 0; i < a.re.length; i++) largest = Math.max(largest, Math.abs(a.re[i]!), Math.abs(a.im[i]!));
  const exponent = largest === 0 ? 0 : Math.min(1000, Math.max(-1000, Math.round(Math.log2(largest))));
  const factor = 2 ** -exponent;
  return { matrix: timesReal(a, factor), scale: 2 ** exponent };
}

export function timesReal({ rows, columns, re, im }: Matrix, factor: number): Matrix {
  return { rows, columns, re: re.map((value) => value * factor), im: im.map((value) => value * factor) };
}

/** The rows in another order: row i of the result is row `order[i]`. */
export function rowsInOrder({ columns, re, im }: Matrix, order: readonly number[]): Matrix {
  const result = zeroMatrix(order.length, columns);
  order.forEach((row, i) => {
    result.re.set(re.subarray(row * columns, (row + 1) * columns), i * columns);
    result.im.set(im.subarray(row * columns, (row + 1) * columns), i * columns);
  });
  return result;
}

export function swapRows({ columns, re, im }: Matrix, p: number, q: number): void {
  for (const part of [re, im]) {
    const row = part.slice(p * columns, (p + 1) * columns);
    part.copyWithin(p * columns, q * columns, (q + 1) * columns);
    part.set(row, q * columns);
  }
}
