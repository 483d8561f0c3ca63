import type { Part } from './split.ts';

/** The four arrays of the network, row-major: [4, 16], [16], [16, 3], [3]. */
export interface PlainParameters {
  readonly hiddenWeights: Float64Array;
  readonly hiddenBias: Float64Array;
  readonly outputWeights: Float64Array;
  readonly outputBias: Float64Array;
}

const [inputs, hidden, classes] = [4, 16, 3];

/** The network, its loss and its gradient by hand, in plain loops: what the tests hold the library against. */
export function plainLossAndGradient(parameters: PlainParameters, { features, labels }: Part): { readonly loss: number; readonly gradient: PlainParameters; readonly accuracy: number } {
  const gradient: PlainParameters = {
    hiddenWeights: new Float64Array(inputs * hidden), hiddenBias: new Float64Array(hidden),
    outputWeights: new Float64Array(hidden * classes), outputBias: new Float64Array(classes),
  };
  let loss = 0;
  let right = 0;
  labels.forEach((label, row) => {
    const x = features.subarray(row * inputs, (row + 1) * inputs);
    const active = activations(parameters, x);
    const scores = outputScores(parameters, active);
    const most = Math.max(...scores);
    const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
    loss += (most + Math.log(total) - scores[label]!) / labels.length;
    right += scores.indexOf(most) === label ? 1 : 0;
    const slope = scores.map((score, k) => (Math.exp(score - most) / total - (k === label ? 1 : 0)) / labels.length);
    addGradient(gradient, parameters, x, active, slope);
  });
  return { loss, gradient, accuracy: right / labels.length };
}

function activations({ hiddenWeights, hiddenBias }: PlainParameters, x: Float64Array): readonly number[] {
  return Array.from(hiddenBias, (bias, j) => Math.tanh(x.reduce((sum, value, i) => sum + value * hiddenWeights[i * hidden + j]!, bias)));
}

function outputScores({ outputWeights, outputBias }: PlainParameters, active: readonly number[]): readonly number[] {
  return Array.from(outputBias, (bias, k) => active.reduce((sum, value, j) => sum + value * outputWeights[j * classes + k]!, bias));
}

function addGradient(gradient: PlainParameters, { outputWeights }: PlainParameters, x: Float64Array, active: readonly number[], slope: readonly number[]): void {
  active.forEach((value, j) => {
    let back = 0;
    slope.forEach((ds, k) => {
      gradient.outputWeights[j * classes + k]! += value * ds;
      back += outputWeights[j * classes + k]! * ds;
    });
    back *= 1 - value * value;
    gradient.hiddenBias[j]! += back;
    x.forEach((input, i) => (gradient.hiddenWeights[i * hidden + j]! += input * back));
  });
  slope.forEach((ds, k) => (gradient.outputBias[k]! += ds));
}

/** Scores before softmax for rows of four features, row-major [rows, 3]. */
export function plainScores(parameters: PlainParameters, features: Float64Array): Float64Array {
  return Float64Array.from({ length: features.length / inputs }, (_, row) => row).reduce((all, row) => {
    all.set(outputScores(parameters, activations(parameters, features.subarray(row * inputs, (row + 1) * inputs))), row * classes);
    return all;
  }, new Float64Array((features.length / inputs) * classes));
}
