import { type FloatDType, type HostTensor, requireCount, requireFlag, requireOptions, tensor, wrongArgument } from '@tf/core';
import { rootOfUnity } from './plan/roots.ts';

export interface WindowOptions<D extends FloatDType> {
  /** Whether the window is one period of what repeats, as spectra want it (default), or symmetric, as filters do. */
  readonly periodic?: boolean;
  /** float64 when absent. */
  readonly dtype?: D;
}

/** Σ_j (−1)^j a_j cos(2πjk/N) (Harris 1978, §V.C), with N = n for a periodic window and n − 1 for a symmetric one. */
function cosineWindow<D extends FloatDType>(op: string, n: number, options: WindowOptions<D>, coefficients: readonly number[]): HostTensor<D> {
  return window(op, n, options, (k, period) => coefficients.reduce((sum, a, j) => sum + (j % 2 === 0 ? a : -a) * rootOfUnity(j * k, period)[0], 0));
}

function window<D extends FloatDType>(op: string, n: number, options: WindowOptions<D>, value: (k: number, period: number) => number): HostTensor<D> {
  requireCount(op, 'n', n);
  requireOptions(op, options, ['periodic', 'dtype'], `${op}(n, { periodic, dtype })`);
  const { periodic = true, dtype = 'float64' } = options;
  requireFlag(op, 'periodic', periodic);
  if (dtype !== 'float64' && dtype !== 'float32') throw wrongArgument(op, 'dtype', dtype, "'float64' or 'float32'");
  const period = periodic ? n : n - 1;
  // A single point is 1 for either, as SciPy has it: a factor of 0 would leave nothing of a segment.
  const values = n === 1 ? Float64Array.of(1) : Float64Array.from({ length: n }, (_, k) => value(k, period));
  return tensor(dtype === 'float32' ? Float32Array.from(values) : values) as unknown as HostTensor<D>;
}

/**
 * Hann's window of n points: ½ − ½ cos. A window of 1 point is 1.
 *
 * @throws ArgumentError unless n is a positive integer.
 * @example
 * import { hann } from '@tf/fft';
 * console.log(hann(4).toArray()); // → [ 0, 0.5, 1, 0.5 ]
 */
export function hann<D extends FloatDType = 'float64'>(n: number, options: WindowOptions<D> = {}): HostTensor<D> {
  return cosineWindow('hann', n, options, [0.5, 0.5]);
}

/** Hamming's window: 0.54 − 0.46 cos. As {@link hann}. */
export function hamming<D extends FloatDType = 'float64'>(n: number, options: WindowOptions<D> = {}): HostTensor<D> {
  return cosineWindow('hamming', n, options, [0.54, 0.46]);
}

/** Blackman's window: 0.42 − 0.5 cos + 0.08 cos of twice the angle. As {@link hann}. */
export function blackman<D extends FloatDType = 'float64'>(n: number, options: WindowOptions<D> = {}): HostTensor<D> {
  return cosineWindow('blackman', n, options, [0.42, 0.5, 0.08]);
}

/** Blackman and Harris's window of four terms (Harris 1978): side lobes 92 dB down. As {@link hann}. */
export function blackmanHarris<D extends FloatDType = 'float64'>(n: number, options: WindowOptions<D> = {}): HostTensor<D> {
  return cosineWindow('blackmanHarris', n, options, [0.35875, 0.48829, 0.14128, 0.01168]);
}

/** Bartlett's window, a triangle from 0 to 1 and back. As {@link hann}. */
export function bartlett<D extends FloatDType = 'float64'>(n: number, options: WindowOptions<D> = {}): HostTensor<D> {
  return window('bartlett', n, options, (k, period) => 1 - Math.abs((2 * k) / period - 1));
}
