import { type Dim, dimText, isDim, isKnown, normaliseAxis, type OptionChecks, requireNumbers, type Shape, TfError, wrongArgument, wrongNumber } from '@tf/core';

/**
 * Where a transform is divided: the inverse by n (`backward`), both by √n (`ortho`), or the forward one by n (`forward`).
 */
export type Norm = 'backward' | 'ortho' | 'forward';

export interface FftOptions {
  /** The length of the transform: the axis is cut to it or filled up with zeros. The axis's own when absent. */
  readonly n?: Dim;
  /** The axis to transform; the last when absent. */
  readonly axis?: number;
  /** `backward` when absent. */
  readonly norm?: Norm;
}

export interface FftnOptions {
  /** One length per axis, as `n` of a single one. */
  readonly s?: Shape;
  /** The axes to transform, each once; when absent the last ones, as many as `s` has lengths, or else all. */
  readonly axes?: readonly number[];
  /** `backward` when absent. */
  readonly norm?: Norm;
}

const norms: readonly Norm[] = ['backward', 'ortho', 'forward'];

export function requireNorm(op: string, argument: string, norm: unknown): void {
  if (!norms.includes(norm as Norm)) throw wrongArgument(op, argument, norm, `one of ${norms.map((name) => `'${name}'`).join(', ')}`);
}

/** Refuses what is no length of a transform. */
export function requireTransformLength(op: string, argument: string, n: unknown): void {
  if (typeof n === 'number' ? Number.isSafeInteger(n) && n >= 1 : isDim(n)) return;
  throw wrongNumber(op, argument, n, 'a positive integer or a symbolic dimension');
}

function requireAxis(op: string, argument: string, axis: unknown): void {
  if (!Number.isInteger(axis)) throw wrongNumber(op, argument, axis, 'an integer');
}

function requireAxisList(op: string, argument: string, axes: unknown): void {
  requireNumbers(op, argument, axes, 'a list of axes, such as [-2, -1]');
}

/** Refuses what names no axes, of functions that take one axis or several. */
export function requireAxes(op: string, argument: string, axes: unknown): void {
  if (typeof axes !== 'number' && !Array.isArray(axes)) throw wrongNumber(op, argument, axes, 'an axis or a list of axes');
}

function requireLengths(op: string, argument: string, s: unknown): void {
  if (!Array.isArray(s)) throw wrongArgument(op, argument, s, 'a list of lengths, such as [8, 8]');
  s.forEach((n, at) => requireTransformLength(op, `${argument}[${at}]`, n));
}

export const fftChecks: OptionChecks = { n: requireTransformLength, axis: requireAxis, norm: requireNorm };
export const fftnChecks: OptionChecks = { s: requireLengths, axes: requireAxisList, norm: requireNorm };

/** One axis of a transform, with the length wanted there. */
export interface AxisLength {
  /** From the beginning. */
  readonly axis: number;
  readonly n: Dim | undefined;
}

/** The axes of a transform over several, in the order given. */
export function axisLengths(op: string, shape: Shape, { s, axes }: FftnOptions): readonly AxisLength[] {
  const rank = shape.length;
  if (s !== undefined && axes === undefined && s.length > rank) throw new TfError('AxisError', `${op}: ${s.length} lengths for ${rank} axes. Give at most one per axis.`, { op, argument: 's' });
  const given = axes ?? Array.from({ length: s?.length ?? rank }, (_, at) => rank - (s?.length ?? rank) + at);
  if (s !== undefined && s.length !== given.length) throw new TfError('ArgumentError', `${op}: ${s.length} lengths in s for ${given.length} axes. Give one length per axis.`, { op, argument: 's' });
  const list = given.map((axis) => normaliseAxis(op, axis, rank, 'axes'));
  if (new Set(list).size !== list.length) throw new TfError('AxisError', `${op}: axes ${JSON.stringify(given)} name one axis twice. Transform it twice, one call after the other, if that is meant.`, { op, argument: 'axes' });
  return list.map((axis, at) => ({ axis, n: s?.[at] }));
}

/** Refuses an axis without elements: there is nothing to transform, and no length to divide by. */
export function requireElements(op: string, n: Dim, axis: number): void {
  if (isKnown(n) && n < 1) throw new TfError('ShapeError', `${op}: axis ${axis} would have ${dimText(n)} elements, and a transform has at least 1. Give a length n of 1 or more.`, { op, axis, n });
}
