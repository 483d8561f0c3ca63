/** a·b for a of [rows, inner] and b of [inner, columns]. */
export function product(a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number): Float64Array {
  const result = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const sums = result.subarray(row * columns, (row + 1) * columns);
    for (let at = 0; at < inner; at++) {
      const factor = a[row * inner + at]!;
      const line = b.subarray(at * columns, (at + 1) * columns);
      for (let column = 0; column < columns; column++) sums[column]! += factor * line[column]!;
    }
  }
  return result;
}
