import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, type ImagePicture, type MarkData, type Picture, type PlotPicture, type RowData } from '../pictures/index.ts';
import { type Camera, createCamera, peakSignalToNoise, type Restored } from './problem.ts';
import { type GreyImage, motionBlur, numberPlate } from './scene.ts';

interface Settings {
  readonly width: number;
  readonly height: number;
  readonly iterations: number;
  /** By how many decibels the photograph becomes better. */
  readonly gain: number;
}

const settings: Readonly<Record<Scale, Settings>> = {
  quick: { width: 128, height: 64, iterations: 100, gain: 8 },
  full: { width: 192, height: 96, iterations: 200, gain: 10 },
};

const noise = 0.01;
/** Of the two penalties, about where each restores best. */
const weights = { 'total variation': 6e-4, squares: 2e-3 } as const;
/** The camera moved by this share of the width, 20° downwards. */
const [moved, angle] = [0.09, 0.35];

export const example: GalleryExample = {
  name: 'deblurring',
  title: 'What was written there? A shaken photograph made sharp',
  text: 'The camera moved while the shutter was open, and the number plate cannot be read. Blur is a product in the space of frequencies, where some frequencies are nearly lost and noise remains: dividing by it would show nothing but noise. So the sharp image is found as the minimum of two terms. One asks that the image, blurred through fast Fourier transforms, is the photograph; the other, the total variation, asks for few and clean edges. The gradient of both runs through the transforms, and L-BFGS changes all pixels at once. With squares in place of the total variation the minimum is a formula, which the same search must find.',
  kernels: ['fft'],
  run: runDeblurring,
};

interface Found {
  readonly scene: GreyImage;
  readonly seen: GreyImage;
  readonly formula: GreyImage;
  readonly sharp: GreyImage;
  /** Decibels of each image tried. */
  readonly course: readonly number[];
}

async function runDeblurring({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const { width, height, iterations, gain } = settings[scale];
  const scene = numberPlate(width, height);
  const camera = createCamera(engine, motionBlur(width, height, moved * width, angle));
  const seen = await camera.photograph(scene, noise, 3);
  const known = { scene, seen, formula: await camera.restoreByFormula(seen, weights.squares) };
  const course: number[] = [];
  const restored = await restore(camera, seen, iterations, async (values) => {
    const sharp = { width, height, values };
    course.push(peakSignalToNoise(sharp, scene));
    const isShown = course.length % 10 === 1;
    await progress({ label: `${course.at(-1)!.toFixed(1)} dB`, done: Math.min(course.length - 1, iterations), total: iterations, ...(isShown ? { pictures: picturesOf({ ...known, sharp, course }) } : {}) });
  });
  const checked = await camera.restore(seen, { penalty: 'squares', weight: weights.squares, maxIterations: 1000 });
  await progress({ label: 'done', done: iterations, total: iterations });
  const found = { ...known, sharp: restored.image, course };
  return { numbers: [...qualityNumbers(found, gain), ...await searchNumbers(camera, found, checked)], pictures: picturesOf(found) };
}

function restore(camera: Camera, seen: GreyImage, maxIterations: number, onEvaluation: (values: Float64Array) => Promise<void>): Promise<Restored> {
  return camera.restore(seen, { penalty: 'total variation', weight: weights['total variation'], maxIterations, onEvaluation });
}

function qualityNumbers({ scene, seen, formula, sharp }: Found, gain: number): readonly GalleryNumber[] {
  const [before, linear, after] = [seen, formula, sharp].map((image) => peakSignalToNoise(image, scene)) as [number, number, number];
  return [
    { what: 'photograph: peak signal to noise', value: before, unit: 'dB' },
    { what: 'squares as the penalty (a formula)', value: linear, unit: 'dB' },
    { what: 'total variation', value: after, unit: 'dB', claim: { atLeast: linear + 2 } },
    { what: 'gained by total variation', value: after - before, unit: 'dB', claim: { atLeast: gain } },
  ];
}

const largestDifference = (a: GreyImage, b: GreyImage): number => a.values.reduce((most, value, at) => Math.max(most, Math.abs(value - b.values[at]!)), 0);

async function searchNumbers(camera: Camera, { seen, formula, sharp }: Found, checked: Restored): Promise<readonly GalleryNumber[]> {
  const again = await camera.blurred(sharp);
  const rest = Math.sqrt(again.values.reduce((all, value, at) => all + (value - seen.values[at]!) ** 2, 0) / seen.values.length);
  return [
    { what: 'the sharp image, blurred again: distance from the photograph in standard deviations of its noise', value: rest / noise, known: { value: 1, source: 'the noise' }, claim: { within: 0.15 } },
    { what: 'squares by the search: largest difference from the formula', value: largestDifference(checked.image, formula), claim: { atMost: 1e-4 } },
    { what: 'its steps', value: checked.iterations },
  ];
}

function picturesOf(found: Found): readonly Picture[] {
  return [images(found), profile(found), course(found)];
}

function images({ scene, seen, formula, sharp }: Found): ImagePicture {
  return {
    kind: 'image', name: 'images', title: 'A shaken photograph made sharp',
    explanation: ['From left to right: the photograph, restored with squares, restored with total variation, the truth.'],
    images: [{ label: 'photograph', ...seen }, { label: 'squares', ...formula }, { label: 'total variation', ...sharp }, { label: 'truth', ...scene }],
  };
}

function profile({ scene, seen, sharp }: Found): PlotPicture {
  const row = Math.round(scene.height * 0.46);
  const grey = ({ width, values }: GreyImage, x: number): number => values[row * width + x]!;
  const rows = Array.from({ length: scene.width }, (_, x): RowData => ({ x, truth: grey(scene, x), seen: grey(seen, x), sharp: grey(sharp, x) }));
  const line = (y: string, stroke: string, strokeWidth: number, strokeOpacity: number): MarkData => ({ mark: 'lineY', data: rows, options: { x: 'x', y, stroke, strokeWidth, strokeOpacity } });
  return {
    kind: 'plot', name: 'profile', title: 'One row of pixels, through the letters',
    explanation: ['Edges come back where the blur left slopes.'],
    legend: [{ text: 'photograph', colour: colours.orange }, { text: 'restored', colour: colours.blue }, { text: 'truth', colour: colours.grey }],
    x: { label: 'Pixel' }, y: { label: 'Brightness' },
    marks: [line('truth', colours.grey, 4, 0.4), line('seen', colours.orange, 1.5, 1), line('sharp', colours.blue, 1.5, 1)],
  };
}

function course({ scene, formula, course: tried }: Found): PlotPicture {
  return {
    kind: 'plot', name: 'course', title: 'Better with each step',
    explanation: ['Peak signal to noise against the truth, which the search does not know. Dashed: the best that squares reach.'],
    x: { label: 'Gradients computed' }, y: { label: 'Peak signal to noise (dB)' },
    marks: [
      { mark: 'ruleY', data: [{ y: peakSignalToNoise(formula, scene) }], options: { y: 'y', stroke: '#999', strokeDasharray: '4 4' } },
      { mark: 'lineY', data: tried.map((y, x): RowData => ({ x, y })), options: { x: 'x', y: 'y', stroke: colours.blue, strokeWidth: 2 } },
    ],
  };
}
