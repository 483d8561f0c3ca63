/** Fewer samples make no median worth the name. */
export const leastSamples = 7;

/** The middle value, or the mean of the two in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

/** The median absolute deviation from the median, relative to the median. */
export function relativeDeviation(values: readonly number[]): number {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle))) / middle;
}

/** Below this two runs are never said to differ: what a machine does between two runs is not seen within one. */
export const leastNoise = 0.1;

/** A normal distribution's standard deviation is 1.4826 times its MAD. */
const deviationsPerMad = 1.4826;

/** The noise that is stated for a median: three standard deviations of its samples, estimated from their MAD, and at least {@link leastNoise}. */
export function statedNoise(samples: readonly number[]): number {
  return Math.max(leastNoise, 3 * deviationsPerMad * relativeDeviation(samples));
}
