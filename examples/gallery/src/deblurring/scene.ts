/** A number plate, drawn by code, and the path of the camera that blurs it. */

/** A grey image, row-major from the top left, 0 black and 1 white. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

type Point = readonly [x: number, y: number];
type Stroke = readonly Point[];

/** Letters as pen strokes in a box four wide and six high. */
const letters: Readonly<Record<string, readonly Stroke[]>> = {
  F: [[[0, 6], [0, 0], [4, 0]], [[0, 3], [3, 3]]],
  O: [[[1, 0], [3, 0], [4, 1], [4, 5], [3, 6], [1, 6], [0, 5], [0, 1], [1, 0]]],
  U: [[[0, 0], [0, 5], [1, 6], [3, 6], [4, 5], [4, 0]]],
  R: [[[0, 6], [0, 0], [3, 0], [4, 1], [4, 2], [3, 3], [0, 3]], [[2, 3], [4, 6]]],
  I: [[[2, 0], [2, 6]]],
  E: [[[4, 0], [0, 0], [0, 6], [4, 6]], [[0, 3], [3, 3]]],
};

const word = 'FOURIER';
/** From one letter to the next, and around the word, in the letters' units. */
const advance = 5.6;
const wordWidth = advance * (word.length - 1) + 4;

function distanceToSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** How far a point is from the nearest stroke of the word, whose first letter begins at (0, 0). */
function distanceToWord(at: Point): number {
  const here = Math.floor(at[0] / advance);
  let least = Infinity;
  for (const place of [here - 1, here, here + 1]) {
    for (const stroke of letters[word[place] ?? ''] ?? []) {
      for (let i = 1; i < stroke.length; i++) least = Math.min(least, distanceToSegment([at[0] - advance * place, at[1]], stroke[i - 1]!, stroke[i]!));
    }
  }
  return least;
}

/** Negative inside of a rectangle with rounded corners around (0, 0). */
function distanceToPlate([x, y]: Point, halfWidth: number, halfHeight: number, corner: number): number {
  const [dx, dy] = [Math.abs(x) - halfWidth + corner, Math.abs(y) - halfHeight + corner];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
}

/** 1 inside and 0 outside of an edge one pixel wide. */
const covers = (distance: number, pixel: number): number => Math.min(1, Math.max(0, 0.5 - distance / pixel));

const mixed = (below: number, above: number, share: number): number => below + (above - below) * share;

/** The plate on a car: letters, rim, two screws, and bodywork that grows darker downwards. */
export function numberPlate(width: number, height: number): GreyImage {
  const pixel = (wordWidth + 12) / width;
  const values = new Float64Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column + 0.5 - width / 2) * pixel, (row + 0.5 - height / 2) * pixel];
      let grey = 0.5 - 0.16 * Math.sin((Math.PI * row) / height) + 0.08 * Math.sin((2 * Math.PI * column) / width);
      grey = mixed(grey, 0.15, covers(distanceToPlate([x, y], wordWidth / 2 + 3.4, 6.4, 1.6), pixel));
      grey = mixed(grey, 0.92, covers(distanceToPlate([x, y], wordWidth / 2 + 2.8, 5.8, 1.2), pixel));
      grey = mixed(grey, 0.08, covers(distanceToWord([x + wordWidth / 2, y + 3]) - 0.5, pixel));
      grey = mixed(grey, 0.45, covers(Math.hypot(Math.abs(x) - 8, y + 4.9) - 0.45, pixel));
      values[row * width + column] = grey;
    }
  }
  return { width, height, values };
}

/** The image of a point seen by a camera that moves along a slanted line of this length, as weights around pixel (0, 0). */
export function motionBlur(width: number, height: number, length: number, angle: number): GreyImage {
  const values = new Float64Array(width * height);
  const samples = 64 * Math.ceil(length);
  for (let sample = 0; sample < samples; sample++) {
    const along = ((sample + 0.5) / samples - 0.5) * length;
    const [x, y] = [along * Math.cos(angle), along * Math.sin(angle)];
    // The four pixels around the point share it by nearness.
    for (const [column, row] of [[Math.floor(x), Math.floor(y)], [Math.floor(x) + 1, Math.floor(y)], [Math.floor(x), Math.floor(y) + 1], [Math.floor(x) + 1, Math.floor(y) + 1]] as const) {
      const weight = (1 - Math.abs(x - column)) * (1 - Math.abs(y - row));
      const at = ((row + height) % height) * width + ((column + width) % width);
      values[at] = values[at]! + weight / samples;
    }
  }
  return { width, height, values };
}
