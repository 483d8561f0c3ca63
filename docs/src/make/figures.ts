import { AdContext, createCatalog, type Engine, matmul, mul, sum, tensor, transpose } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { colours, logAxis, type PlotPicture } from '@tf/example-gallery/pictures';
import { eigh, linalgExtension, svdvals } from '@tf/linalg';
import { linalgWasm } from '@tf/linalg/cpu-wasm';
import { grad, jit, type TracedTensor } from '@tf/traced';
import { writePicture } from './pictures.ts';

type T = TracedTensor<'float64'>;
type Matrix = readonly (readonly [number, number])[];

/** Pictures of the pages, each made by a run. */
export async function makeFigures(out: string): Promise<void> {
  const engine = await createEngine({ modules: [...linalgWasm('float64')] });
  const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
  for (const picture of [crossing(engine), gaps(engine, context)]) writePicture(out, picture);
  engine.dispose();
}

/** Two values that would cross and do not, and what the vectors do there. */
function crossing(engine: Engine): PlotPicture {
  const values = jit((a: T) => eigh(a).values, { engine });
  const rows = [0, 0.15].flatMap((coupling) => Array.from({ length: 81 }, (_, at) => at / 40 - 1).flatMap((t) => {
    const matrix: Matrix = [[t, coupling], [coupling, -t]];
    const [low, high] = values(tensor(matrix)).toArray() as readonly number[];
    return [{ t, value: low!, line: `low ${coupling}`, coupling }, { t, value: high!, line: `high ${coupling}`, coupling }];
  }));
  const line = (coupling: number, colour: string): PlotPicture['marks'][number] => ({ mark: 'line', data: rows.filter((row) => row.coupling === coupling), options: { x: 't', y: 'value', z: 'line', stroke: colour, strokeWidth: 2 } });
  return {
    kind: 'plot', name: 'crossing', title: 'Eigenvalues of [[t, c], [c, −t]]',
    explanation: ['Where they meet (c = 0, t = 0) each of them has a corner; their sum and all functions of both stay smooth.'],
    x: { label: 't' }, y: { label: 'eigenvalue' },
    legend: [{ text: 'c = 0: they meet', colour: colours.red }, { text: 'c = 0.15: they avoid each other', colour: colours.blue }],
    marks: [line(0, colours.red), line(0.15, colours.blue)],
  };
}

/** Gradients of two losses while two singular values approach each other. */
function gaps(engine: Engine, context: AdContext): PlotPicture {
  const matrix = tensor([[0.8, 0.3], [-0.2, 0.5]]);
  const invariant = (a: T): T => sum(mul(svdvals(a), svdvals(a))) as T;
  const dependent = (a: T): T => {
    const { vectors } = eigh(matmul(transpose(a), a));
    return sum(mul(vectors, matrix)) as T;
  };
  const size = (loss: (a: T) => T) => jit((a: T) => {
    const gradient = grad(loss, { context })(a);
    return sum(mul(gradient, gradient));
  }, { engine });
  const [good, bad] = [size(invariant), size(dependent)];
  const rows = Array.from({ length: 29 }, (_, at) => 10 ** (-at / 2)).map((gap) => {
    const a = tensor([[1 + gap, 0.001 * gap], [0, 1]]);
    return { gap, invariant: Math.sqrt(good(a).item() as number), dependent: Math.sqrt(bad(a).item() as number) };
  });
  return {
    kind: 'plot', name: 'gaps', title: 'Length of a gradient as two values approach each other',
    explanation: ['A loss of all values (Σ s²) has the right gradient at every distance. One of single vectors has none where', 'values are equal: it grows as 1/gap, and stops at what derivativeEps lets through.'],
    x: { ...logAxis('gap between the values', rows.map(({ gap }) => gap)) }, y: { ...logAxis('length of the gradient', rows.flatMap(({ invariant: a, dependent: b }) => [a, b])) },
    legend: [{ text: 'Σ s²', colour: colours.blue }, { text: 'entries of single vectors', colour: colours.red }],
    marks: [
      { mark: 'line', data: rows, options: { x: 'gap', y: 'invariant', stroke: colours.blue, strokeWidth: 2 } },
      { mark: 'line', data: rows, options: { x: 'gap', y: 'dependent', stroke: colours.red, strokeWidth: 2 } },
    ],
  };
}
