import { type HostTensor, tensor } from '@tf/core';
import type { MinimizeStep } from '@tf/optim';
import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, type MarkData, type PlotPicture, type RowData } from '../pictures/index.ts';
import { createRegression, type Hyperparameters, mapHyperparameters, type Regression } from './problem.ts';
import { between, type Co2Record, readRecord } from './record.ts';

interface Settings {
  /** The first year that is learnt from. */
  readonly from: number;
  readonly maxIterations: number;
  /** Parts per million, of the held-out years. */
  readonly wanted: number;
}

const settings: Readonly<Record<Scale, Settings>> = {
  quick: { from: 1975, maxIterations: 40, wanted: 2 },
  full: { from: 1958, maxIterations: 100, wanted: 1.5 },
};

/** From here on nothing is learnt: five years, in which the forecast is held against what was measured. */
const heldOutFrom = 2015.3;
/** Ten years, of which nothing is promised: learnt until 2010.0 instead, a forecast so far ahead misses by 2.8 ppm and its band is too narrow. */
const longHeldOutFrom = 2010.3;
/** How far the picture looks into years that nobody had measured. */
const horizon = 2030;
const band = 1.96;

export const example: GalleryExample = {
  name: 'co2',
  title: 'The air on Mauna Loa: a forecast that knows its doubt',
  text: 'Carbon dioxide on Mauna Loa, month by month since 1958 (Scripps Institution of Oceanography, CC BY 4.0). A Gaussian process with a slow trend, seasons and something between has nine numbers that nobody knows: how large, how slow, how smooth. The likelihood of the record decides: it is computed through a Cholesky factor of all months with all months, its gradient goes back through the same factor, and L-BFGS climbs it. The last five years are held out: the forecast is compared with them, and its band should hold nearly all of them. A second trial holds out ten.',
  kernels: ['linalg'],
  run: runCo2,
};

type Logs = Hyperparameters<HostTensor<'float64'>>;

interface Problem {
  readonly regression: Regression;
  readonly learnt: Co2Record;
  readonly heldOut: Co2Record;
  readonly times: HostTensor<'float64'>;
  /** Without their mean. */
  readonly values: HostTensor<'float64'>;
  readonly mean: number;
}

/** What was learnt from the years before one, and how it did in those after. */
interface Trial {
  readonly problem: Problem;
  readonly logs: Logs;
  readonly surprise: number;
  readonly gradientNorm: number;
  readonly steps: number;
  /** Of each held-out month. */
  readonly errors: Float64Array;
  /** The share of them inside the band. */
  readonly inBand: number;
}

async function runCo2({ engine, scale, progress, readData }: GalleryTask): Promise<GalleryResult> {
  const { from, maxIterations, wanted } = settings[scale];
  const record = readRecord(await readData('co2-concentration.csv'));
  const regression = createRegression(engine);
  const surprises: RowData[] = [];
  const trial = (cut: number, before: number, watched: readonly RowData[]): Promise<Trial> => holdOut(regression, between(record, from, Infinity), cut, maxIterations, (step) => {
    const pictures = watched === surprises ? [learning(surprises)] : [];
    if (watched === surprises) surprises.push({ step: step.iteration, surprise: step.value });
    return progress({ label: `until ${Math.floor(cut)}: −ln p = ${step.value.toFixed(2)}`, done: before + step.iteration, total: 2 * maxIterations, pictures });
  });
  const short = await trial(heldOutFrom, 0, surprises);
  const long = await trial(longHeldOutFrom, maxIterations, []);
  const { problem: { learnt, heldOut }, errors } = short;
  return {
    numbers: [
      { what: `−ln p of ${learnt.times.length} months after ${short.steps} steps`, value: short.surprise },
      { what: 'largest element of its gradient', value: short.gradientNorm, claim: { atMost: 1 } },
      { what: `error of ${errors.length} held-out months (root mean square)`, value: rootMeanSquare(errors), unit: 'ppm', claim: { atMost: wanted } },
      { what: 'the same of last year\'s month and the growth of five years', value: rootMeanSquare(heldOut.values.map((seen, at) => seen - naive(learnt, at))), unit: 'ppm' },
      { what: 'held-out months inside the band of 95 %', value: short.inBand, claim: { atLeast: 0.85 } },
      { what: `error where ${long.errors.length} months are held out`, value: rootMeanSquare(long.errors), unit: 'ppm' },
      { what: 'of these inside the band', value: long.inBand },
      ...numbersOf(mapHyperparameters(short.logs, (log) => Math.exp(Number(log.item())))),
    ],
    pictures: [await picture(short.problem, short.logs), learning(surprises)],
  };
}

async function holdOut(regression: Regression, record: Co2Record, cut: number, maxIterations: number, onStep: (step: MinimizeStep) => unknown): Promise<Trial> {
  const [learnt, heldOut] = [between(record, 0, cut), between(record, cut, Infinity)];
  const mean = meanOf(learnt.values);
  const problem: Problem = { regression, learnt, heldOut, mean, times: tensor(learnt.times), values: tensor(learnt.values.map((value) => value - mean)) };
  const { parameters, value, gradientNorm, iteration } = await regression.learn(problem.times, problem.values, { maxIterations, onStep });
  const { mean: foretold, deviation } = await forecastAt(problem, parameters, heldOut.times);
  const errors = heldOut.values.map((seen, at) => seen - (foretold[at] as number));
  const inBand = errors.filter((error, at) => Math.abs(error) <= band * (deviation[at] as number)).length / errors.length;
  return { problem, logs: parameters, surprise: value, gradientNorm, steps: iteration, errors, inBand };
}

function numbersOf(p: Hyperparameters<number>): readonly GalleryNumber[] {
  return [
    { what: 'size of the seasons', value: p.seasonSize, unit: 'ppm' },
    { what: 'years over which their form changes', value: p.seasonYears, unit: 'years' },
    { what: 'years over which the trend bends', value: p.trendYears, unit: 'years' },
    { what: 'noise of a month', value: p.noiseSize, unit: 'ppm' },
  ];
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rootMeanSquare(values: Float64Array): number {
  return Math.sqrt(meanOf(values.map((value) => value ** 2)));
}

/** The same month of the last year that was learnt from, and as much growth in each year since as in the mean of the last five. */
function naive({ values }: Co2Record, monthsAhead: number): number {
  const last = (monthsBack: number): number => values[values.length - monthsBack] as number;
  const growth = (meanOf(values.slice(-12)) - meanOf(values.slice(-72, -60))) / 5;
  return last(12 - (monthsAhead % 12)) + growth * (1 + Math.floor(monthsAhead / 12));
}

async function forecastAt({ regression, times, values, mean }: Problem, logs: Logs, at: Float64Array): Promise<{ readonly mean: Float64Array; readonly deviation: Float64Array }> {
  const found = await regression.forecast(logs, times, values, tensor(at));
  return { mean: found.mean.map((value) => value + mean), deviation: found.deviation };
}

async function picture(problem: Problem, logs: Logs): Promise<PlotPicture> {
  const at = Float64Array.from({ length: 12 * (horizon - 2008) }, (_, month) => 2008 + (month + 0.5) / 12);
  const { mean, deviation } = await forecastAt(problem, logs, at);
  const rows = Array.from(at, (year, index): RowData => ({ year, mean: mean[index] as number, low: (mean[index] as number) - band * (deviation[index] as number), high: (mean[index] as number) + band * (deviation[index] as number) }));
  const dots = ({ times, values }: Co2Record): readonly RowData[] => Array.from(times, (year, index) => ({ year, seen: values[index] as number })).filter(({ year }) => year >= 2008);
  const dot = (record: Co2Record, fill: string, stroke: string): MarkData => ({ mark: 'dot', data: dots(record), options: { x: 'year', y: 'seen', r: 2.4, fill, stroke, strokeWidth: 1.2 } });
  return {
    kind: 'plot', name: 'forecast', title: 'Carbon dioxide on Mauna Loa, and what was foretold in 2015',
    explanation: ['Band: 95 % of what the Gaussian process expects of a month. Behind the dashed line nothing was learnt from.'],
    legend: [{ text: 'learnt from', colour: '#444' }, { text: 'held out', colour: colours.red }, { text: 'forecast', colour: colours.blue }],
    x: { label: 'Year', tickFormat: 'd' }, y: { label: 'Parts per million' },
    marks: [
      { mark: 'areaY', data: rows, options: { x: 'year', y1: 'low', y2: 'high', fill: colours.blue, fillOpacity: 0.2 } },
      { mark: 'lineY', data: rows, options: { x: 'year', y: 'mean', stroke: colours.blue, strokeWidth: 1.25 } },
      dot(problem.learnt, '#444', '#444'),
      dot(problem.heldOut, 'white', colours.red),
      { mark: 'ruleX', data: [{ year: heldOutFrom }], options: { x: 'year', stroke: '#999', strokeDasharray: '4 4' } },
    ],
  };
}

function learning(surprises: readonly RowData[]): PlotPicture {
  return {
    kind: 'plot', name: 'learning', title: 'Nine hyperparameters by the gradient of the likelihood',
    explanation: ['How surprising the record is, over the steps of L-BFGS.'],
    x: { label: 'Step' }, y: { label: '−ln p (nats)' },
    marks: [{ mark: 'lineY', data: [...surprises], options: { x: 'step', y: 'surprise', stroke: colours.blue, strokeWidth: 1.75 } }],
  };
}
