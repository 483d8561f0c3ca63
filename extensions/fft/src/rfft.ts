import { type ComplexOf, conj, type Dim, type DType, type FloatResult, isComplex, type Kind, mulDims, type Of, type Operand, type RealPart, subDims, TfError } from '@tf/core';
import { type Direction, fitted, normalised, withComplexes, withFloats } from './arrange.ts';
import { requireTransform } from './fft.ts';
import { halfExtent, hdft, rdft } from './half-spectrum.ts';
import { type FftOptions, type Norm, requireElements } from './options.ts';

/** Real floats, or a refusal of complex numbers. */
export function requireReal(op: string, x: Operand): Operand {
  const values = withFloats(x);
  if (isComplex(values.type.dtype)) throw new TfError('DTypeError', `${op}: takes real numbers, got ${x.type.key}. Use ${op === 'ihfft' ? 'ifft' : op.replace('r', '')} for complex ones, or real(x).`, { op, dtype: x.type.dtype });
  return values;
}

/** One axis of real numbers to half its spectrum. */
export function realAlong(op: string, x: Operand, axis: number, n: Dim | undefined, direction: Direction, norm: Norm | undefined): Operand {
  const { shape } = x.type;
  const length = n ?? (shape[axis] as Dim);
  requireElements(op, length, axis);
  halfExtent(op, length);
  return normalised(rdft(fitted(x, axis, length), axis - shape.length), length, direction, norm);
}

/** One axis of half spectra to real numbers, 2(h − 1) of them unless n says otherwise. */
export function spectrumAlong(op: string, x: Operand, axis: number, n: Dim | undefined, direction: Direction, norm: Norm | undefined): Operand {
  const { shape } = x.type;
  const length = n ?? mulDims(2, subDims(shape[axis] as Dim, 1));
  requireElements(op, length, axis);
  return normalised(hdft(fitted(x, axis, halfExtent(op, length)), axis - shape.length, length), length, direction, norm);
}

/**
 * The first half of the spectrum of real numbers along an axis, ⌊n/2⌋ + 1 elements: the rest is its conjugate in reverse. Half the work
 * of `fft`.
 *
 * @throws DTypeError for complex numbers, ShapeError for a length below 1 or a symbolic one that may be even or odd, AxisError,
 * ArgumentError for another norm.
 * @example
 * import { Builder, tensorType } from '@tf/core';
 * import { rfft } from '@tf/fft';
 * const x = new Builder().input(tensorType('float64', [3, 8]), 'x');
 * if (rfft(x).type.key !== 'c128[3, 5]') throw new Error('unexpected');
 */
export function rfft<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftOptions = {}): Of<K, ComplexOf<D>> {
  const op = 'rfft';
  const axis = requireTransform(op, x, options);
  const values = requireReal(op, x);
  return realAlong(op, values, axis, options.n, 'forward', options.norm) as Of<K, ComplexOf<D>>;
}

/**
 * The inverse of {@link rfft} along an axis: n real numbers from the first ⌊n/2⌋ + 1 elements of their spectrum; without `n` an even
 * number of them. The imaginary parts of the first element, and of the last for even n, do not count.
 */
export function irfft<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftOptions = {}): Of<K, RealPart<FloatResult<D>>> {
  const op = 'irfft';
  const axis = requireTransform(op, x, options);
  const values = withComplexes(x);
  return spectrumAlong(op, values, axis, options.n, 'inverse', options.norm) as Of<K, RealPart<FloatResult<D>>>;
}

/**
 * The real spectrum of n points of what is conjugate-symmetric and given by its first ⌊n/2⌋ + 1 elements (NumPy's hfft); without `n` an
 * even number of points.
 */
export function hfft<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftOptions = {}): Of<K, RealPart<FloatResult<D>>> {
  const op = 'hfft';
  const axis = requireTransform(op, x, options);
  const values = conj(withComplexes(x));
  return spectrumAlong(op, values, axis, options.n, 'forward', options.norm) as Of<K, RealPart<FloatResult<D>>>;
}

/** The inverse of {@link hfft}: the first ⌊n/2⌋ + 1 elements of what n real numbers are the spectrum of. */
export function ihfft<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftOptions = {}): Of<K, ComplexOf<D>> {
  const op = 'ihfft';
  const axis = requireTransform(op, x, options);
  const values = requireReal(op, x);
  return conj(realAlong(op, values, axis, options.n, 'inverse', options.norm)) as unknown as Of<K, ComplexOf<D>>;
}
