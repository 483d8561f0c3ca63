import { checkOptions, concat, type Dim, dimText, type DType, type Kind, normaliseAxes, type Of, type Operand, requireOperand, slice, subDims, TfError } from '@tf/core';
import { halfOf } from './half-spectrum.ts';
import { requireAxes } from './options.ts';

export interface ShiftOptions {
  /** The axes to shift; all when absent. */
  readonly axes?: number | readonly number[];
}

/** ⌊n/2⌋ of an axis. */
function middleOf(op: string, x: Operand, axis: number): Dim {
  const n = x.type.shape[axis] as Dim;
  const half = halfOf(n);
  if (half !== undefined) return half;
  throw new TfError('ShapeError', `${op}: whether the symbolic extent ${dimText(n)} of axis ${axis} of ${x.type.key} is even is not known, so neither is where its middle lies. Shift an axis whose extent says it: an input of the extent mulDims(2, symbolicDim('m')). Or name other axes in axes.`, { op, axis });
}

function shifted(op: string, x: Operand, options: ShiftOptions, cutOf: (n: Dim, half: Dim) => Dim): Operand {
  requireOperand(op, 'x', x);
  checkOptions(op, options, { axes: requireAxes });
  return normaliseAxes(op, options.axes, x.type.shape.length).reduce((y, axis) => {
    const n = y.type.shape[axis] as Dim;
    return n === 0 ? y : rotated(y, axis, cutOf(n, middleOf(op, y, axis)));
  }, x);
}

/** The elements from `cut` on, then those before. */
function rotated(x: Operand, axis: number, cut: Dim): Operand {
  const { shape } = x.type;
  const part = (start: Dim, stop: Dim): Operand => slice(x, shape.map((_, own) => (own === axis ? start : 0)), shape.map((dim, own) => (own === axis ? stop : dim)));
  return concat([part(cut, shape[axis] as Dim), part(0, cut)], axis);
}

/**
 * Moves the element of frequency 0 to the middle of each axis, to place ⌊n/2⌋.
 *
 * @throws AxisError; ShapeError for a symbolic extent that may be even or odd.
 * @example
 * import { Builder, tensorType } from '@tf/core';
 * import { fftshift } from '@tf/fft';
 * const x = new Builder().input(tensorType('float64', [5]), 'x');
 * if (fftshift(x).type.key !== 'f64[5]') throw new Error('unexpected');
 */
export function fftshift<K extends Kind, D extends DType>(x: Operand<K, D>, options: ShiftOptions = {}): Of<K, D> {
  return shifted('fftshift', x, options, subDims) as Of<K, D>;
}

/** Undoes {@link fftshift}, for odd sizes too. */
export function ifftshift<K extends Kind, D extends DType>(x: Operand<K, D>, options: ShiftOptions = {}): Of<K, D> {
  return shifted('ifftshift', x, options, (_n, half) => half) as Of<K, D>;
}
