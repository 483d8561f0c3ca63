/** A chessboard held before a camera whose lens is known, because it is made up here. */

/** Corners between the squares of the board, in metres from its middle. */
export interface Board {
  readonly columns: number;
  readonly rows: number;
  readonly square: number;
}

export const board: Board = { columns: 9, rows: 6, square: 0.03 };

/** x, y, 0 of each corner, row by row: [columns·rows, 3]. */
export function corners({ columns, rows, square }: Board): Float64Array {
  const values = new Float64Array(3 * columns * rows);
  for (let at = 0; at < columns * rows; at++) {
    values[3 * at] = ((at % columns) - (columns - 1) / 2) * square;
    values[3 * at + 1] = (Math.floor(at / columns) - (rows - 1) / 2) * square;
  }
  return values;
}

/** Of the image, in pixels. */
export const imageSize = { width: 1280, height: 960 } as const;

/** Pixels are counted in thousands and angles in radians, so that all unknowns are of about one size. */
export const thousand = 1000;

/** Focal lengths and principal point in thousands of pixels, and the two coefficients of a wide lens that bends lines. */
export const trueLens: Float64Array = Float64Array.of(1.092, 1.105, 0.655, 0.468, -0.28, 0.09);
export const lensNames = ['focal length across', 'focal length down', 'principal point across', 'principal point down', 'distortion, second order', 'distortion, fourth order'] as const;

/** Where the board is held in each view: axis and angle of its rotation, [views, 3], and its middle from the camera in metres, [views, 3]. */
export interface Poses {
  readonly rotations: Float64Array;
  readonly shifts: Float64Array;
}

/** Poses all around: tilted by up to half a radian to each side and in the plane, and moved over the whole image. */
export function truePoses(views: number): Poses {
  const [rotations, shifts] = [new Float64Array(3 * views), new Float64Array(3 * views)];
  for (let view = 0; view < views; view++) {
    const [turn, wide] = [2.4 * view, 0.75 + 0.25 * Math.cos(1.7 * view)];
    rotations.set([0.5 * wide * Math.cos(turn), 0.5 * wide * Math.sin(turn), 0.3 * Math.sin(1.1 * view + 1)], 3 * view);
    shifts.set([0.09 * Math.sin(1.9 * view), 0.06 * Math.cos(1.3 * view), 0.46 + 0.08 * Math.sin(2.7 * view)], 3 * view);
  }
  return { rotations, shifts };
}

/**
 * Where a search may begin knowing nothing but the pictures: a usual lens without distortion, every board facing the camera, its place
 * and distance from the middle and the width of its corners in the image.
 */
export function firstGuess(pixels: Float64Array, views: number): Poses & { readonly lens: Float64Array } {
  const lens = Float64Array.of(1.3, 1.3, imageSize.width / 2 / thousand, imageSize.height / 2 / thousand, 0, 0);
  const [points, count] = [corners(board), board.columns * board.rows];
  const spread = (values: Float64Array, stride: number, from: number): { readonly middle: readonly [number, number]; readonly width: number } => {
    let [x, y, squares] = [0, 0, 0];
    for (let at = 0; at < count; at++) [x, y] = [x + values[from + stride * at]! / count, y + values[from + stride * at + 1]! / count];
    for (let at = 0; at < count; at++) squares += (values[from + stride * at]! - x) ** 2 + (values[from + stride * at + 1]! - y) ** 2;
    return { middle: [x, y], width: Math.sqrt(squares / count) };
  };
  const own = spread(points, 3, 0).width;
  const [rotations, shifts] = [new Float64Array(3 * views), new Float64Array(3 * views)];
  for (let view = 0; view < views; view++) {
    const { middle, width } = spread(pixels, 2, 2 * count * view);
    const distance = (lens[0]! * own) / width;
    shifts.set([((middle[0] - lens[2]!) / lens[0]!) * distance, ((middle[1] - lens[3]!) / lens[1]!) * distance, distance], 3 * view);
  }
  return { lens, rotations, shifts };
}
