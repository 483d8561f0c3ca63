import { add, equal, type Kind, logSumExp, matmul, mean, mul, type Of, type Operand, reshape, select, sub, sum, tanh } from '@tf/core';
import { measurements, speciesNames } from './data.ts';
import { createRandom } from './random.ts';

export const hiddenUnits = 16;

/** A network of one hidden layer; `T` is a tensor of one front end, or plain numbers. */
export interface Parameters<T> {
  /** [4, 16] */
  readonly hiddenWeights: T;
  /** [16] */
  readonly hiddenBias: T;
  /** [16, 3] */
  readonly outputWeights: T;
  /** [3] */
  readonly outputBias: T;
}

/** Penguins with their species: [n, 4] standardised measurements, [n] labels, and the labels that there are, [3]. */
export interface Batch<F, L> {
  readonly features: F;
  readonly labels: L;
  readonly classes: L;
}

export const parameterShapes: Parameters<readonly number[]> = {
  hiddenWeights: [measurements.length, hiddenUnits],
  hiddenBias: [hiddenUnits],
  outputWeights: [hiddenUnits, speciesNames.length],
  outputBias: [speciesNames.length],
};

/** The same function of all four arrays. */
export function mapParameters<A, B>(parameters: Parameters<A>, f: (value: A, name: keyof Parameters<A>) => B): Parameters<B> {
  return {
    hiddenWeights: f(parameters.hiddenWeights, 'hiddenWeights'),
    hiddenBias: f(parameters.hiddenBias, 'hiddenBias'),
    outputWeights: f(parameters.outputWeights, 'outputWeights'),
    outputBias: f(parameters.outputBias, 'outputBias'),
  };
}

export function zerosLike(parameters: Parameters<Float64Array>): Parameters<Float64Array> {
  return mapParameters(parameters, (values) => new Float64Array(values.length));
}

/** The values of four tensors of any front end. */
export async function readParameters(parameters: Parameters<{ data(): Promise<Float64Array> }>): Promise<Parameters<Float64Array>> {
  const { hiddenWeights, hiddenBias, outputWeights, outputBias } = mapParameters(parameters, (value) => value.data());
  return { hiddenWeights: await hiddenWeights, hiddenBias: await hiddenBias, outputWeights: await outputWeights, outputBias: await outputBias };
}

/** Glorot and Bengio (2010): uniform in ±√(6 / (rows + columns)); biases 0. */
export function initialise(seed: number): Parameters<Float64Array> {
  const random = createRandom(seed);
  return mapParameters(parameterShapes, ([rows = 0, columns]) => {
    if (columns === undefined) return new Float64Array(rows);
    const bound = Math.sqrt(6 / (rows + columns));
    return Float64Array.from({ length: rows * columns }, () => (2 * random() - 1) * bound);
  });
}

type Float<K extends Kind> = Operand<K, 'float64'>;

/** The scores of the three species, [n, 3], before softmax. */
export function scores<K extends Kind>({ hiddenWeights, hiddenBias, outputWeights, outputBias }: Parameters<Float<K>>, features: Float<K>): Of<K, 'float64'> {
  const hidden = tanh(add(matmul(features, hiddenWeights), hiddenBias));
  return add(matmul(hidden, outputWeights), outputBias);
}

/**
 * Mean cross-entropy of the scores with the true species, a scalar: the one function that both front ends train with.
 */
export function crossEntropy<K extends Kind>(parameters: Parameters<Float<K>>, { features, labels, classes }: Batch<Float<K>, Operand<K, 'int32'>>): Of<K, 'float64'> {
  const all = scores(parameters, features);
  // A select, not a product with 0 and 1: a species that is not the true one contributes nothing, whatever its score.
  const isTrue = equal(reshape(labels, [-1, 1]), classes) as Operand<K, 'bool'>;
  const ofTruth = sum(select(isTrue, all, 0), { axes: -1 });
  return mean(sub(logSumExp(all, { axes: -1 }), ofTruth));
}

/** Gradient descent with momentum: the velocity v′ = μv + g. */
export function velocityAfter<K extends Kind>(velocity: Float<K>, gradient: Float<K>): Of<K, 'float64'> {
  return add(mul(velocity, momentum), gradient);
}

/** Gradient descent with momentum: the parameter p′ = p − ηv′. */
export function parameterAfter<K extends Kind>(parameter: Float<K>, velocity: Float<K>): Of<K, 'float64'> {
  return sub(parameter, mul(velocity, learningRate));
}

export const learningRate = 0.05;
export const momentum = 0.9;
