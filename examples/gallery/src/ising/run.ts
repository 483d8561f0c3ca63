import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, logAxis, type MarkData, type PlotPicture, type RowData } from '../pictures/index.ts';
import { criticalBeta, onsager } from './onsager.ts';
import { createThermodynamics, type IsingSettings, type Thermodynamics } from './problem.ts';

interface Settings extends IsingSettings {
  readonly temperatures: readonly number[];
  /** Of the energy, away from the critical point. */
  readonly wanted: number;
}

const settings: Readonly<Record<Scale, Settings>> = {
  quick: { bond: 8, steps: 16, temperatures: between(1.4, 3.4, 11), wanted: 1e-3 },
  full: { bond: 24, steps: 22, temperatures: between(1.5, 3.3, 13), wanted: 1e-5 },
};

function between(from: number, to: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => Number((from + ((to - from) * at) / (count - 1)).toFixed(6)));
}

const criticalTemperature = 1 / criticalBeta;
/** Nearer than this to the critical temperature nothing is promised: correlations are longer than what a finite bond carries. */
export const criticalWindow = 0.15;

export const example: GalleryExample = {
  name: 'ising',
  title: 'Magnets from tensors: the Ising model against Onsager',
  text: 'Spins on a square lattice that like to agree with their neighbours. The sum over all states of a million spins is a network of tensors, which is made coarser step by step: each tensor is split by a truncated singular value decomposition, and the pieces are contracted anew. All of it is one differentiable program, so the energy is its first and the specific heat its second derivative with respect to the inverse temperature. Lars Onsager found both exactly in 1944: the picture shows how far the tensors are from his solution.',
  kernels: ['linalg'],
  run: runIsing,
};

/** One temperature: what was computed and what is exact. */
interface Point {
  readonly temperature: number;
  readonly found: Thermodynamics;
  readonly exact: Thermodynamics;
}

async function runIsing({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const { temperatures, bond, steps, wanted } = settings[scale];
  const compute = createThermodynamics(engine, { bond, steps });
  const points: Point[] = [];
  for (const temperature of temperatures) {
    await progress({ label: `temperature ${temperature.toFixed(2)}, bond ${bond}`, done: points.length, total: temperatures.length, pictures: picturesOf(points, bond) });
    points.push({ temperature, found: compute(1 / temperature), exact: onsager(1 / temperature) });
  }
  await progress({ label: 'done', done: points.length, total: temperatures.length });
  return { numbers: numbersOf(points, bond, wanted), pictures: picturesOf(points, bond) };
}

function numbersOf(points: readonly Point[], bond: number, wanted: number): readonly GalleryNumber[] {
  const away = points.filter(({ temperature }) => Math.abs(temperature - criticalTemperature) > criticalWindow);
  const worst = (part: keyof Thermodynamics): number => Math.max(...away.map(({ found, exact }) => Math.abs(found[part] - exact[part])));
  const source = 'Onsager';
  const near = [away[0], away.at(-1)].flatMap((point) => (point === undefined ? [] : [point]));
  return [
    { what: `largest error of ln Z per spin, bond ${bond}, |T − Tc| > ${criticalWindow}`, value: worst('logPartition') },
    { what: 'largest error of the energy there', value: worst('energy'), claim: { atMost: wanted } },
    { what: 'largest error of the specific heat there', value: worst('specificHeat') },
    ...near.flatMap(({ temperature, found, exact }): readonly GalleryNumber[] => [
      { what: `energy at T = ${temperature}`, value: found.energy, known: { value: exact.energy, source }, claim: { within: wanted } },
      { what: `specific heat at T = ${temperature}`, value: found.specificHeat, known: { value: exact.specificHeat, source } },
    ]),
  ];
}

const parts = [
  { part: 'logPartition', text: 'ln Z', colour: colours.grey },
  { part: 'energy', text: 'energy (first derivative)', colour: colours.blue },
  { part: 'specificHeat', text: 'specific heat (second derivative)', colour: colours.red },
] as const;

function picturesOf(points: readonly Point[], bond: number): readonly PlotPicture[] {
  return points.length === 0 ? [] : [curves(points, bond), errors(points, bond)];
}

const temperatureAxis = { label: 'Temperature (coupling / Boltzmann constant)' };
const criticalLine: MarkData = { mark: 'ruleX', data: [{ T: criticalTemperature }], options: { x: 'T', stroke: '#999', strokeDasharray: '4 4' } };

/** What was computed as dots on the exact curves. */
function curves(points: readonly Point[], bond: number): PlotPicture {
  const exact = between(1.3, 3.5, 441).map((T): RowData => ({ T, energy: onsager(1 / T).energy, specificHeat: Math.min(onsager(1 / T).specificHeat, 3) }));
  const found = points.map(({ temperature: T, found: { energy, specificHeat } }): RowData => ({ T, energy, specificHeat }));
  const shown = parts.filter(({ part }) => part !== 'logPartition');
  return {
    kind: 'plot', name: 'curves', title: `Ising model by tensors of bond ${bond}`,
    explanation: ['Lines: exact (Onsager). Dots: derivatives of the tensor program. Dashed: the critical temperature.'],
    legend: shown.map(({ text, colour }) => ({ text, colour })),
    x: temperatureAxis, y: { label: 'Energy (coupling) and specific heat per spin', domain: [-2.1, 3] },
    marks: [
      criticalLine,
      ...shown.map(({ part, colour }): MarkData => ({ mark: 'lineY', data: exact, options: { x: 'T', y: part, stroke: colour, strokeWidth: 1.75 } })),
      ...shown.map(({ part, colour }): MarkData => ({ mark: 'dot', data: found, options: { x: 'T', y: part, fill: 'white', stroke: colour, strokeWidth: 1.75, r: 4 } })),
    ],
  };
}

function errors(points: readonly Point[], bond: number): PlotPicture {
  const rows = points.map(({ temperature: T, found, exact }): RowData => ({ T, ...Object.fromEntries(parts.map(({ part }) => [part, Math.max(Math.abs(found[part] - exact[part]), 1e-16)])) }));
  return {
    kind: 'plot', name: 'errors', title: `Distance from Onsager's solution, bond ${bond}`,
    explanation: ['Errors per spin. Dashed: the critical temperature, where correlations outgrow every bond.'],
    legend: parts.map(({ text, colour }) => ({ text, colour })),
    x: temperatureAxis, y: logAxis('Absolute error (logarithmic)', rows.flatMap((row) => parts.map(({ part }) => Number(row[part])))),
    marks: [criticalLine, ...parts.flatMap(({ part, colour }): readonly MarkData[] => [
      { mark: 'lineY', data: rows, options: { x: 'T', y: part, stroke: colour, strokeWidth: 1.75 } },
      { mark: 'dot', data: rows, options: { x: 'T', y: part, fill: colour, r: 3 } },
    ])],
  };
}
