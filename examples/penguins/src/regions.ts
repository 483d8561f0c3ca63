import type { Penguin } from './data.ts';
import { type Scale, standardise } from './split.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A plane through the four measurements, laid over bill length and depth: row by row, `features` is [rows · columns, 4]. */
export interface Plane {
  readonly x: Range;
  readonly y: Range;
  readonly columns: number;
  readonly rows: number;
  readonly features: Float64Array;
}

/** A plane with the network's scores, row-major [rows · columns, 3]. */
export interface Grid extends Omit<Plane, 'features'> {
  readonly scores: Float64Array;
}

/**
 * The points to ask the network about. Flipper length and body mass are what least squares foretells from the bill, so
 * the plane passes near the penguins instead of beside them.
 */
export function planeThrough(penguins: readonly Penguin[], scale: Scale, columns = 160, rows = 120): Plane {
  const [x, y] = [rangeOf(penguins, 0), rangeOf(penguins, 1)];
  const fits = [2, 3].map((column) => fitPlane(penguins.map(({ measured }) => measured), column));
  const features = new Float64Array(columns * rows * 4);
  for (let at = 0; at < columns * rows; at++) {
    // Cell centres, as contours are drawn.
    const length = x.from + ((x.to - x.from) * ((at % columns) + 0.5)) / columns;
    const depth = y.from + ((y.to - y.from) * (Math.floor(at / columns) + 0.5)) / rows;
    features.set(standardise([length, depth, ...fits.map(([a, b, c]) => a + b * length + c * depth)], scale), at * 4);
  }
  return { x, y, columns, rows, features };
}

/** For each point the score of one species minus the best of the others: positive where the network would name it. */
export function margins({ scores }: Pick<Grid, 'scores'>, species: number): Float64Array {
  return Float64Array.from({ length: scores.length / 3 }, (_, at) => {
    const row = scores.subarray(at * 3, at * 3 + 3);
    return row[species]! - Math.max(...row.filter((_, other) => other !== species));
  });
}

function rangeOf(penguins: readonly Penguin[], column: number): Range {
  const values = penguins.map(({ measured }) => measured[column] as number);
  return { from: Math.floor(Math.min(...values)) - 1, to: Math.ceil(Math.max(...values)) + 1 };
}

/** Least squares for column ≈ a + b·(bill length) + c·(bill depth), by the normal equations of the centred columns. */
export function fitPlane(rows: readonly (readonly number[])[], column: number): readonly [number, number, number] {
  const mean = (at: number): number => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length;
  const centre = [mean(0), mean(1), mean(column)] as const;
  const product = (i: number, ci: number, j: number, cj: number): number => rows.reduce((sum, row) => sum + (row[i]! - ci) * (row[j]! - cj), 0);
  const [xx, xy, yy] = [product(0, centre[0], 0, centre[0]), product(0, centre[0], 1, centre[1]), product(1, centre[1], 1, centre[1])];
  const [xz, yz] = [product(0, centre[0], column, centre[2]), product(1, centre[1], column, centre[2])];
  const determinant = xx * yy - xy * xy;
  const b = (xz * yy - yz * xy) / determinant;
  const c = (yz * xx - xz * xy) / determinant;
  return [centre[2] - b * centre[0] - c * centre[1], b, c];
}
