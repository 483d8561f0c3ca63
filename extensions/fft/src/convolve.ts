import { addDims, checkOptions, chooseListener, conj, type Dim, type DType, flip, identityOperation, isComplex, isKnown, type Joined, liftArgument, mul, normaliseAxes, type Operand, promote, real, requireOperand, slice, subDims, TfError, wrongArgument } from '@tf/core';
import { withComplexes, withFloats } from './arrange.ts';
import { isOdd } from './family.ts';
import { fftn, ifftn, irfftn, rfftn } from './fftn.ts';
import { type FftnOptions, requireAxes } from './options.ts';
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
  left.forEach((m, axis) => {
    const n = right[axis] as Dim;
    if (!axes.includes(axis) && isKnown(m) && isKnown(n) && m !== n && m !== 1 && n !== 1) throw new TfError('ShapeError', `${op}: ${a.type.key} and ${b.type.key} do not broadcast along axis ${axis}, which is not convolved: sizes must be equal or 1.`, { op, axis, lhs: left, rhs: right });
  });
  return { op, a, b, axes };
}

/**
 * An operand made a value of whoever carries out operations on both: a host tensor by itself cannot be filled up to a symbolic size.
 * What that one takes for a literal becomes the result of an operation.
 */
function besideBoth({ op, a, b }: Convolution, x: Operand): Operand {
  const listener = chooseListener(op, [a, b]);
  const lifted = liftArgument(listener, x, x.type.dtype);
  return lifted === x ? x : (listener.apply(identityOperation, [lifted], {})[0] as Operand);
}

/** The whole convolution: products of spectra long enough that the ends do not meet. */
function whole(convolution: Convolution): Operand {
  const { a, b, axes } = convolution;
  if (axes.length === 0) return mul(withFloats(a), withFloats(b)) as Operand;
  const lengths = axes.map((axis) => subDims(addDims(a.type.shape[axis] as Dim, b.type.shape[axis] as Dim), 1));
  const s = lengths.map((n) => (isKnown(n) ? convenientLength(n) : n));
  const [left, right] = lengths.every(isKnown) ? [a, b] : [besideBoth(convolution, a), besideBoth(convolution, b)];
  const product = isComplex(promote(a.type.dtype, b.type.dtype)) ? complexProduct(left, right, { s, axes }) : realProduct(left, right, { s, axes });
  return part(product, axes, () => 0, (at) => lengths[at] as Dim);
}

function complexProduct(a: Operand, b: Operand, options: FftnOptions): Operand {
  return ifftn(mul(fftn(withComplexes(a), options), fftn(withComplexes(b), options)) as Operand, options) as Operand;
}

/** By half spectra along the last axis, or whole ones where it is not known whether a symbolic length is even, and so not what half is. */
function realProduct(a: Operand, b: Operand, options: FftnOptions): Operand {
  if (isOdd(options.s?.at(-1) as Dim) === undefined) return real(complexProduct(a, b, options));
  return irfftn(mul(rfftn(a, options), rfftn(b, options)) as Operand, options) as Operand;
}

function part(x: Operand, axes: readonly number[], start: (at: number) => Dim, extent: (at: number) => Dim): Operand {
  const { shape } = x.type;
  const at = (axis: number): number => axes.indexOf(axis);
  const starts = shape.map((_, axis) => (at(axis) < 0 ? 0 : start(at(axis))));
  return slice(x, starts, shape.map((dim, axis) => (at(axis) < 0 ? dim : addDims(starts[axis] as Dim, extent(at(axis))))));
}

/** Along each axis, where what a mode leaves begins in the full convolution, and how much it is; as SciPy has it. */
function middle(convolution: Convolution, mode: 'same' | 'valid'): readonly (readonly [start: number, extent: Dim])[] {
  const { op, a, b, axes } = convolution;
  const extents = axes.map((axis) => [a.type.shape[axis] as Dim, b.type.shape[axis] as Dim] as const);
  if (mode === 'same') return extents.map(([m, n]) => [isKnown(n) ? Math.floor((n - 1) / 2) : unknown(convolution, mode, 'sizes of b'), m]);
  const known = extents.map((pair) => (pair.every(isKnown) ? pair as readonly [number, number] : unknown(convolution, mode, 'sizes')));
  const inside = [known.every(([m, n]) => m >= n), known.every(([m, n]) => n >= m)];
  if (!inside.includes(true)) throw new TfError('ShapeError', `${op}: in the mode 'valid' one operand must be at least as large as the other along every axis, got ${a.type.key} and ${b.type.key}. Take the mode 'full' or 'same'.`, { op, mode });
  return known.map(([m, n]) => [Math.min(m, n) - 1, Math.abs(m - n) + 1]);
}

function unknown({ op, a, b }: Convolution, mode: ConvolutionMode, what: string): never {
  throw new TfError('ShapeError', `${op}: the mode '${mode}' needs known ${what} along the axes, got ${a.type.key} and ${b.type.key}. Take the mode 'full', or bind the sizes first.`, { op, mode });
}

function convolved(convolution: Convolution, { mode = 'full' }: ConvolveOptions): Operand {
  if (mode === 'full') return whole(convolution);
  const parts = middle(convolution, mode);
  return part(whole(convolution), convolution.axes, (at) => (parts[at] as readonly [number, Dim])[0], (at) => (parts[at] as readonly [number, Dim])[1]);
}

/**
 * The convolution (a ∗ b)_k = Σ_i a_i b_{k−i} by products of spectra, along all axes or those named; real for real operands.
 * Errors are relative to the largest result, not to each. Differentiable in both. Sizes may be symbolic: all of them in the mode `full`,
 * those of `a` in the mode `same`.
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
