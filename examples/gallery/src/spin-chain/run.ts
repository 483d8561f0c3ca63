import { tensor } from '@tf/core';
import { eigvalsh } from '@tf/linalg';
import { evaluate } from '@tf/traced';
import type { GalleryExample, GalleryNumber, GalleryResult, GalleryTask, Scale } from '../example.ts';
import { colours, logAxis, type MarkData, type PlotPicture, type RowData } from '../pictures/index.ts';
import { freeFermionEnergy, freeFermionMagnetisation, fullHamiltonian } from './exact.ts';
import { type ChainSettings, createGroundState, type GroundState } from './problem.ts';

interface Settings extends ChainSettings {
  readonly fields: readonly number[];
}

const settings: Readonly<Record<Scale, Settings>> = {
  quick: { sites: 6, bond: 8, maxIterations: 600, fields: [0.6, 1, 1.4] },
  full: { sites: 10, bond: 8, maxIterations: 2000, fields: [0.6, 0.8, 1, 1.2, 1.4, 1.6] },
};

const wanted = 1e-6;
/** Steps between two looks at the curve. */
const lookEvery = 20;

export const example: GalleryExample = {
  name: 'spin-chain',
  title: 'The ground state of a quantum spin chain',
  text: 'A row of quantum magnets in a field across it. Its state has 2ⁿ amplitudes; a matrix product state writes them as products of small matrices, one pair for each spin, and is found by going down the gradient of its energy: the sum over all amplitudes is one loop over the chain, differentiated in reverse, and L-BFGS does the descent. The energy must be that of the whole matrix of 2ⁿ rows diagonalised, and that of the free fermions to which this chain is equivalent; the magnetisation is the derivative of the energy with respect to the field.',
  kernels: ['linalg'],
  run: runChain,
};

/** One field: what was found, what is exact, and how far the energy was from that on the way. */
interface Point {
  readonly field: number;
  readonly found: GroundState | undefined;
  readonly exact: { readonly energy: number; readonly magnetisation: number };
  readonly way: readonly { readonly iteration: number; readonly error: number }[];
}

async function runChain({ engine, scale, progress }: GalleryTask): Promise<GalleryResult> {
  const { fields, ...chain } = settings[scale];
  const solve = createGroundState(engine, chain);
  const total = fields.length * chain.maxIterations;
  const points: Point[] = [];
  for (const [at, field] of fields.entries()) {
    const exact = { energy: freeFermionEnergy(chain.sites, field), magnetisation: freeFermionMagnetisation(chain.sites, field) };
    const way: { iteration: number; error: number }[] = [];
    const found = await solve(field, async ({ iteration, value }) => {
      if (iteration % lookEvery !== 0) return;
      way.push({ iteration, error: Math.abs(value - exact.energy) });
      await progress({ label: `field ${field}`, done: at * chain.maxIterations + iteration, total, pictures: [convergence([...points, { field, found: undefined, exact, way }], chain)] });
    });
    points.push({ field, found, exact, way });
  }
  await progress({ label: `diagonalising ${2 ** chain.sites} states`, done: total, total });
  const size = 2 ** chain.sites;
  const [lowest] = await evaluate(eigvalsh(tensor(fullHamiltonian(chain.sites, 1), { shape: [size, size] })), engine).data();
  return { numbers: numbersOf(points, chain, lowest as number), pictures: [convergence(points, chain), curves(points, chain)] };
}

function numbersOf(points: readonly Point[], { sites, bond }: ChainSettings, diagonalised: number): readonly GalleryNumber[] {
  return points.flatMap(({ field, found, exact }): readonly GalleryNumber[] => found === undefined ? [] : [
    { what: `energy of ${sites} spins at field ${field}, bond ${bond}`, value: found.energy, known: { value: exact.energy, source: 'free fermions' }, claim: { within: wanted } },
    ...(field === 1 ? [{ what: 'the same', value: found.energy, known: { value: diagonalised, source: 'exact diagonalisation' }, claim: { within: wanted } }] : []),
    { what: `magnetisation at field ${field}`, value: found.magnetisation, known: { value: exact.magnetisation, source: 'free fermions' }, claim: { within: 1e-4 } },
  ]);
}

const palette = [colours.blue, colours.red, colours.teal, colours.orange, colours.violet, colours.grey];

function colourOf(at: number): string {
  return palette[at % palette.length] as string;
}

function convergence(points: readonly Point[], { sites, bond }: ChainSettings): PlotPicture {
  return {
    kind: 'plot', name: 'convergence', title: `Energy of ${sites} spins on its way down, bond ${bond}`,
    explanation: ['Distance from the exact ground state over the steps of L-BFGS. Dashed: what is promised.'],
    legend: points.map(({ field }, at) => ({ text: `g = ${field}`, colour: colourOf(at) })),
    x: { label: 'Step' },
    y: logAxis('Energy above the exact one (logarithmic)', [wanted, ...points.flatMap(({ way }) => way.map(({ error }) => error))]),
    marks: [
      { mark: 'ruleY', data: [{ y: wanted }], options: { y: 'y', stroke: '#999', strokeDasharray: '4 4' } },
      ...points.map(({ way }, at): MarkData => ({ mark: 'lineY', data: way.map(({ iteration, error }): RowData => ({ iteration, error: Math.max(error, 1e-16) })), options: { x: 'iteration', y: 'error', stroke: colourOf(at), strokeWidth: 1.75 } })),
    ],
  };
}

function curves(points: readonly Point[], { sites }: ChainSettings): PlotPicture {
  const exact = Array.from({ length: 71 }, (_, at): RowData => {
    const field = 0.4 + at * 0.02;
    return { field, energy: freeFermionEnergy(sites, field) / sites, magnetisation: freeFermionMagnetisation(sites, field) / sites };
  });
  const found = points.flatMap(({ field, found: state }): RowData[] => (state === undefined ? [] : [{ field, energy: state.energy / sites, magnetisation: state.magnetisation / sites }]));
  const parts = [{ part: 'energy', text: 'energy per spin', colour: colours.blue }, { part: 'magnetisation', text: 'magnetisation (derivative by the field)', colour: colours.red }];
  return {
    kind: 'plot', name: 'curves', title: `A chain of ${sites} spins in a field across it`,
    explanation: ['Lines: exact (free fermions). Rings: the matrix product state.'],
    legend: parts.map(({ text, colour }) => ({ text, colour })),
    x: { label: 'Field g (coupling)' }, y: { label: 'Per spin' },
    marks: [
      ...parts.map(({ part, colour }): MarkData => ({ mark: 'lineY', data: exact, options: { x: 'field', y: part, stroke: colour, strokeWidth: 1.75 } })),
      ...parts.map(({ part, colour }): MarkData => ({ mark: 'dot', data: found, options: { x: 'field', y: part, fill: 'white', stroke: colour, strokeWidth: 1.75, r: 4 } })),
    ],
  };
}
