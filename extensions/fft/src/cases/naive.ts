/** The transforms by their definition: sums of products, compensated, with correctly placed roots of unity. */
import { type Params, tensorType } from '@tf/core';
import { type HostValue, hostValue, type InterpretOptions, type ReferenceCall } from '@tf/testkit';
import { rootsOfUnity } from '../plan/roots.ts';

/** X_k = Σ_j x_j e^{∓2πijk/n} of interleaved complex numbers. */
export function naiveDft(line: ArrayLike<number>, inverse = false): Float64Array {
  const n = line.length / 2;
  const result = new Float64Array(2 * n);
  const roots = rootsOfUnity(n, n);
  for (let k = 0; k < n; k++) {
    const [re, im] = [new Sum(), new Sum()];
    for (let j = 0; j < n; j++) {
      const at = 2 * ((j * k) % n);
      const [c, s] = [roots[at] as number, inverse ? -(roots[at + 1] as number) : (roots[at + 1] as number)];
      const [a, b] = [line[2 * j] as number, line[2 * j + 1] as number];
      re.add(a * c);
      re.add(-b * s);
      im.add(a * s);
      im.add(b * c);
    }
    result[2 * k] = re.value;
    result[2 * k + 1] = im.value;
  }
  return result;
}

/** Kahan's sum. */
class Sum {
  value = 0;
  #rest = 0;

  add(term: number): void {
    const corrected = term - this.#rest;
    const next = this.value + corrected;
    this.#rest = next - this.value - corrected;
    this.value = next;
  }
}

/** The first half of the spectrum of real numbers. */
export function naiveReal(line: ArrayLike<number>): Float64Array {
  const n = line.length;
  const complex = new Float64Array(2 * n);
  for (let j = 0; j < n; j++) complex[2 * j] = line[j] as number;
  return naiveDft(complex).subarray(0, 2 * (Math.floor(n / 2) + 1));
}

/** The n real numbers of a half spectrum, the imaginary parts of its ends left out. */
export function naiveSpectrum(half: ArrayLike<number>, n: number): Float64Array {
  const whole = new Float64Array(2 * n);
  for (let k = 0; 2 * k <= n; k++) {
    const isEnd = k === 0 || 2 * k === n;
    whole[2 * k] = half[2 * k] as number;
    if (isEnd) continue;
    whole[2 * k + 1] = half[2 * k + 1] as number;
    whole[2 * (n - k)] = half[2 * k] as number;
    whole[2 * (n - k) + 1] = -(half[2 * k + 1] as number);
  }
  return naiveDft(whole, true).filter((_, at) => at % 2 === 0);
}

/** |a − b|₂ / |b|₂. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let at = 0; at < b.length; at++) {
    difference += ((a[at] as number) - (b[at] as number)) ** 2;
    size += (b[at] as number) ** 2;
  }
  return a.length === b.length ? Math.sqrt(difference / (size || 1)) : NaN;
}

/** A function of lines, on each line along an axis. */
function alongAxis(x: HostValue, shape: readonly number[], dtype: HostValue['type']['dtype'], axis: number, line: (numbers: Float64Array) => Float64Array): HostValue {
  const from = x.type.shape as readonly number[];
  const at = from.length + axis;
  const [length, extent] = [from[at] as number, shape[at] as number];
  const inner = from.slice(at + 1).reduce((product, dim) => product * dim, 1);
  const outer = from.slice(0, at).reduce((product, dim) => product * dim, 1);
  const [words, results] = [x.type.dtype.startsWith('complex') ? 2 : 1, dtype.startsWith('complex') ? 2 : 1];
  const values = new Float64Array(outer * extent * inner * results);
  for (let row = 0; row < outer; row++) {
    for (let column = 0; column < inner; column++) {
      const read = Float64Array.from({ length: length * words }, (_, i) => Number(x.data[((row * length + Math.floor(i / words)) * inner + column) * words + (i % words)]));
      line(read).forEach((value, i) => void (values[((row * extent + Math.floor(i / results)) * inner + column) * results + (i % results)] = value));
    }
  }
  return hostValue(dtype, shape, values);
}

type Line = (numbers: Float64Array, params: Params, n: number) => Float64Array;

function reference(line: Line): (call: ReferenceCall) => readonly HostValue[] {
  return ({ instruction: { params }, inputs: [x], types: [type] }) => {
    const { dtype, shape } = type ?? tensorType('bool', []);
    const extents = shape as readonly number[];
    const axis = params['axis'] as number;
    const n = extents.at(axis) as number;
    return [alongAxis(x as HostValue, extents, dtype, axis, (numbers) => line(numbers, params, n))];
  };
}

/** What the family's operations are, for the reference interpreter. */
export const fftReference: NonNullable<InterpretOptions['operations']> = {
  'tf.fft.v1.dft': reference((numbers, params) => naiveDft(numbers, params['inverse'] === true)),
  'tf.fft.v1.rdft': reference((numbers) => naiveReal(numbers)),
  'tf.fft.v1.hdft': reference((numbers, _params, n) => naiveSpectrum(numbers, n)),
};

