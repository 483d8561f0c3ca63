import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, type MarkData, type PlotPicture, type RowData } from '../pictures/index.ts';
import { constantOfMotion, createFit, type Fit, type FitPrograms, type FitSettings, oscillatorSlope, unknownNames } from './problem.ts';

interface Settings extends FitSettings {
  /** How often new noise is drawn and fitted, to see whether the errors are as large as they should be. */
  readonly draws: number;
  /** How far the root mean square of the errors, in standard errors, may be from 1. */
  readonly spread: number;
}

const twentyYears = { interval: 0.5, count: 40, steps: 10, noise: 0.1 };
const settings: Readonly<Record<Scale, Settings>> = {
  quick: { ...twentyYears, draws: 10, spread: 0.35 },
  full: { ...twentyYears, draws: 200, spread: 0.1 },
};

/** About as the hares and lynxes of Hudson Bay went, in thousands and years. */
const truth = Float64Array.of(0.55, 0.84, 0.028, 0.026, 30, 4);
const firstGuess = Float64Array.of(1, 1, 0.02, 0.02, 20, 10);

export const example: GalleryExample = {
  name: 'predator-prey',
  title: 'Hares and lynxes: parameters of a differential equation',
  text: 'Hares multiply, lynxes eat them and multiply in turn: the equations of Lotka and Volterra have four coefficients, which nobody can count in a forest. What can be counted, with errors, are the animals. Here twenty years of counts are made from known coefficients, and found again: the equations are solved by the method of Runge and Kutta as two nested loops of one program, the loops are differentiated in reverse, and L-BFGS follows the gradient. Because the truth is known, so is how far off the answer may be: the Jacobian gives the standard error of each coefficient, and repeated fits with fresh noise scatter just as widely.',
  kernels: ['linalg'],
  run: runPredatorPrey,
};

interface Found {
  readonly observed: Float64Array;
  readonly fit: Fit;
  readonly errors: Float64Array;
  readonly curves: Curves;
}

interface Curves {
  readonly truth: Float64Array;
  readonly guess: Float64Array;
  readonly fit: Float64Array;
}

async function runPredatorPrey({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const { draws, spread, ...times } = settings[scale];
  const programs = createFit(engine, times);
  const found = await fitOnce(programs, times, (label, pictures) => progress({ label, done: 0, total: draws, pictures }));
  const pictures = [...curvePictures(found.observed, found.curves, times), errorPicture(found)];
  const scores = await repeatedFits(programs, draws, (done) => progress({ label: 'fits of fresh noise', done, total: draws, pictures }));
  const numbers = [...unknownNumbers(found), ...fitNumbers(found, times, scores, spread), ...methodNumbers(engine, found.curves.truth)];
  return { numbers, pictures };
}

async function fitOnce(programs: FitPrograms, times: FitSettings, tell: (label: string, pictures: readonly PlotPicture[]) => void | Promise<void>): Promise<Found> {
  const observed = await programs.observe(truth.map(Math.log), 1);
  const start = firstGuess.map(Math.log);
  const known = { truth: await programs.curve(truth.map(Math.log)), guess: await programs.curve(start) };
  const fit = await programs.fit(observed, start, async (at, value) => {
    await tell(`fit, misfit ${value.toPrecision(4)}`, curvePictures(observed, { ...known, fit: await programs.curve(at) }, times));
  });
  return { observed, fit, errors: await programs.standardErrors(fit.logUnknowns), curves: { ...known, fit: await programs.curve(fit.logUnknowns) } };
}

/** Errors of fitted unknowns in units of their standard errors. */
async function repeatedFits({ observe, fit, standardErrors }: FitPrograms, draws: number, tell: (done: number) => void | Promise<void>): Promise<readonly number[]> {
  const right = truth.map(Math.log);
  const errors = await standardErrors(right);
  const scores: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    await tell(draw);
    const { logUnknowns } = await fit(await observe(right, 1000 + draw), right);
    scores.push(...logUnknowns.map((value, at) => (value - right[at]!) / errors[at]!));
  }
  await tell(draws);
  return scores;
}

function unknownNumbers({ fit, errors }: Found): readonly GalleryNumber[] {
  return unknownNames.map((what, at): GalleryNumber => {
    const value = truth[at]!;
    return { what, value: Math.exp(fit.logUnknowns[at]!), known: { value, source: 'the truth' }, claim: { within: 3 * errors[at]! * value } };
  });
}

function fitNumbers({ fit, observed, errors }: Found, { noise }: FitSettings, scores: readonly number[], spread: number): readonly GalleryNumber[] {
  const freedom = observed.length - unknownNames.length;
  return [
    { what: 'largest standard error of an unknown', value: 100 * Math.max(...errors), unit: '%' },
    { what: 'values and gradients computed', value: fit.evaluations },
    { what: `misfit for each degree of freedom, noise ${100 * noise} %`, value: (2 * fit.value) / freedom, known: { value: 1, source: 'chi-squared' }, claim: { within: 3 * Math.sqrt(2 / freedom) } },
    { what: `errors of ${scores.length / unknownNames.length} fits, in standard errors (root mean square)`, value: Math.sqrt(scores.reduce((all, score) => all + score ** 2, 0) / scores.length), known: { value: 1, source: '(JᵀJ)⁻¹' }, claim: { within: spread } },
  ];
}

/** What is known of the method itself. */
function methodNumbers(engine: GalleryTask['engine'], curve: Float64Array): readonly GalleryNumber[] {
  const kept = Float64Array.from({ length: curve.length / 2 }, (_, at) => constantOfMotion(truth, Math.exp(curve[2 * at]!), Math.exp(curve[2 * at + 1]!)));
  const drift = Math.max(...kept.map((value) => Math.abs(value / kept[0]! - 1)));
  const [omega, t] = [1.3, 10];
  const exact = -t * Math.sin(omega * t);
  const [coarse, fine] = [400, 800].map((steps) => Math.abs(oscillatorSlope(engine, omega, t, steps) - exact)) as [number, number];
  return [
    { what: 'drift of Volterra\'s constant of the motion', value: drift, claim: { atMost: 1e-6 } },
    { what: 'oscillator, 800 steps: error of its derivative by ω', value: fine, claim: { atMost: 1e-6 } },
    { what: 'its order: how often half the step halves it', value: Math.log2(coarse / fine), known: { value: 4, source: 'Kutta' }, claim: { within: 0.05 } },
  ];
}

const animals = [{ text: 'hares', colour: colours.blue }, { text: 'lynxes', colour: colours.red }] as const;
const guessColour = colours.grey;

function rowsOf(logs: Float64Array, every: number): readonly RowData[] {
  return Array.from({ length: logs.length / 2 }, (_, at): RowData => ({ years: at * every, hares: Math.exp(logs[2 * at]!), lynxes: Math.exp(logs[2 * at + 1]!) }));
}

function curvePictures(observed: Float64Array, { truth: right, guess, fit }: Curves, { interval, steps, noise }: FitSettings): readonly PlotPicture[] {
  const [dots, fitted, guessed, exact] = [rowsOf(observed, interval), ...[fit, guess, right].map((logs) => rowsOf(logs, interval / steps))] as [readonly RowData[], readonly RowData[], readonly RowData[], readonly RowData[]];
  const explanation = `Dots: counts with ${100 * noise} % noise. Lines: the fit.`;
  return [{
    kind: 'plot', name: 'years', title: 'Twenty years of hares and lynxes',
    explanation: [`${explanation} Dashed: the first guess.`],
    legend: animals.map(({ text, colour }) => ({ text, colour })),
    x: { label: 'Years' }, y: { label: 'Animals (thousands)', domain: [0, 115] },
    marks: animals.flatMap(({ text: y, colour: stroke }): readonly MarkData[] => [
      { mark: 'lineY', data: guessed, options: { x: 'years', y, stroke, strokeWidth: 1, strokeDasharray: '4 4', strokeOpacity: 0.6, clip: true } },
      { mark: 'lineY', data: fitted, options: { x: 'years', y, stroke, strokeWidth: 2, clip: true } },
      { mark: 'dot', data: dots, options: { x: 'years', y, stroke, fill: 'white', r: 3 } },
    ]),
  }, {
    kind: 'plot', name: 'orbit', title: 'The same as an orbit',
    explanation: [`${explanation} What the truth does in twenty years lies under them in grey.`],
    legend: [{ text: 'counts', colour: colours.teal }, { text: 'fit', colour: colours.violet }, { text: 'truth', colour: guessColour }],
    x: { label: 'Hares (thousands)', domain: [0, 85] }, y: { label: 'Lynxes (thousands)', domain: [0, 65] },
    marks: [
      { mark: 'line', data: exact, options: { x: 'hares', y: 'lynxes', stroke: guessColour, strokeWidth: 5, strokeOpacity: 0.35 } },
      { mark: 'line', data: fitted, options: { x: 'hares', y: 'lynxes', stroke: colours.violet, strokeWidth: 1.5 } },
      { mark: 'dot', data: dots, options: { x: 'hares', y: 'lynxes', stroke: colours.teal, fill: 'white', r: 3 } },
    ],
  }];
}

function errorPicture({ fit, errors }: Found): PlotPicture {
  const rows = unknownNames.map((name, at): RowData => {
    const off = 100 * (fit.logUnknowns[at]! - Math.log(truth[at]!));
    return { name, at: unknownNames.length - at, off, low: off - 200 * errors[at]!, high: off + 200 * errors[at]! };
  });
  const room = 300 * Math.max(...errors);
  return {
    kind: 'plot', name: 'unknowns', title: 'How far each unknown is from the truth',
    explanation: ['Dots: the fit. Bars: two standard errors to each side, which hold the truth (the line at 0) 19 times of 20.'],
    x: { label: 'Error (%)', domain: [-room, room] },
    y: { label: '', domain: [0.5, unknownNames.length + 0.8], ticks: [] },
    marks: [
      { mark: 'ruleX', data: [{ x: 0 }], options: { x: 'x', stroke: '#999' } },
      { mark: 'ruleY', data: rows, options: { y: 'at', x1: 'low', x2: 'high', stroke: colours.blue, strokeWidth: 2 } },
      { mark: 'dot', data: rows, options: { x: 'off', y: 'at', fill: colours.blue, r: 4 } },
      { mark: 'text', data: rows, options: { x: 'off', y: 'at', text: 'name', fill: '#333', dy: -12 } },
    ],
  };
}
