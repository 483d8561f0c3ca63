/** What transforms must satisfy whatever they compute with, on the engine that users have. */
import { add, isComplex, mul, type Operand, roll, type Var } from '@tf/core';
import { createRandom, type HostValue, hostValue, randomValues } from '@tf/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naiveReal, relativeError } from './src/cases/naive.ts';
import { openEngine, runOn } from './run.testing.ts';
import { fft, fft2, fftConvolve, fftCorrelate, fftn, fftshift, hann, hfft, ifft, ifft2, ifftn, ifftshift, ihfft, irfft, irfft2, irfftn, istft, type Norm, rfft, rfft2, rfftn, stft } from './src/index.ts';
import { rootsOfUnity } from './src/plan/roots.ts';

const engine = await openEngine();
const norm = fc.constantFrom<Norm>('backward', 'ortho', 'forward');
const length = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constantFrom(96, 97, 100, 127, 128, 243, 250, 509));
const seed = fc.integer({ min: 1, max: 1e6 });
const runs = { numRuns: 60, seed: 1 };

type OfOne = (x: Operand) => Operand;
const on = (f: OfOne, ...inputs: readonly HostValue[]): Float64Array => runOn(engine, (x) => f(x as Operand) as Var, inputs)[0] as Float64Array;
const onTwo = (f: (a: Operand, b: Operand) => Operand, a: HostValue, b: HostValue): Float64Array => runOn(engine, (x, y) => f(x as Operand, y as Operand) as Var, [a, b])[0] as Float64Array;
const values = (dtype: 'float64' | 'complex128', shape: readonly number[], from: number): HostValue => randomValues(dtype, shape, createRandom(from));
const energy = (data: ArrayLike<number>): number => Array.from(data).reduce((sum, part) => sum + part * part, 0);

test('inverses undo transforms, of every length and norm', () => {
  fc.assert(fc.property(length, norm, seed, (n, by, from) => {
    const [z, x] = [values('complex128', [2, n], from), values('float64', [2, n], from)];
    for (const [value, f] of [
      [z, (y: Operand) => ifft(fft(y, { norm: by }), { norm: by })],
      [z, (y: Operand) => fft(ifft(y, { norm: by, axis: 1 }), { norm: by })],
      [x, (y: Operand) => irfft(rfft(y, { norm: by }), { n, norm: by })],
      [x, (y: Operand) => hfft(ihfft(y, { norm: by }), { n, norm: by })],
    ] as const) expect(relativeError(on(f, value), value.data as Float64Array)).toBeLessThan(1e-14);
  }), runs);
});

test('inverses undo transforms over several axes', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), norm, seed, (m, n, by, from) => {
    const [z, x] = [values('complex128', [3, m, n], from), values('float64', [3, m, n], from)];
    for (const [value, f] of [
      [z, (y: Operand) => ifftn(fftn(y, { norm: by }), { norm: by })],
      [z, (y: Operand) => ifft2(fft2(y, { norm: by }), { norm: by })],
      [x, (y: Operand) => irfftn(rfftn(y, { norm: by, axes: [2, 0] }), { norm: by, axes: [2, 0], s: [n, 3] })],
      [x, (y: Operand) => irfft2(rfft2(y, { norm: by }), { norm: by, s: [m, n] })],
    ] as const) expect(relativeError(on(f, value), value.data as Float64Array)).toBeLessThan(1e-14);
  }), runs);
});

test('an orthonormal transform keeps the sum of squares, along any axes (Parseval)', () => {
  fc.assert(fc.property(fc.subarray([0, 1, 2]), seed, (axes, from) => {
    const z = values('complex128', [4, 6, 5], from);
    expect(energy(on((y) => fftn(y, { axes, norm: 'ortho' }), z)) / energy(z.data as Float64Array)).toBeCloseTo(1, 13);
  }), runs);
});

test('transforms are linear', () => {
  fc.assert(fc.property(length, seed, (n, from) => {
    const [a, b] = [values('complex128', [n], from), values('complex128', [n], from + 1)];
    const together = onTwo((x, y) => fft(add(mul(x, 2) as Operand, y) as Operand) as Operand, a, b);
    const apart = onTwo((x, y) => add(mul(fft(x), 2) as Operand, fft(y)) as Operand, a, b);
    expect(relativeError(together, apart)).toBeLessThan(1e-14);
  }), runs);
});

test('a shift of the line turns its spectrum', () => {
  fc.assert(fc.property(length, fc.nat(500), seed, (n, by, from) => {
    const z = values('complex128', [n], from);
    const shifted = on((y) => fft(roll(y, by)), z);
    const spectrum = on((y) => fft(y), z);
    const roots = rootsOfUnity(n, n);
    const turned = Float64Array.from(spectrum, (_, at) => {
      const k = at >> 1;
      const root = 2 * ((k * by) % n);
      const [c, s, re, im] = [roots[root]!, roots[root + 1]!, spectrum[2 * k]!, spectrum[2 * k + 1]!];
      return at % 2 === 0 ? re * c - im * s : re * s + im * c;
    });
    expect(relativeError(shifted, turned)).toBeLessThan(1e-13);
  }), runs);
});

test('half a spectrum is half of the spectrum', () => {
  fc.assert(fc.property(length, norm, seed, (n, by, from) => {
    const x = values('float64', [n], from);
    const half = on((y) => rfft(y, { norm: by }), x);
    expect(relativeError(half, on((y) => fft(y, { norm: by }), x).subarray(0, half.length))).toBeLessThan(1e-14);
  }), runs);
});

/** Σ_i a_i b_{k−i}, complex. */
function directly(a: HostValue, b: HostValue): Float64Array {
  const [m, n] = [a.type.shape[0] as number, b.type.shape[0] as number];
  const at = ({ type, data }: HostValue, i: number): readonly [number, number] => (isComplex(type.dtype) ? [Number(data[2 * i]), Number(data[2 * i + 1])] : [Number(data[i]), 0]);
  const sums = new Float64Array(2 * (m + n - 1));
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      const [[ar, ai], [br, bi]] = [at(a, i), at(b, j)];
      sums[2 * (i + j)]! += ar * br - ai * bi;
      sums[2 * (i + j) + 1]! += ar * bi + ai * br;
    }
  }
  return sums;
}

test('a convolution is the sum of products, in every mode', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.boolean(), fc.boolean(), seed, (m, n, left, right, from) => {
    const [a, b] = [values(left ? 'complex128' : 'float64', [m], from), values(right ? 'complex128' : 'float64', [n], from + 1)];
    const whole = directly(a, b);
    const expected = left || right ? whole : whole.filter((_, at) => at % 2 === 0);
    const words = left || right ? 2 : 1;
    const size = Math.sqrt(energy(whole));
    for (const [mode, extent] of [['full', m + n - 1], ['same', m], ['valid', Math.abs(m - n) + 1]] as const) {
      const got = onTwo((x, y) => fftConvolve(x, y, { mode }) as Operand, a, b);
      const start = Math.floor((m + n - 1 - extent) / 2) * words;
      expect(got.length).toBe(extent * words);
      got.forEach((value, at) => expect(Math.abs(value - expected[start + at]!)).toBeLessThan(1e-14 * size));
    }
  }), runs);
});

test('a correlation is the convolution with the conjugate reversed', () => {
  const [a, b] = [values('complex128', [7], 1), values('complex128', [4], 2)];
  const reversed = Float64Array.from(b.data as Float64Array, (_, at) => (at % 2 === 0 ? 1 : -1) * Number(b.data[2 * (3 - (at >> 1)) + (at % 2)]));
  expect(relativeError(onTwo((x, y) => fftCorrelate(x, y) as Operand, a, b), directly(a, hostValue('complex128', [4], reversed)))).toBeLessThan(1e-14);
});

test('a convolution along one axis leaves the others as they are, and broadcasts them', () => {
  const [a, b] = [values('float64', [3, 9], 5), values('float64', [1, 4], 6)];
  const rows = onTwo((x, y) => fftConvolve(x, y, { axes: -1 }) as Operand, a, b);
  for (let row = 0; row < 3; row++) {
    const one = directly(hostValue('float64', [9], (a.data as Float64Array).subarray(9 * row, 9 * row + 9)), hostValue('float64', [4], b.data as Float64Array)).filter((_, at) => at % 2 === 0);
    expect(relativeError(rows.subarray(12 * row, 12 * row + 12), one)).toBeLessThan(1e-14);
  }
});

test('a segment is the spectrum of its samples under the window, zeros standing outside', () => {
  const x = values('float64', [20], 3);
  const window = hann(6).toArray() as readonly number[];
  const got = on((y) => stft(y, { length: 6, hop: 4, fftLength: 8 }), x);
  expect(got.length).toBe(2 * 5 * 6);
  for (let segment = 0; segment < 6; segment++) {
    const cut = Float64Array.from({ length: 8 }, (_, at) => (at < 6 ? Number(x.data[4 * segment - 3 + at] ?? 0) * window[at]! : 0));
    expect(relativeError(got.subarray(10 * segment, 10 * segment + 10), naiveReal(cut)), String(segment)).toBeLessThan(1e-14);
  }
});

test('segments put together again are the signal, real or complex', () => {
  fc.assert(fc.property(fc.integer({ min: 4, max: 24 }), fc.integer({ min: 1, max: 3 }), fc.boolean(), seed, (size, parts, complex, from) => {
    const x = values(complex ? 'complex128' : 'float64', [2, 60], from);
    const options = { length: size, hop: Math.floor(size / (parts + 1)), fftLength: size + 3, window: hann(size) };
    const got = on((y) => istft(stft(y, options), { ...options, real: !complex }), x);
    const words = complex ? 2 : 1;
    const kept = got.length / 2;
    for (let row = 0; row < 2; row++) {
      // What only the end of the last window reaches comes back with few digits.
      for (let at = 0; at < kept - size * words; at++) expect(got[row * kept + at]).toBeCloseTo(Number(x.data[row * 60 * words + at]), 10);
    }
  }), runs);
});

test('shifts are each other\'s inverse, and put frequency 0 in the middle', () => {
  for (const n of [1, 2, 5, 8]) {
    const x = hostValue('float64', [n, 3], Array.from({ length: 3 * n }, (_, at) => at));
    expect([...on((y) => ifftshift(fftshift(y)), x)]).toEqual([...(x.data as Float64Array)]);
    const line = hostValue('float64', [n], Array.from({ length: n }, (_, at) => at));
    expect(on((y) => fftshift(y), line)[Math.floor(n / 2)]).toBe(0);
  }
});
