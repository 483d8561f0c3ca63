import { addDims, checkOptions, conj, type Dim, type DType, flip, isComplex, isKnown, type Joined, mul, normaliseAxes, type Operand, promote, requireOperand, slice, subDims, TfError, wrongArgument, wrongNumber } from '@tf/core';
import { withComplexes, withFloats } from './arrange.ts';
import { fftn, ifftn, irfftn, rfftn } from './fftn.ts';
import { convenientLength } from './plan/factors.ts';

/** Which part of a convolution: all of it, the middle as large as the first operand, or where one operand lies wholly inside the other. */
export type ConvolutionMode = 'full' | 'same' | 'valid';

export interface ConvolveOptions {
  /** `full` when absent. */
  readonly mode?: ConvolutionMode;
  /** The axes to convolve along; all when absent. The others broadcast. */
  readonly axes?: number | readonly number[];
}

const modes: readonly ConvolutionMode[] = ['full', 'same', 'valid'];

function requireMode(op: string, argument: string, mode: unknown): void {
  if (!modes.includes(mode as ConvolutionMode)) throw wrongArgument(op, argument, mode, `one of ${modes.map((name) => `'${name}'`).join(', ')}`);
}

function requireAxes(op: string, argument: string, axes: unknown): void {
  if (typeof axes !== 'number' && !Array.isArray(axes)) throw wrongNumber(op, argument, axes, 'an axis or a list of axes');
}

const checks = { mode: requireMode, axes: requireAxes };

/** The operands and where they meet. */
interface Convolution {
  readonly op: string;
  readonly a: Operand;
  readonly b: Operand;
  readonly axes: readonly number[];
}

function prepared(op: string, a: Operand, b: Operand, options: ConvolveOptions): Convolution {
  requireOperand(op, 'a', a);
  requireOperand(op, 'b', b);
  checkOptions(op, options, checks, `${op}(a, b, { mode, axes })`);
  const [left, right] = [a.type.shape, b.type.shape];
  if (left.length !== right.length || left.length === 0) throw new TfError('ShapeError', `${op}: ${a.type.key} and ${b.type.key} need as many axes as each other, at least 1. Reshape one of them.`, { op, lhs: left, rhs: right });
  const axes = normaliseAxes(op, options.axes, left.length);
  for (const axis of axes) {
    if (left[axis] === 0 || right[axis] === 0) throw new TfError('ShapeError', `${op}: along axis ${axis}, ${a.type.key} and ${b.type.key} need at least 1 element each. Convolve along other axes.`, { op, axis });
  }
  return { op, a, b, axes };
}

/** The whole convolution: products of spectra long enough that the ends do not meet. */
function whole({ a, b, axes }: Convolution): Operand {
  if (axes.length === 0) return mul(withFloats(a), withFloats(b)) as Operand;
  const lengths = axes.map((axis) => subDims(addDims(a.type.shape[axis] as Dim, b.type.shape[axis] as Dim), 1));
  const known = lengths.every(isKnown);
  const s = lengths.map((n) => (isKnown(n) ? convenientLength(n) : n));
  // Of a symbolic length it is not known whether it is even, and so not how large half a spectrum is.
  const real = known && !isComplex(promote(a.type.dtype, b.type.dtype));
  const product = real
    ? irfftn(mul(rfftn(a, { s, axes }), rfftn(b, { s, axes })) as Operand, { s, axes })
    : ifftn(mul(fftn(withComplexes(a), { s, axes }), fftn(withComplexes(b), { s, axes })) as Operand, { s, axes });
  return part(product, axes, () => 0, (at) => lengths[at] as Dim);
}

function part(x: Operand, axes: readonly number[], start: (at: number) => Dim, extent: (at: number) => Dim): Operand {
  const { shape } = x.type;
  const at = (axis: number): number => axes.indexOf(axis);
  const starts = shape.map((_, axis) => (at(axis) < 0 ? 0 : start(at(axis))));
  return slice(x, starts, shape.map((dim, axis) => (at(axis) < 0 ? dim : addDims(starts[axis] as Dim, extent(at(axis))))));
}

/** Along each axis, where what a mode leaves begins in the full convolution, and how much it is; as SciPy has it. */
function middle({ op, a, b, axes }: Convolution, mode: 'same' | 'valid'): readonly (readonly [start: number, extent: number])[] {
  const extents = axes.map((axis) => [a.type.shape[axis], b.type.shape[axis]] as const);
  if (!extents.every((pair): pair is readonly [number, number] => pair.every((dim) => isKnown(dim as Dim)))) {
    throw new TfError('ShapeError', `${op}: the mode '${mode}' needs known sizes along the axes, got ${a.type.key} and ${b.type.key}. Take the mode 'full', or bind the sizes first.`, { op, mode });
  }
  const inside = [extents.every(([m, n]) => m >= n), extents.every(([m, n]) => n >= m)];
  if (mode === 'valid' && !inside.includes(true)) throw new TfError('ShapeError', `${op}: in the mode 'valid' one operand must be at least as large as the other along every axis, got ${a.type.key} and ${b.type.key}. Take the mode 'full' or 'same'.`, { op, mode });
  return extents.map(([m, n]) => {
    const extent = mode === 'same' ? m : Math.abs(m - n) + 1;
    return [Math.floor((m + n - 1 - extent) / 2), extent];
  });
}

function convolved(convolution: Convolution, { mode = 'full' }: ConvolveOptions): Operand {
  if (mode === 'full') return whole(convolution);
  const parts = middle(convolution, mode);
  return part(whole(convolution), convolution.axes, (at) => (parts[at] as readonly [number, number])[0], (at) => (parts[at] as readonly [number, number])[1]);
}

/**
 * The convolution (a ∗ b)_k = Σ_i a_i b_{k−i} by products of spectra, along all axes or those named; real for real operands.
 * Errors are relative to the largest result, not to each. Differentiable in both.
 *
 * @throws ShapeError when ranks differ, an axis is empty, or neither operand lies inside the other in the mode `valid`.
 * @example
 * import { Builder, tensorType } from '@tf/core';
 * import { fftConvolve } from '@tf/fft';
 * const builder = new Builder();
 * const [x, h] = [builder.input(tensorType('float64', [100]), 'x'), builder.input(tensorType('float64', [9]), 'h')];
 * if (fftConvolve(x, h, { mode: 'same' }).type.key !== 'f64[100]') throw new Error('unexpected');
 */
export function fftConvolve<A extends Operand, B extends Operand>(a: A, b: B, options: ConvolveOptions = {}): Joined<A, B> {
  return convolved(prepared('fftConvolve', a, b, options), options) as Joined<A, B>;
}

/**
 * The correlation Σ_i a_{i+k}·conj(b_i) for all shifts k, the smallest first; otherwise as {@link fftConvolve}.
 */
export function fftCorrelate<A extends Operand, B extends Operand>(a: A, b: B, options: ConvolveOptions = {}): Joined<A, B> {
  const convolution = prepared('fftCorrelate', a, b, options);
  const reversed = flip(b as Operand, convolution.axes) as Operand<never, DType>;
  return convolved({ ...convolution, b: isComplex(b.type.dtype) ? conj(reversed) : reversed }, options) as Joined<A, B>;
}
