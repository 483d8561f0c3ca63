import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, logAxis, type MarkData, type PlotPicture, type RowData } from '../pictures/index.ts';
import { type Calibrated, type Calibration, createCalibration, type Unknowns } from './problem.ts';
import { board, corners, firstGuess, imageSize, lensNames, thousand, trueLens, truePoses } from './scene.ts';

const viewsAt: Readonly<Record<Scale, number>> = { quick: 6, full: 16 };
/** Of each pixel, in pixels. */
const noise = 0.4;

export const example: GalleryExample = {
  name: 'calibration',
  title: 'A camera measured by looking at a chessboard',
  text: 'A chessboard is held before a camera, tilted this way and that. Where its corners appear says everything about the lens: focal lengths, where the axis meets the sensor, how straight lines bend; and where the board was each time, six more unknowns for each view. The method of Levenberg and Marquardt finds all of them together. It never forms the Jacobian: each step solves a linear problem by products with it, forward mode, and with its transpose, reverse mode, both compiled from the same projection. Each corner was moved by random noise, so a perfect answer still leaves that noise, and the standard errors say how near the true lens it has to be.',
  kernels: ['linalg'],
  run: runCalibration,
};

interface Found {
  readonly views: number;
  readonly pixels: Float64Array;
  readonly start: Unknowns<Float64Array>;
  readonly calibrated: Calibrated;
  /** Pixels as the first guess and as the answer have them. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Root mean squares in pixels, step by step. */
  readonly course: readonly number[];
}

async function runCalibration({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const views = viewsAt[scale];
  const programs = createCalibration(engine, corners(board), views);
  const pixels = await programs.photograph({ lens: trueLens, ...truePoses(views) }, noise / thousand, 7);
  const start = firstGuess(pixels, views);
  const course: number[] = [];
  const before = await programs.photograph(start, 0, 0);
  course.push(rootMeanSquare(differences(before, pixels)));
  const calibrated = await programs.calibrate(pixels, start, async ({ iteration, cost }) => {
    course.push(Math.sqrt((2 * cost) / pixels.length) * thousand);
    await progress({ label: `${course.at(-1)!.toFixed(3)} pixels off`, done: iteration, total: 10, pictures: [coursePicture(course)] });
  });
  const after = await programs.photograph(calibrated.unknowns, 0, 0);
  const found = { views, pixels, start, calibrated, before, after, course };
  const numbers = [...residualNumbers(found), ...await lensNumbers(programs, calibrated)];
  return { numbers, pictures: [viewsPicture(found), residualPicture(found), coursePicture(course)] };
}

/** Of two lists of pixels in thousands, in pixels. */
function differences(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, at) => (value - b[at]!) * thousand);
}

function rootMeanSquare(values: Float64Array): number {
  return Math.sqrt(values.reduce((all, value) => all + value ** 2, 0) / values.length);
}

function residualNumbers({ views, pixels, calibrated, before, course }: Found): readonly GalleryNumber[] {
  const unknowns = 6 + 6 * views;
  const left = Math.sqrt(1 - unknowns / pixels.length);
  return [
    { what: 'unknowns', value: unknowns },
    { what: 'first guess: distance from the corners seen (root mean square)', value: rootMeanSquare(differences(before, pixels)), unit: 'px' },
    { what: 'calibrated: the same', value: calibrated.residual * thousand, unit: 'px', known: { value: noise * left, source: 'the noise, less what the unknowns take up' }, claim: { within: (3 * noise) / Math.sqrt(2 * (pixels.length - unknowns)) } },
    { what: 'steps until 1 % of the noise', value: course.findIndex((value) => value < 1.01 * calibrated.residual * thousand), claim: { atMost: 10 } },
    { what: 'products with J and its transpose', value: calibrated.products },
  ];
}

async function lensNumbers({ standardErrors }: Calibration, { unknowns }: Calibrated): Promise<readonly GalleryNumber[]> {
  const errors = (await standardErrors(unknowns)).map((value) => (value * noise) / thousand);
  return lensNames.map((what, at): GalleryNumber => {
    const isPixels = at < 4;
    const scale = isPixels ? thousand : 1;
    return { what, value: unknowns.lens[at]! * scale, ...(isPixels ? { unit: 'px' } : {}), known: { value: trueLens[at]! * scale, source: 'the truth' }, claim: { within: 3 * errors[at]! * scale } };
  });
}

const perView = 2 * board.columns * board.rows;

/** Row by row and column by column through the corners of one view, so that a line through them draws the board. */
function gridRows(pixels: Float64Array, view: number): readonly RowData[] {
  const point = (column: number, row: number, line: string): RowData => {
    const at = perView * view + 2 * (row * board.columns + column);
    return { x: pixels[at]! * thousand, y: pixels[at + 1]! * thousand, line };
  };
  const across = Array.from({ length: board.rows }, (_, row) => Array.from({ length: board.columns }, (_, column) => point(column, row, `${view} row ${row}`)));
  const down = Array.from({ length: board.columns }, (_, column) => Array.from({ length: board.rows }, (_, row) => point(column, row, `${view} column ${column}`)));
  return [...across, ...down].flat();
}

function viewsPicture({ pixels, before, after }: Found): PlotPicture {
  const shown = [1, 2];
  const dots = shown.flatMap((view) => Array.from({ length: perView / 2 }, (_, at): RowData => ({ x: pixels[perView * view + 2 * at]! * thousand, y: pixels[perView * view + 2 * at + 1]! * thousand })));
  const grid = (from: Float64Array, options: MarkData['options']): MarkData => ({ mark: 'line', data: shown.flatMap((view) => gridRows(from, view)), options: { x: 'x', y: 'y', z: 'line', ...options } });
  return {
    kind: 'plot', name: 'views', title: 'Two of the views in one image',
    explanation: ['Dots: corners as seen. Grey: boards of the first guess, all facing the camera. Blue: calibrated.'],
    x: { label: 'Pixels across', domain: [0, imageSize.width] }, y: { label: 'Pixels down', domain: [imageSize.height, 0] },
    marks: [
      grid(before, { stroke: colours.grey, strokeWidth: 0.75, strokeOpacity: 0.5 }),
      grid(after, { stroke: colours.blue, strokeWidth: 1 }),
      { mark: 'dot', data: dots, options: { x: 'x', y: 'y', fill: colours.red, r: 1.75 } },
    ],
  };
}

function residualPicture({ pixels, before, after }: Found): PlotPicture {
  const rows = (from: Float64Array, enlarged: number): readonly RowData[] => {
    const off = differences(from, pixels);
    return Array.from({ length: off.length / 2 }, (_, at): RowData => ({ x: off[2 * at]! * enlarged, y: off[2 * at + 1]! * enlarged }));
  };
  const enlarged = 20;
  return {
    kind: 'plot', name: 'residuals', title: 'How far each corner is from where the model has it',
    explanation: [`Grey: the first guess. Blue: calibrated, enlarged ${enlarged} times: what is left has no direction.`],
    x: { label: 'Pixels across' }, y: { label: 'Pixels down' },
    marks: [
      { mark: 'dot', data: rows(before, 1), options: { x: 'x', y: 'y', fill: colours.grey, fillOpacity: 0.5, r: 2 } },
      { mark: 'dot', data: rows(after, enlarged), options: { x: 'x', y: 'y', fill: colours.blue, fillOpacity: 0.6, r: 2 } },
    ],
  };
}

function coursePicture(course: readonly number[]): PlotPicture {
  const rows = course.map((y, x): RowData => ({ x, y }));
  return {
    kind: 'plot', name: 'course', title: 'Levenberg and Marquardt, step by step',
    explanation: [`Root mean square of the residuals. Dashed: the noise of the pixels, ${noise}.`],
    x: { label: 'Steps', ticks: Math.min(course.length, 12) }, y: logAxis('Pixels (logarithmic)', [...course, noise]),
    marks: [
      { mark: 'ruleY', data: [{ y: noise }], options: { y: 'y', stroke: '#999', strokeDasharray: '4 4' } },
      { mark: 'lineY', data: rows, options: { x: 'x', y: 'y', stroke: colours.blue, strokeWidth: 1.75 } },
      { mark: 'dot', data: rows, options: { x: 'x', y: 'y', fill: colours.blue, r: 3.5 } },
    ],
  };
}
