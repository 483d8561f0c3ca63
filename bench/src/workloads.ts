import { linalgInputs, linalgTasks, type LinalgTask } from './matrices.ts';
import { networkInputs, type NetworkTask, ringLength, stateLength } from './networks.ts';
import { product } from './product.ts';
import { createRandom } from './random.ts';
import { chainLengths, elementCounts, programLengths, scalingInputs, type ScalingTask } from './scaling.ts';
import type { SeriesPlace } from './series.ts';

export const groupNames = ['dispatch', 'matmul', 'chain', 'reduce', 'mlp', 'fft', 'einsum', 'linalg', 'sizes', 'scaling'] as const;
export type GroupName = (typeof groupNames)[number];

export type FloatDType = 'float32' | 'float64';

/** What is computed; adapters have one function for each that they can do. */
export type Task =
  | 'operations'
  | 'step forward'
  | 'step backward'
  | 'step forward and backward'
  | 'step compiled'
  | 'matmul'
  | 'gelu chain'
  | 'sum'
  | 'mean'
  | 'sum axis 1'
  | 'sum axis 0'
  | 'softmax'
  | 'layer norm'
  | 'mlp step'
  | 'fft'
  | 'rfft'
  | NetworkTask
  | LinalgTask
  | ScalingTask;

export type Unit = 'µs/op' | 'µs' | 'ms' | 'GFLOP/s';

export interface Workload {
  /** Unique; `matmul 512 float32`. */
  readonly name: string;
  readonly group: GroupName;
  readonly task: Task;
  readonly dtype: FloatDType;
  /** The length of a vector, or the rows and columns of a matrix. */
  readonly size: number;
  readonly unit: Unit;
  /** Work per run: operations for µs/op, floating-point operations for GFLOP/s, else 1. */
  readonly amount: number;
  /** The largest deviation from the reference, relative to the reference's largest entry, that counts as agreeing. */
  readonly tolerance: number;
  /** Whether the README shows it. */
  readonly headline: boolean;
  /** The series that it belongs to, and its place there. */
  readonly series?: SeriesPlace;
  /** Whether it asks only how our own cost grows. */
  readonly own?: boolean;
}

export interface Input {
  readonly shape: readonly number[];
  /** In float64; rounded to float32 already where the workload computes in it. Of complex numbers re and im, one after the other. */
  readonly values: Float64Array;
  readonly complex?: boolean;
}

export type Inputs = Readonly<Record<string, Input>>;

type Described = Omit<Workload, 'name' | 'group' | 'dtype' | 'tolerance' | 'headline'> & {
  readonly label: string;
  /** For float32 and float64. */
  readonly tolerances: readonly [number, number];
  readonly headline?: readonly FloatDType[];
  /** Both when absent. */
  readonly dtypes?: readonly FloatDType[];
};

const elementwise = [1e-5, 1e-10] as const;
const accumulated = [1e-4, 1e-10] as const;
/** Of the largest element of a spectrum. */
const spectral = [1e-5, 1e-11] as const;
const both = ['float32', 'float64'] as const;

/** How often y = y·x + x is done: two operations each time. */
export const chainLength = 100;
export const layerSizes = [784, 512, 256, 10] as const;
export const batchSize = 128;
export const learningRate = 1;
export const layerNormEpsilon = 1e-5;

/** Products of the three layers, forward, for the weights and (but for the first layer) for the input: 308 MFLOP. */
export const mlpOperations: number = 2 * batchSize * (2 * layerSizes[0] * layerSizes[1] + 3 * layerSizes[1] * layerSizes[2] + 3 * layerSizes[2] * layerSizes[3]);

const step = { size: 64, unit: 'µs', amount: 1, tolerances: elementwise, headline: ['float64'] } as const;
/** Sums of products: of the largest element. */
const network = { size: 64, unit: 'ms', amount: 1, tolerances: [1e-3, 1e-10] } as const;
const matrix = { size: 1024, unit: 'ms', amount: 1 } as const;

const decomposition = { unit: 'ms', amount: 1, tolerances: [1e-3, 1e-9], dtypes: ['float64'] } as const;

const described: Readonly<Record<GroupName, readonly Described[]>> = {
  dispatch: [
    { label: 'eager operation, length 64', task: 'operations', size: 64, unit: 'µs/op', amount: 2 * chainLength, tolerances: elementwise, headline: both },
    { ...step, label: 'n=64 step, eager forward', task: 'step forward' },
    { ...step, label: 'n=64 step, eager backward alone', task: 'step backward' },
    { ...step, label: 'n=64 step, eager forward and backward', task: 'step forward and backward' },
    { ...step, label: 'n=64 step, compiled value and gradient', task: 'step compiled' },
  ],
  matmul: [64, 256, 512, 1024].map((size) => ({ label: `matmul ${size}`, task: 'matmul', size, unit: 'GFLOP/s', amount: 2 * size ** 3, tolerances: elementwise, headline: size === 512 ? both : [] })),
  chain: [{ label: 'gelu(x)·sigmoid(y) + z, 1e6', task: 'gelu chain', size: 1e6, unit: 'ms', amount: 1, tolerances: elementwise, headline: both }],
  reduce: [
    { ...matrix, label: 'sum of 1024²', task: 'sum', tolerances: accumulated },
    { ...matrix, label: 'mean of 1024²', task: 'mean', tolerances: accumulated },
    { ...matrix, label: 'sum of 1024² over axis 1', task: 'sum axis 1', tolerances: accumulated },
    { ...matrix, label: 'sum of 1024² over axis 0', task: 'sum axis 0', tolerances: accumulated },
    { ...matrix, label: 'softmax of 1024²', task: 'softmax', tolerances: accumulated, headline: both },
    { ...matrix, label: 'layer norm of 1024²', task: 'layer norm', tolerances: accumulated, headline: ['float32'] },
  ],
  mlp: [{ label: 'MLP 784-512-256-10, batch 128, step', task: 'mlp step', size: batchSize, unit: 'ms', amount: 1, tolerances: [1e-3, 1e-9], headline: both }],
  fft: [
    ...[1024, 65536, 2 ** 20].map((size): Described => ({ label: `fft of ${size} complex numbers`, task: 'fft', size, unit: size === 1024 ? 'µs' : 'ms', amount: 1, tolerances: spectral, headline: size === 1024 ? [] : ['float64'] })),
    { label: 'rfft of 65536 real numbers', task: 'rfft', size: 65536, unit: 'ms', amount: 1, tolerances: spectral },
  ],
  einsum: [
    { ...network, label: 'einsum bij,bjk->bik, 64 of each', task: 'einsum batched', headline: both },
    { ...network, label: 'einsum ij,jk,kl->il, 256 of each', task: 'einsum chain' },
    { ...network, label: 'einsum abc,cde,efg,gha->bdfh, bonds of 32', task: 'einsum network', headline: both },
    { ...network, label: 'einsum abcd,dcef->feab, 16 of each', task: 'einsum permuted' },
    { ...network, label: 'einsum abc,ade,bfg,ch->degfh, bonds of 24', task: 'einsum tree' },
    { ...network, label: 'einsum ai,aj,ak,al->ijkl, 16 of each around 64', task: 'einsum star' },
    { ...network, label: 'einsum of the inner product of six sites, bonds of 32', task: 'einsum sites' },
    { ...network, size: 64, label: `trace of ${ringLength} matrices 64 × 64`, task: 'ring' },
    { ...network, size: 64, label: `trace of ${ringLength} matrices 64 × 64, all gradients`, task: 'ring gradients' },
    { ...network, size: 16, label: `inner product of a state of ${stateLength} sites, bonds of 16`, task: 'state' },
    { ...network, size: 16, label: `inner product of a state of ${stateLength} sites, all gradients`, task: 'state gradients' },
  ],
  linalg: [
    ...(['svd', 'eigh', 'qr', 'eig', 'cholesky', 'solve'] as const).flatMap((task) => [64, 256, 512].map((size): Described => ({ ...decomposition, label: `${task} of ${size}²`, task, size, headline: size === 256 ? ['float64'] : [] }))),
    ...(['inv', 'slogdet'] as const).map((task): Described => ({ ...decomposition, label: `${task} of 256²`, task, size: 256 })),
    ...linalgTasks.map((task): Described => ({ ...decomposition, label: `${task} of 256², value and gradient`, task: `${task} gradient`, size: 256, headline: ['float64'] })),
  ],
  // What is left of the speed of LAPACK where matrices are small, and what derivatives cost beside it.
  sizes: [2, 8, 64, 256, 512].flatMap((size) => linalgTasks.flatMap((task): readonly Described[] => [
    { ...decomposition, label: `${task} of ${size}², value`, task, size },
    { ...decomposition, label: `${task} of ${size}², value and derivative along a direction`, task: `${task} tangent`, size },
    { ...decomposition, label: `${task} of ${size}², value and whole gradient`, task: `${task} gradient`, size },
  ])),
  scaling: [
    ...(['transform', 'compile', 'run'] as const).flatMap((stage) => programLengths.map((size): Described => ({
      label: `gradient of a chain of ${size} operations, ${stage}`, task: `program ${stage}`, size, unit: 'ms', amount: 1, tolerances: elementwise, dtypes: ['float64'],
      series: { name: `gradient of a chain, ${stage}`, of: 'operations', at: size }, own: true,
    }))),
    ...elementCounts.map((size): Described => ({
      label: `gelu(x)·sigmoid(y) + z, ${size.toExponential(0).replace('+', '')} elements`, task: 'gelu chain', size, unit: 'ms', amount: 1, tolerances: elementwise, dtypes: ['float32'],
      series: { name: 'gelu(x)·sigmoid(y) + z', of: 'elements', at: size },
    })),
    ...chainLengths.map((size): Described => ({
      label: `trace of a product of ${size} matrices 16 × 16, all gradients`, task: 'matrix chain gradients', size, unit: 'ms', amount: 1, tolerances: network.tolerances, dtypes: ['float64'],
      series: { name: 'product of matrices, all gradients', of: 'matrices', at: size }, own: true,
    })),
  ],
};

/** Every workload there is, in the order of the tables. */
export const workloads: readonly Workload[] = groupNames.flatMap((group) =>
  described[group].flatMap(({ label, tolerances, headline = [], dtypes = both, ...rest }) =>
    dtypes.map((dtype): Workload => ({ ...rest, name: `${label}, ${dtype}`, group, dtype, tolerance: tolerances[both.indexOf(dtype)] as number, headline: headline.includes(dtype) }))));

/** The same numbers for every contender and every run. */
export function inputsOf({ task, dtype, size }: Workload): Inputs {
  const random = createRandom(1 + size);
  const uniform = (shape: readonly number[], low: number, high: number): Input => {
    const values = Float64Array.from({ length: shape.reduce((product, extent) => product * extent, 1) }, () => low + (high - low) * random());
    return { shape, values: dtype === 'float32' ? Float64Array.from(Float32Array.from(values)) : values };
  };
  if (task === 'operations') return { x: uniform([size], -0.9, 0.9) };
  if (task.startsWith('step')) return { x: uniform([size], -1, 1), c: uniform([size], -1, 1) };
  if (task === 'matmul') return { a: uniform([size, size], -1, 1), b: uniform([size, size], -1, 1) };
  if (task === 'gelu chain') return { x: uniform([size], -3, 3), y: uniform([size], -3, 3), z: uniform([size], -1, 1) };
  if (task === 'mlp step') return mlpInputs(uniform, random);
  if (task === 'fft') return { x: { ...uniform([2 * size], -1, 1), shape: [size], complex: true } };
  const network = networkInputs(task, size, uniform);
  if (network !== undefined) return network;
  const scaling = scalingInputs(task, size, uniform);
  if (scaling !== undefined) return scaling;
  const matrices = linalgInputs(task, size, uniform, product);
  if (matrices !== undefined) return matrices;
  if (task === 'rfft') return { x: uniform([size], -1, 1) };
  return { x: uniform([size, size], 0, 1) };
}

/** Layers by Glorot and Bengio (2010), biases of 0, labels as rows with a single 1. */
function mlpInputs(uniform: (shape: readonly number[], low: number, high: number) => Input, random: () => number): Inputs {
  const layers = layerSizes.slice(1).flatMap((columns, at) => {
    const rows = layerSizes[at] as number;
    const bound = Math.sqrt(6 / (rows + columns));
    return [[`w${at + 1}`, uniform([rows, columns], -bound, bound)], [`b${at + 1}`, { shape: [columns], values: new Float64Array(columns) }]] as const;
  });
  const classes = layerSizes[3];
  const labels = new Float64Array(batchSize * classes);
  for (let row = 0; row < batchSize; row++) labels[row * classes + Math.floor(random() * classes)] = 1;
  return { ...Object.fromEntries(layers), x: uniform([batchSize, layerSizes[0]], 0, 1), labels: { shape: [batchSize, classes], values: labels } };
}

/** The names of the parameters of the network, in the order of the results. */
export const parameterNames = ['w1', 'b1', 'w2', 'b2', 'w3', 'b3'] as const;
export type ParameterName = (typeof parameterNames)[number];
