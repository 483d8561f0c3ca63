import { broadcastTo, checkOptions, type ComplexOf, convert, type Dim, divideOrZero, type DType, type FloatDType, isComplex, indexAdd, isKnown, type Kind, mul, type Of, type Operand, pad, realPart, type RealPart, type FloatResult, requireCount, requireFlag, requireOperand, reshape, slice, take, tensor, TfError, wrongArgument, zeros } from '@tf/core';
import { withFloats } from './arrange.ts';
import { fft, ifft } from './fft.ts';
import { irfft, rfft } from './rfft.ts';
import { hann } from './windows.ts';

export interface StftOptions {
  /** Samples in a segment. */
  readonly length: number;
  /** Samples from one segment's beginning to the next's; a quarter of `length`, at least 1, when absent. */
  readonly hop?: number;
  /** `length` factors for the samples of each segment; a periodic `hann` window when absent. */
  readonly window?: Operand;
  /** The length of each transform, at least `length`: segments are filled up with zeros. `length` when absent. */
  readonly fftLength?: number;
  /** Whether segments are centred on the samples that they begin at otherwise, zeros standing outside (default: true). */
  readonly center?: boolean;
}

export interface IstftOptions extends StftOptions {
  /** How many samples come back; as many as the segments cover when absent. */
  readonly samples?: number;
  /** Whether the spectra are those of real samples, half of each (default), or whole ones of complex samples. */
  readonly real?: boolean;
}

/** The options, complete and checked. */
interface Segments {
  readonly op: string;
  readonly length: number;
  readonly hop: number;
  readonly window: Operand;
  readonly fftLength: number;
  /** Zeros before the first sample. */
  readonly margin: number;
}

function requireWindow(op: string, argument: string, window: unknown): void {
  requireOperand(op, argument, window);
}

const checks = { length: requireCount, hop: requireCount, window: requireWindow, fftLength: requireCount, center: requireFlag } as const;
const inverseChecks = { ...checks, samples: requireCount, real: requireFlag } as const;

function segments(op: string, options: StftOptions, dtype: DType): Segments {
  requireCount(op, 'length', options.length);
  const { length, hop = Math.max(1, Math.floor(length / 4)), fftLength = length, center = true } = options;
  const window = options.window ?? hann(length, { dtype: realPart(dtype) as FloatDType });
  if (window.type.shape.length !== 1 || window.type.shape[0] !== length || isComplex(window.type.dtype)) throw new TfError('ShapeError', `${op}: the window is ${window.type.key}; it takes ${length} real numbers, one per sample of a segment.`, { op, argument: 'window' });
  if (fftLength < length) throw wrongArgument(op, 'fftLength', fftLength, `an integer of at least length, ${length}`);
  return { op, length, hop, window: convert(window, realPart(dtype)) as Operand, fftLength, margin: center ? Math.floor(length / 2) : 0 };
}

function knownExtent(op: string, x: Operand, axis: number, what: string): number {
  const extent = x.type.shape.at(axis);
  if (extent !== undefined && isKnown(extent)) return extent;
  throw new TfError('ShapeError', `${op}: needs a known number of ${what} along axis ${axis}, got ${x.type.key}. Bind the size first.`, { op, axis });
}

/** For each segment, where its samples lie. */
function places(count: number, { length, hop }: Segments): Operand<Kind, 'int32'> {
  const at = new Int32Array(count * length);
  for (let i = 0; i < at.length; i++) at[i] = Math.floor(i / length) * hop + (i % length);
  return reshape(tensor(at), [count, length]) as Operand<Kind, 'int32'>;
}

/** Segments added up where their samples lie: [..., segments, length] to [..., total]. */
function overlapped(cut: Operand, lead: readonly number[], count: number, total: number, given: Segments): Operand {
  const sum = zeros([...lead, total], { dtype: cut.type.dtype });
  return indexAdd(sum as Operand, reshape(places(count, given), [-1]) as Operand<Kind, 'int32'>, reshape(cut, [...lead, count * given.length]) as Operand, -1) as Operand;
}

/** The last axis with elements put before and after it. */
function padLast(x: Operand, low: number, high: number): Operand {
  const { shape } = x.type;
  const amounts = (amount: number): readonly Dim[] => shape.map((_, axis) => (axis === shape.length - 1 ? amount : 0));
  return pad(x, { low: amounts(low), high: amounts(high) });
}

/**
 * The short-time Fourier transform along the last axis: segments of `length` samples every `hop` samples, each multiplied by the window
 * and transformed. The result is [..., segments, frequencies]: half spectra of real samples, whole ones of complex samples.
 *
 * @throws ShapeError when there are fewer samples than one segment has, or the window does not fit; ArgumentError.
 * @example
 * import { Builder, tensorType } from '@tf/core';
 * import { stft } from '@tf/fft';
 * const x = new Builder().input(tensorType('float64', [1024]), 'x');
 * if (stft(x, { length: 256 }).type.key !== 'c128[17, 129]') throw new Error('unexpected');
 */
export function stft<K extends Kind, D extends DType>(x: Operand<K, D>, options: StftOptions): Of<K, ComplexOf<D>> {
  const op = 'stft';
  requireOperand(op, 'x', x);
  checkOptions(op, options, checks, `${op}(x, { length: 256 })`);
  const values = withFloats(x);
  const given = segments(op, options, values.type.dtype);
  const { length, hop, margin, fftLength } = given;
  const samples = knownExtent(op, values, -1, 'samples') + 2 * margin;
  if (samples < length) throw new TfError('ShapeError', `${op}: ${x.type.key} has fewer samples than one segment of ${length}. Take shorter segments, or fill the samples up with zeros.`, { op, length });
  const count = Math.floor((samples - length) / hop) + 1;
  const cut = mul(take(padLast(values, margin, margin), places(count, given), -1) as Operand, given.window) as Operand;
  return (isComplex(values.type.dtype) ? fft(cut, { n: fftLength }) : rfft(cut, { n: fftLength })) as unknown as Of<K, ComplexOf<D>>;
}

/**
 * The samples whose {@link stft} with these options comes closest to x (Griffin and Lim 1984, equation 6): segments transformed back,
 * multiplied by the window, added up, and divided by the sum of the squared windows; 0 where no window reaches.
 *
 * @throws ShapeError when the frequencies do not fit `fftLength`; ArgumentError.
 */
export function istft<K extends Kind, D extends DType>(x: Operand<K, D>, options: IstftOptions): Of<K, RealPart<FloatResult<D>> | ComplexOf<D>> {
  const op = 'istft';
  requireOperand(op, 'x', x);
  checkOptions(op, options, inverseChecks, `${op}(x, { length: 256 })`);
  const given = segments(op, options, withFloats(x).type.dtype);
  const { fftLength, length, hop, margin } = given;
  const real = options.real ?? true;
  const count = knownExtent(op, x, -2, 'segments');
  const frequencies = real ? Math.floor(fftLength / 2) + 1 : fftLength;
  if (count < 1 || knownExtent(op, x, -1, 'frequencies') !== frequencies) throw new TfError('ShapeError', `${op}: ${x.type.key} must be [..., segments, ${frequencies}], at least one segment, for transforms of ${fftLength}. Give the options of the stft.`, { op });
  const back = (real ? irfft(x, { n: fftLength }) : ifft(x)) as Operand;
  const { shape } = back.type;
  const lead = shape.slice(0, -2).map((_, axis) => knownExtent(op, x, axis, 'elements'));
  const cut = mul(slice(back, shape.map(() => 0), [...shape.slice(0, -1), length]), given.window) as Operand;
  const total = (count - 1) * hop + length;
  const samples = options.samples ?? total - 2 * margin;
  if (samples < 1 || samples + margin > total) throw wrongArgument(op, 'samples', samples, `an integer from 1 to ${total - margin}, which the segments cover`);
  const squares = broadcastTo(mul(given.window, given.window) as Operand, [count, length]) as Operand;
  const whole = divideOrZero(overlapped(cut, lead, count, total, given), overlapped(squares, [], count, total, given)) as Operand;
  return slice(whole, [...lead.map(() => 0), margin], [...lead, margin + samples]) as unknown as Of<K, RealPart<FloatResult<D>> | ComplexOf<D>>;
}
