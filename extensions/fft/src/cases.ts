/** Uses of the family that its laws are tried on: values from the definition, derivatives from differences. */
import { mul, type Operand, sum, type Var } from '@tf/core';
import { createRandom, type ExtensionCase, type HostValue, hostValue, randomValues } from '@tf/testkit';
import { fftConvolve, fftCorrelate } from './convolve.ts';
import { fft, ifft } from './fft.ts';
import { fft2, irfftn, rfftn } from './fftn.ts';
import { naiveDft, naiveReal, naiveSpectrum } from './cases/naive.ts';
import { hfft, ihfft, irfft, rfft } from './rfft.ts';
import { fftshift, ifftshift } from './shift.ts';
import { istft, stft } from './stft.ts';
import { hann } from './windows.ts';

function values(dtype: 'float64' | 'complex128', shape: readonly number[], seed: number): HostValue {
  return randomValues(dtype, shape, createRandom(seed));
}

type OfOne = (x: Operand) => Operand;
const unary = (f: OfOne): NonNullable<ExtensionCase['f']> => (x) => f(x as Operand) as Var;

/** Lengths that are 1, even, odd, composite, prime, and prime beyond every radix. */
const lengths: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 37];

function lineCases(n: number): readonly ExtensionCase[] {
  const [z, x] = [values('complex128', [n], n), values('float64', [n], n + 100)];
  const half = values('complex128', [Math.floor(n / 2) + 1], n + 200);
  const extent = Math.floor(n / 2) + 1;
  return [
    { name: `fft of ${n}`, f: unary((y) => fft(y)), inputs: [z], expected: [hostValue('complex128', [n], naiveDft(z.data as Float64Array))] },
    { name: `inverse of ${n}, divided in the forward transform`, f: unary((y) => ifft(y, { norm: 'forward' })), inputs: [z], expected: [hostValue('complex128', [n], naiveDft(z.data as Float64Array, true))] },
    { name: `rfft of ${n}`, f: unary((y) => rfft(y)), inputs: [x], expected: [hostValue('complex128', [extent], naiveReal(x.data as Float64Array))] },
    { name: `irfft of ${n}`, f: unary((y) => irfft(y, { n, norm: 'forward' })), inputs: [half], expected: [hostValue('float64', [n], naiveSpectrum(half.data as Float64Array, n))] },
  ];
}

const [line, matrix, block] = [values('float64', [6], 1), values('complex128', [3, 4], 2), values('float64', [2, 3, 4], 3)] as const;

const arranged: readonly ExtensionCase[] = [
  { name: 'cut', f: unary((x) => fft(x, { n: 4 })), inputs: [line] },
  { name: 'filled up', f: unary((x) => rfft(x, { n: 9, norm: 'ortho' })), inputs: [line] },
  { name: 'a first axis', f: unary((x) => fft(x, { axis: 0, norm: 'ortho' })), inputs: [matrix] },
  { name: 'real along a middle axis', f: unary((x) => rfft(x, { axis: 1 })), inputs: [block] },
  { name: 'back along a middle axis', f: unary((x) => irfft(x, { axis: 1, n: 5 })), inputs: [values('complex128', [2, 3, 2], 4)] },
  { name: 'hfft of 5', f: unary((x) => hfft(x, { n: 5 })), inputs: [values('complex128', [3], 5)] },
  { name: 'ihfft of 6', f: unary((x) => ihfft(x, { norm: 'forward' })), inputs: [line] },
  { name: 'two axes', f: unary((x) => fft2(x, { s: [4, 3] })), inputs: [matrix] },
  { name: 'real along several axes', f: unary((x) => rfftn(x, { axes: [2, 0] })), inputs: [block] },
  { name: 'back along several axes', f: unary((x) => irfftn(x, { s: [2, 5] })), inputs: [values('complex128', [2, 2, 3], 6)] },
  { name: 'integers', f: unary((x) => fft(x)), inputs: [hostValue('int32', [4], [1, -2, 3, 5])] },
  { name: 'shifted', f: unary((x) => fftshift(ifftshift(x, { axes: 1 }))), inputs: [block] },
];

const composed: readonly ExtensionCase[] = [
  { name: 'a power spectrum', f: unary((x) => sum(power(rfft(x)))), inputs: [values('float64', [7], 7)] },
  { name: 'a convolution', f: (a, b) => fftConvolve(a as Operand, b as Operand, { mode: 'same' }) as Var, inputs: [line, values('float64', [3], 8)] },
  { name: 'a correlation of complex matrices', f: (a, b) => fftCorrelate(a as Operand, b as Operand, { mode: 'valid' }) as Var, inputs: [matrix, values('complex128', [2, 2], 9)] },
  { name: 'segments', f: unary((x) => stft(x, { length: 4, hop: 2 })), inputs: [values('float64', [9], 10)] },
  { name: 'segments put together', f: unary((x) => istft(x, { length: 4, hop: 2, window: hann(4) })), inputs: [values('complex128', [4, 3], 11)] },
];

function power(z: Operand): Operand {
  return mul(mul(z, 2) as Operand, z) as Operand;
}

export const fftCases: readonly ExtensionCase[] = [...lengths.flatMap(lineCases), ...arranged, ...composed];
