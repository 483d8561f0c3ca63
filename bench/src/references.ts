import { linalgReference, linalgTask, type LinalgTask } from './matrices.ts';
import { contracted, type GeneralTask, generalTasks, equations, memberNames, ringLength, ringReference, stateLength, stateReference } from './networks.ts';
import { product } from './product.ts';
import { scalingReference, type ScalingTask } from './scaling.ts';
import { batchSize, chainLength, type Input, type Inputs, layerNormEpsilon, layerSizes, learningRate, parameterNames, type Task, type Workload } from './workloads.ts';

type Reference = (inputs: Inputs, size: number) => Float64Array;

/** What every contender must find, by plain loops in float64. */
export function referenceOf({ task, size }: Workload, inputs: Inputs): Float64Array {
  if (linalgTask(task) !== undefined) return linalgReference(task as LinalgTask, inputs, size, product);
  const own = references[task as keyof typeof references] as Reference | undefined;
  return own === undefined ? scalingReference(task as ScalingTask, inputs, size, product) : own(inputs, size);
}

/** What a result is measured from: of parameters after a step only the change is looked at. */
export function baselineOf({ task }: Workload, inputs: Inputs): Float64Array | undefined {
  return task === 'mlp step' ? join(parameterNames.map((name) => valuesOf(inputs, name))) : undefined;
}

function valuesOf(inputs: Inputs, name: string): Float64Array {
  return (inputs[name] as Input).values;
}

function join(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const stepValue: Reference = (inputs) => {
  const [x, c] = [valuesOf(inputs, 'x'), valuesOf(inputs, 'c')];
  return Float64Array.of(x.reduce((sum, value, at) => sum + (value * c[at]!) ** 2, 0));
};

/** d/dx Σ (x·c)² = 2·x·c². */
const stepGradient: Reference = (inputs) => {
  const c = valuesOf(inputs, 'c');
  return valuesOf(inputs, 'x').map((value, at) => 2 * value * c[at]! ** 2);
};

const stepBoth: Reference = (inputs, size) => join([stepValue(inputs, size), stepGradient(inputs, size)]);

/** Neumaier (1974): a sum whose error does not grow with its length. */
function accurateSum(values: Iterable<number>): number {
  let [sum, lost] = [0, 0];
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

function rowsOf(inputs: Inputs, size: number): readonly Float64Array[] {
  const x = valuesOf(inputs, 'x');
  return Array.from({ length: size }, (_, row) => x.subarray(row * size, (row + 1) * size));
}

const references: Readonly<Record<Exclude<Task, LinalgTask | ScalingTask>, Reference>> = {
  operations: (inputs) => valuesOf(inputs, 'x').map((x) => {
    let y = x;
    for (let times = 0; times < chainLength; times++) y = y * x + x;
    return y;
  }),
  'step forward': stepValue,
  'step backward': stepGradient,
  'step forward and backward': stepBoth,
  'step compiled': stepBoth,
  matmul: (inputs, size) => product(valuesOf(inputs, 'a'), valuesOf(inputs, 'b'), size, size, size),
  'gelu chain': (inputs) => {
    const [y, z] = [valuesOf(inputs, 'y'), valuesOf(inputs, 'z')];
    return valuesOf(inputs, 'x').map((x, at) => (x * normalDistribution(x)) / (1 + Math.exp(-y[at]!)) + z[at]!);
  },
  sum: (inputs) => Float64Array.of(accurateSum(valuesOf(inputs, 'x'))),
  mean: (inputs, size) => Float64Array.of(accurateSum(valuesOf(inputs, 'x')) / size ** 2),
  'sum axis 1': (inputs, size) => Float64Array.from(rowsOf(inputs, size), accurateSum),
  'sum axis 0': (inputs, size) => {
    const x = valuesOf(inputs, 'x');
    return Float64Array.from({ length: size }, (_, column) => accurateSum(Array.from({ length: size }, (_row, row) => x[row * size + column]!)));
  },
  softmax: (inputs, size) => join(rowsOf(inputs, size).map((row) => {
    const powers = row.map(Math.exp);
    const sum = accurateSum(powers);
    return powers.map((power) => power / sum);
  })),
  'layer norm': (inputs, size) => join(rowsOf(inputs, size).map((row) => {
    const mean = accurateSum(row) / size;
    const variance = accurateSum(row.map((value) => (value - mean) ** 2)) / size;
    return row.map((value) => (value - mean) / Math.sqrt(variance + layerNormEpsilon));
  })),
  'mlp step': mlpStep,
  fft: (inputs) => spectrum(valuesOf(inputs, 'x')),
  rfft: (inputs, size) => {
    const pairs = new Float64Array(2 * size);
    valuesOf(inputs, 'x').forEach((value, at) => void (pairs[2 * at] = value));
    return spectrum(pairs).subarray(0, size + 2);
  },
  'einsum batched': (inputs) => {
    const [a, b] = [valuesOf(inputs, 'a'), valuesOf(inputs, 'b')];
    return join(Array.from({ length: 64 }, (_, at) => product(a.subarray(at * 4096, (at + 1) * 4096), b.subarray(at * 4096, (at + 1) * 4096), 64, 64, 64)));
  },
  'einsum chain': (inputs) => product(product(valuesOf(inputs, 'a'), valuesOf(inputs, 'b'), 256, 256, 256), valuesOf(inputs, 'c'), 256, 256, 256),
  'einsum network': (inputs) => bondNetwork(inputs),
  ...(Object.fromEntries(generalTasks.map((task): readonly [GeneralTask, Reference] => [task, (inputs) => contracted(task, Object.keys(equations[task]!.shapes).map((name) => valuesOf(inputs, name)))])) as Record<GeneralTask, Reference>),
  ring: (inputs, size) => ring(inputs, size)[0] as Float64Array,
  'ring gradients': (inputs, size) => join(ring(inputs, size)),
  state: (inputs, size) => state(inputs, size)[0] as Float64Array,
  'state gradients': (inputs, size) => join(state(inputs, size)),
};

function ring(inputs: Inputs, size: number): readonly Float64Array[] {
  return ringReference(memberNames(ringLength).map((name) => valuesOf(inputs, name)), size, product);
}

function state(inputs: Inputs, size: number): readonly Float64Array[] {
  return stateReference(memberNames(stateLength).map((name) => valuesOf(inputs, name)), size, product);
}

/** abc,cde,efg,gha->bdfh with a, c, e, g of 32 and b, d, f, h of 8: two halves, then what joins them. */
function bondNetwork(inputs: Inputs): Float64Array {
  const [upper, lower] = [product(valuesOf(inputs, 'a'), valuesOf(inputs, 'b'), 256, 32, 256), product(valuesOf(inputs, 'c'), valuesOf(inputs, 'd'), 256, 32, 256)];
  const result = new Float64Array(8 ** 4);
  for (let a = 0; a < 32; a++) {
    for (let bd = 0; bd < 64; bd++) {
      for (let e = 0; e < 32; e++) {
        const factor = upper[(a * 64 + bd) * 32 + e] as number;
        for (let fh = 0; fh < 64; fh++) result[bd * 64 + fh]! += factor * (lower[(e * 64 + fh) * 32 + a] as number);
      }
    }
  }
  return result;
}

/** The spectrum of a power of two complex numbers, of its halves (Cooley and Tukey 1965): every factor by its own sine and cosine. */
export function spectrum(line: Float64Array): Float64Array {
  const half = line.length / 4;
  if (half < 1) return line.slice();
  const [even, odd] = [0, 1].map((first) => spectrum(Float64Array.from({ length: 2 * half }, (_, at) => line[4 * (at >> 1) + 2 * first + (at & 1)]!))) as [Float64Array, Float64Array];
  const result = new Float64Array(line.length);
  for (let k = 0; k < half; k++) {
    const angle = (-Math.PI * k) / half;
    const [c, s, re, im] = [Math.cos(angle), Math.sin(angle), odd[2 * k]!, odd[2 * k + 1]!];
    const [x, y] = [re * c - im * s, re * s + im * c];
    result.set([even[2 * k]! + x, even[2 * k + 1]! + y], 2 * k);
    result.set([even[2 * k]! - x, even[2 * k + 1]! - y], 2 * (k + half));
  }
  return result;
}

function transposed(a: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: a.length }, (_, at) => a[(at % rows) * columns + Math.floor(at / rows)]!);
}

/**
 * Φ(x) for |x| ≤ 6 by Marsaglia (2004), "Evaluating the normal distribution": Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …).
 * The sum has terms of one sign; for x < 0 the difference cancels, but only relative to values that are small themselves.
 */
export function normalDistribution(x: number): number {
  let [sum, term] = [x, x];
  for (let odd = 3; Math.abs(term) > 1e-18 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Rumelhart, Hinton and Williams (1986), by hand: δ at the end is softmax − labels, and goes back through the layers. */
function mlpStep(inputs: Inputs): Float64Array {
  const layers = [1, 2, 3].map((number) => ({ weights: valuesOf(inputs, `w${number}`), bias: valuesOf(inputs, `b${number}`), rows: layerSizes[number - 1] as number, columns: layerSizes[number] as number }));
  const activations = [valuesOf(inputs, 'x')];
  layers.forEach(({ weights, bias, rows, columns }, at) => {
    const sums = product(activations[at]!, weights, batchSize, rows, columns).map((value, place) => value + bias[place % columns]!);
    activations.push(at < 2 ? sums.map((value) => Math.max(value, 0)) : sums);
  });
  let delta = outputDelta(activations[3]!, valuesOf(inputs, 'labels'));
  const parts: Float64Array[] = [];
  for (let at = 2; at >= 0; at--) {
    const { weights, bias, rows, columns } = layers[at]!;
    const input = activations[at]!;
    const ofWeights = product(transposed(input, batchSize, rows), delta, rows, batchSize, columns);
    const ofBias = product(new Float64Array(batchSize).fill(1), delta, 1, batchSize, columns);
    parts.unshift(weights.map((value, place) => value - learningRate * ofWeights[place]!), bias.map((value, place) => value - learningRate * ofBias[place]!));
    delta = product(delta, transposed(weights, rows, columns), batchSize, columns, rows).map((value, place) => (input[place]! > 0 ? value : 0));
  }
  return join(parts);
}

/** The gradient of the mean cross-entropy for the scores: (softmax − labels) / batch. */
function outputDelta(scores: Float64Array, labels: Float64Array): Float64Array {
  const classes = layerSizes[3];
  return scores.map((score, place) => {
    const row = Math.floor(place / classes) * classes;
    let sum = 0;
    for (let at = row; at < row + classes; at++) sum += Math.exp(scores[at]! - score);
    return (1 / sum - labels[place]!) / batchSize;
  });
}
