import type { GalleryExample, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, type ImagePicture, type ImageValues, logAxis, type PlotPicture, type RowData } from '../pictures/index.ts';
import { aligned, specimen } from './image.ts';
import { createRetrieval, type RetrievalSettings } from './problem.ts';

interface Settings extends RetrievalSettings {
  readonly maxIterations: number;
}

const settings: Readonly<Record<Scale, Settings>> = {
  quick: { size: 32, masks: 6, seed: 1, maxIterations: 150 },
  full: { size: 64, masks: 6, seed: 1, maxIterations: 300 },
};

const wanted = 1e-6;
/** Steps between two looks at the image. */
const lookEvery = 10;

export const example: GalleryExample = {
  name: 'phase-retrieval',
  title: 'Light without its phase: an image from diffraction patterns',
  text: 'Light that went through a specimen is a complex image: how bright, and how far turned in phase. A camera far away sees only how bright its Fourier transform is; the phases, and with them the image, are lost. Several patterns, each taken behind another random mask, hold it all the same: the image is found whose patterns are those that were seen. The unknown is complex, the misfit real, and its gradient ∂/∂Re + i·∂/∂Im leads L-BFGS down, from a beginning that is itself a power iteration of a gradient. Without noise the hidden image comes back to many digits, but for one phase that all points share.',
  kernels: ['fft'],
  run: runRetrieval,
};

async function runRetrieval({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const { maxIterations, ...setup } = settings[scale];
  const hidden = specimen(setup.size);
  const truth = await hidden.data();
  const retrieval = createRetrieval(engine, setup);
  const seen = retrieval.measure(hidden);
  const brightness = await seen.data();
  const way: RowData[] = [];
  const pictures = (found: Float64Array, label: string): readonly [ImagePicture, PlotPicture] => [imagesOf(setup.size, truth, brightness, found, label), descent(way)];
  const look = async (iteration: number, misfit: number, found: Float64Array): Promise<void> => {
    const { values, error } = aligned(found, truth);
    way.push({ iteration, misfit, error });
    if (iteration % lookEvery === 0) await progress({ label: `error ${error.toExponential(1)}`, done: iteration, total: maxIterations, pictures: pictures(values, `after ${iteration} steps`) });
  };
  const { parameters, value, iteration } = await retrieval.recover(seen, maxIterations, async (step, z) => look(step.iteration, step.value, await z.data()));
  const { values, error } = aligned(await parameters.data(), truth);
  return {
    numbers: [
      { what: `misfit of ${setup.masks} patterns of ${setup.size} × ${setup.size} after ${iteration} steps`, value },
      { what: 'relative error of the image, up to one phase', value: error, known: { value: 0, source: 'the hidden image' }, claim: { within: wanted } },
    ],
    pictures: pictures(values, 'recovered'),
  };
}

function imagesOf(size: number, truth: Float64Array, brightness: Float64Array, found: Float64Array, label: string): ImagePicture {
  const image = (name: string, values: Float64Array): ImageValues => ({ label: name, width: size, height: size, values });
  const first = brightness.subarray(0, size * size);
  const most = first.reduce((all, value) => Math.max(all, value), 0);
  return {
    kind: 'image', name: 'images', title: 'What was hidden, what the camera saw, what was found',
    explanation: ['Colour is phase, brightness is amplitude. In the middle one of the patterns, its square root.'],
    images: [image('hidden', coloured(truth)), image('one pattern', first.map((value) => Math.sqrt(value / most))), image(label, coloured(found))],
  };
}

/** Amplitude as brightness and phase as hue: red 0, then yellow, green, blue, round to red. */
function coloured(interleaved: Float64Array): Float64Array {
  const values = new Float64Array((interleaved.length / 2) * 3);
  for (let pixel = 0; pixel < interleaved.length / 2; pixel++) {
    const [re, im] = [interleaved[2 * pixel] as number, interleaved[2 * pixel + 1] as number];
    const [amplitude, phase] = [Math.hypot(re, im), Math.atan2(im, re)];
    for (let channel = 0; channel < 3; channel++) values[3 * pixel + channel] = amplitude * (0.6 + 0.4 * Math.cos(phase - (2 * Math.PI * channel) / 3));
  }
  return values;
}

function descent(way: readonly RowData[]): PlotPicture {
  const parts = [{ part: 'misfit', text: 'misfit of the patterns', colour: colours.blue }, { part: 'error', text: 'relative error of the image', colour: colours.red }];
  const above = way.map((row): RowData => ({ ...row, misfit: Math.max(Number(row['misfit']), 1e-32), error: Math.max(Number(row['error']), 1e-32) }));
  return {
    kind: 'plot', name: 'descent', title: 'Down to the hidden image',
    explanation: ['Over the steps of L-BFGS on a complex image. The search sees the misfit only.'],
    legend: parts.map(({ text, colour }) => ({ text, colour })),
    x: { label: 'Step' }, y: logAxis('Relative (logarithmic)', above.flatMap((row) => parts.map(({ part }) => Number(row[part])))),
    marks: parts.map(({ part, colour }) => ({ mark: 'lineY', data: above, options: { x: 'iteration', y: part, stroke: colour, strokeWidth: 1.75 } })),
  };
}
