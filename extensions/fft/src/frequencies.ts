import { type FloatDType, type HostTensor, requireCount, requireNumber, requireOptions, tensor, wrongArgument } from '@tf/core';

export interface FrequencyOptions<D extends FloatDType> {
  /** float64 when absent. */
  readonly dtype?: D;
}

/** k/(n·d) for the k given. */
function frequencies<D extends FloatDType>(op: string, n: number, d: number, options: FrequencyOptions<D>, count: number, index: (k: number) => number): HostTensor<D> {
  requireNumber(op, 'd', d);
  requireOptions(op, options, ['dtype'], `${op}(n, d, { dtype })`);
  const dtype = options.dtype ?? 'float64';
  if (dtype !== 'float64' && dtype !== 'float32') throw wrongArgument(op, 'dtype', dtype, "'float64' or 'float32'");
  const values = Float64Array.from({ length: count }, (_, k) => index(k) / (n * d));
  return tensor(dtype === 'float32' ? Float32Array.from(values) : values) as unknown as HostTensor<D>;
}

/**
 * The frequencies of the elements of an `fft` of n points that lie d apart, in cycles per unit: 0, 1, … and then the negative
 * ones, each divided by n·d.
 *
 * @throws ArgumentError unless n is a positive integer.
 * @example
 * import { fftfreq } from '@tf/fft';
 * console.log(fftfreq(4, 0.5).toArray()); // → [ 0, 0.5, -1, -0.5 ]
 */
export function fftfreq<D extends FloatDType = 'float64'>(n: number, d = 1, options: FrequencyOptions<D> = {}): HostTensor<D> {
  requireCount('fftfreq', 'n', n);
  return frequencies('fftfreq', n, d, options, n, (k) => (2 * k < n ? k : k - n));
}

/** The frequencies of the elements of an `rfft`: 0, 1, … ⌊n/2⌋, each divided by n·d. */
export function rfftfreq<D extends FloatDType = 'float64'>(n: number, d = 1, options: FrequencyOptions<D> = {}): HostTensor<D> {
  requireCount('rfftfreq', 'n', n);
  return frequencies('rfftfreq', n, d, options, Math.floor(n / 2) + 1, (k) => k);
}
