import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, type MarkData, type Picture, type PlotPicture, type RowData } from '../pictures/index.ts';
import { genesis } from './genesis.ts';
import { createModel, type Model, type Size, type Trained, type Training } from './problem.ts';
import { type Alphabet, alphabetOf, bigramEntropy, unigramEntropy } from './text.ts';

interface Settings extends Omit<Size, 'characters'>, Training {
  readonly steps: number;
  /** What the surprise at text that was not trained on is promised to be below. */
  readonly promised: 'unigrams' | 'bigrams';
}

const settings: Readonly<Record<Scale, Settings>> = {
  quick: { context: 32, width: 32, heads: 2, layers: 1, batch: 8, learningRate: 1e-2, steps: 200, promised: 'unigrams' },
  full: { context: 64, width: 64, heads: 4, layers: 2, batch: 16, learningRate: 3e-3, steps: 500, promised: 'bigrams' },
};

export const example: GalleryExample = {
  name: 'transformer',
  title: 'A small transformer learns to write like a book',
  text: 'Which character comes next? A network of attention layers reads the beginning of the book of Genesis, 28 thousand characters, and says how likely each is. Its loss is its mean surprise. Whoever only counts characters is surprised by the entropy of their frequencies, and whoever counts pairs by a little less: the network has to find words and grammar to come below both, and it must do so on the last tenth of the text, which it never trains on. Choice of the pieces, loss, gradient and the step of Adam are one compiled program; the weights never leave the engine.',
  kernels: [],
  run: runTransformer,
};

interface Course {
  /** Surprise at each step, of its pieces. */
  readonly training: number[];
  readonly heldOut: { readonly step: number; readonly surprise: number }[];
  readonly samples: { readonly step: number; readonly text: string }[];
}

interface Counted {
  readonly unigrams: number;
  readonly bigrams: number;
}

async function runTransformer({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const { steps, batch, learningRate, promised, ...shape } = settings[scale];
  const alphabet = alphabetOf(genesis);
  const cut = Math.floor(0.9 * genesis.length);
  const [read, heldOut] = [genesis.slice(0, cut), genesis.slice(cut)].map(alphabet.encode) as [Int32Array, Int32Array];
  const counted = { unigrams: unigramEntropy(genesis), bigrams: bigramEntropy(genesis) };
  const model = createModel(engine, { ...shape, characters: alphabet.characters.length }, { batch, learningRate });
  const course: Course = { training: [], heldOut: [], samples: [] };
  let trained = model.start(1);
  let milliseconds = 0;
  for (let step = 0; step <= steps; step++) {
    if (step % Math.ceil(steps / 10) === 0) look(model, trained, { step, heldOut, alphabet, course });
    if (step % 5 === 0) await progress({ label: `surprise ${course.training.at(-1)?.toFixed(2) ?? '…'}`, done: step, total: steps, ...(step % 25 === 0 ? { pictures: picturesOf(course, counted) } : {}) });
    if (step === steps) break;
    const begin = performance.now();
    const { surprise, ...next } = model.step(trained, read, step);
    if (step > 0) milliseconds += performance.now() - begin;
    trained = next;
    course.training.push(surprise);
  }
  return { numbers: numbersOf(course, counted, alphabet, promised, milliseconds / (steps - 1)), pictures: picturesOf(course, counted) };
}

interface Look {
  readonly step: number;
  readonly heldOut: Int32Array;
  readonly alphabet: Alphabet;
  readonly course: Course;
}

const prompt = 'And God said, Let there be light: and there was light. And God saw the ';

/** How the model does on what it has not read, and how it goes on from a beginning. */
function look(model: Model, trained: Trained, { step, heldOut, alphabet, course }: Look): void {
  course.heldOut.push({ step, surprise: model.examine(trained, heldOut) });
  course.samples.push({ step, text: alphabet.decode(model.write(trained, alphabet.encode(prompt), 76, 0.7)) });
}

function numbersOf({ training, heldOut }: Course, counted: Counted, { characters }: Alphabet, promised: Settings['promised'], milliseconds: number): readonly GalleryNumber[] {
  const last = training.slice(-20);
  return [
    { what: 'surprise before training', value: heldOut[0]!.surprise, unit: 'nats', known: { value: Math.log(characters.length), source: 'ln of the number of characters' }, claim: { within: 0.7 } },
    { what: 'entropy of characters', value: counted.unigrams, unit: 'nats' },
    { what: 'entropy of characters after another', value: counted.bigrams, unit: 'nats' },
    { what: 'surprise at what was read, last 20 steps', value: last.reduce((all, value) => all + value, 0) / last.length, unit: 'nats', claim: { atMost: counted[promised] } },
    { what: 'surprise at what was not read', value: heldOut.at(-1)!.surprise, unit: 'nats', claim: { atMost: counted[promised] } },
    { what: 'one step of training', value: milliseconds, unit: 'ms' },
  ];
}

function picturesOf(course: Course, counted: Counted): readonly Picture[] {
  return course.heldOut.length === 0 ? [] : [coursePicture(course, counted), samplePicture(course)];
}

function coursePicture({ training, heldOut }: Course, { unigrams, bigrams }: Counted): PlotPicture {
  const line = (y: number, text: string): readonly MarkData[] => [
    { mark: 'ruleY', data: [{ y }], options: { y: 'y', stroke: '#999', strokeDasharray: '4 4' } },
    { mark: 'text', data: [{ x: training.length, y, text }], options: { x: 'x', y: 'y', text: 'text', textAnchor: 'end', dy: -7, fill: '#555' } },
  ];
  return {
    kind: 'plot', name: 'course', title: 'The transformer learns to read',
    explanation: ['Mean surprise at the next character. Dashed: whoever counts characters, or pairs of them.'],
    legend: [{ text: 'pieces of each step', colour: colours.blue }, { text: 'text that is not trained on', colour: colours.red }],
    x: { label: 'Steps' }, y: { label: 'Surprise (nats)', domain: [0.5, 4.5] },
    marks: [
      ...line(unigrams, 'characters'), ...line(bigrams, 'pairs'),
      { mark: 'lineY', data: training.map((y, x): RowData => ({ x, y })), options: { x: 'x', y: 'y', stroke: colours.blue, strokeWidth: 1, clip: true } },
      { mark: 'lineY', data: heldOut.map(({ step: x, surprise: y }): RowData => ({ x, y })), options: { x: 'x', y: 'y', stroke: colours.red, strokeWidth: 2, clip: true } },
      { mark: 'dot', data: heldOut.map(({ step: x, surprise: y }): RowData => ({ x, y })), options: { x: 'x', y: 'y', fill: colours.red, r: 3 } },
    ],
  };
}

function samplePicture({ samples }: Course): PlotPicture {
  const rows = samples.map(({ step, text }, at): RowData => ({ x: 0, y: -at, step: `${step}`, text: text.replaceAll(' ', '\u00a0') }));
  return {
    kind: 'plot', name: 'samples', title: 'What it writes, after how many steps',
    explanation: [`All go on from “${prompt.trim()}”.`],
    x: { label: '', domain: [-7, 76], ticks: [] }, y: { label: '', domain: [-samples.length + 0.5, 0.5], ticks: [] },
    marks: [
      { mark: 'text', data: rows, options: { x: 'x', y: 'y', text: 'step', textAnchor: 'end', dx: -10, fill: colours.grey } },
      { mark: 'text', data: rows, options: { x: 'x', y: 'y', text: 'text', textAnchor: 'start', fontFamily: 'monospace', fontSize: 12 } },
    ],
  };
}
