import { checkOptions, type ComplexOf, type DType, type FloatResult, type Kind, type Of, type Operand, type RealPart, requireOperand, TfError } from '@tf/core';
import { type Direction, withComplexes } from './arrange.ts';
import { complexAlong } from './fft.ts';
import { type AxisLength, axisLengths, fftnChecks, type FftnOptions, type Norm } from './options.ts';
import { realAlong, requireReal, spectrumAlong } from './rfft.ts';

const lastTwo: readonly number[] = [-2, -1];

/** One axis after the other, the last one first. */
function complexAxes(op: string, x: Operand, axes: readonly AxisLength[], direction: Direction, norm: Norm | undefined): Operand {
  return axes.reduceRight((y, { axis, n }) => complexAlong(op, y, axis, n, direction, norm), x);
}

function checked(op: string, x: Operand, options: FftnOptions): readonly AxisLength[] {
  requireOperand(op, 'x', x);
  checkOptions(op, options, fftnChecks, `${op}(x, { s, axes, norm })`);
  return axisLengths(op, x.type.shape, options);
}

function complexTransform(op: string, x: Operand, options: FftnOptions, direction: Direction): Operand {
  const axes = checked(op, x, options);
  return complexAxes(op, withComplexes(x), axes, direction, options.norm);
}

/** All axes but the last, and the last one, which is the one of the half spectrum. */
function lastApart(op: string, axes: readonly AxisLength[]): readonly [readonly AxisLength[], AxisLength] {
  const last = axes.at(-1);
  if (last === undefined) throw new TfError('AxisError', `${op}: needs at least one axis. Name one in axes, or give x one.`, { op, argument: 'axes' });
  return [axes.slice(0, -1), last];
}

function realTransform(op: string, x: Operand, options: FftnOptions): Operand {
  const [rest, { axis, n }] = lastApart(op, checked(op, x, options));
  return complexAxes(op, realAlong(op, requireReal(op, x), axis, n, 'forward', options.norm), rest, 'forward', options.norm);
}

function spectrumTransform(op: string, x: Operand, options: FftnOptions): Operand {
  const [rest, { axis, n }] = lastApart(op, checked(op, x, options));
  return spectrumAlong(op, complexAxes(op, withComplexes(x), rest, 'inverse', options.norm), axis, n, 'inverse', options.norm);
}

/**
 * The discrete Fourier transform over several axes, all of them when none are named.
 *
 * @throws ShapeError for a length below 1, AxisError for an axis out of range or named twice, ArgumentError for lengths that are not
 * as many as axes and for another norm.
 * @example
 * import { Builder, tensorType } from '@tf/core';
 * import { fftn } from '@tf/fft';
 * const x = new Builder().input(tensorType('float32', [2, 3, 4]), 'x');
 * if (fftn(x, { s: [8, 8] }).type.key !== 'c64[2, 8, 8]') throw new Error('unexpected');
 */
export function fftn<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, ComplexOf<D>> {
  return complexTransform('fftn', x, options, 'forward') as Of<K, ComplexOf<D>>;
}

/** The inverse of {@link fftn}. */
export function ifftn<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, ComplexOf<D>> {
  return complexTransform('ifftn', x, options, 'inverse') as Of<K, ComplexOf<D>>;
}

/** The transform of real numbers over several axes; the last axis named holds half of it. Errors as {@link fftn}, and DTypeError. */
export function rfftn<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, ComplexOf<D>> {
  return realTransform('rfftn', x, options) as Of<K, ComplexOf<D>>;
}

/** The inverse of {@link rfftn}; the last length of `s` says how many real numbers there are along the last axis named. */
export function irfftn<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, RealPart<FloatResult<D>>> {
  return spectrumTransform('irfftn', x, options) as Of<K, RealPart<FloatResult<D>>>;
}

/** Options of transforms over the last two axes, unless others are named; what are no options is left to be refused. */
function overLastTwo(options: FftnOptions): FftnOptions {
  return typeof options !== 'object' || options === null || options.axes !== undefined ? options : { ...options, axes: lastTwo };
}

/** {@link fftn} over the last two axes, unless others are named. */
export function fft2<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, ComplexOf<D>> {
  return complexTransform('fft2', x, overLastTwo(options), 'forward') as Of<K, ComplexOf<D>>;
}

/** {@link ifftn} over the last two axes, unless others are named. */
export function ifft2<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, ComplexOf<D>> {
  return complexTransform('ifft2', x, overLastTwo(options), 'inverse') as Of<K, ComplexOf<D>>;
}

/** {@link rfftn} over the last two axes, unless others are named. */
export function rfft2<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, ComplexOf<D>> {
  return realTransform('rfft2', x, overLastTwo(options)) as Of<K, ComplexOf<D>>;
}

/** {@link irfftn} over the last two axes, unless others are named. */
export function irfft2<K extends Kind, D extends DType>(x: Operand<K, D>, options: FftnOptions = {}): Of<K, RealPart<FloatResult<D>>> {
  return spectrumTransform('irfft2', x, overLastTwo(options)) as Of<K, RealPart<FloatResult<D>>>;
}
