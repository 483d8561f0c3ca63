/** Random tensors of real numbers, and choices made by them. Each takes a key; the same key gives the same numbers. */
import { TfError } from '../errors.ts';
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { less } from '../primitives/compare.ts';
import { convert } from '../primitives/convert.ts';
import { floats, requireDType } from '../primitives/define.ts';
import { erfinv } from '../primitives/erfinv.ts';
import { log } from '../primitives/functions.ts';
import { broadcastTo } from '../primitives/movement.ts';
import { unitFloats, type UnitRange } from '../primitives/unit-float.ts';
import { requireOperand } from '../program/dispatch.ts';
import { inNameOf } from '../program/in-name-of.ts';
import { requireOptions, wrongNumber } from '../types/argument.ts';
import type { Dim } from '../types/dim.ts';
import { type DType, floatResult, requireDTypeName } from '../types/dtype.ts';
import type { JoinKind, JoinKinds, Of, Operand } from '../types/operand.ts';
import { elementCount, normaliseAxis } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { argmax } from './choices.ts';
import { flatBits, requireRandomShape, shaped } from './random-bits.ts';

type Float = 'float32' | 'float64';
type Bound = number | Operand;
/** The tensor that a key and two parameters give. */
type Drawn<A extends Operand, L extends Bound, H extends Bound, D extends DType> = Of<JoinKinds<readonly [A, Extract<L, Operand>, Extract<H, Operand>]>, D>;

function requireFloat(op: string, dtype: unknown): asserts dtype is Float {
  requireDTypeName(op, dtype);
  requireDType(op, tensorType(dtype, []), floats);
}

/** A float per element, along one axis: what follows elementwise then runs in the same loop. */
function flatFloats(op: string, key: unknown, shape: readonly Dim[], dtype: Float, range: UnitRange): Operand {
  return unitFloats(flatBits(op, key, elementCount(shape), dtype === 'float64' ? 'both' : 'xor'), range);
}

/** A parameter of a distribution: a finite number, or a float tensor that broadcasts to the shape and sets no other dtype. */
function requireParameter(op: string, argument: string, value: unknown, dtype: Float, shape: readonly Dim[]): Bound {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw wrongNumber(op, argument, value, 'a finite number');
    return value;
  }
  requireOperand(op, argument, value);
  return broadcastTo(convert(value, dtype) as Operand, shape) as Operand;
}

type Read<N extends string> = { readonly dtype: Float } & Readonly<Record<N, Bound>>;

/** The options of a distribution with named parameters, which have `defaults`; its shape is checked first. */
function readOptions<N extends string>(op: string, shape: readonly Dim[], options: { readonly dtype?: unknown } & { readonly [name in NoInfer<N>]?: unknown }, defaults: Readonly<Record<N, number>>): Read<N> {
  requireRandomShape(op, shape);
  const names = Object.keys(defaults) as N[];
  requireOptions(op, options, ['dtype', ...names]);
  const dtype: unknown = options.dtype ?? 'float64';
  requireFloat(op, dtype);
  const parameters = names.map((name): readonly [N, Bound] => [name, requireParameter(op, name, options[name] ?? defaults[name], dtype, shape)]);
  return { dtype, ...Object.fromEntries(parameters) } as Read<N>;
}

/** offset + scale·x in the shape; numbers are applied before x takes it. */
function affine(x: Operand, shape: readonly Dim[], scale: Bound, offset: Bound): Operand {
  const isPlain = typeof scale === 'number' && typeof offset === 'number';
  const at = isPlain ? x : shaped(x, shape);
  const scaled = scale === 1 ? at : (mul(at, scale) as Operand);
  const moved = offset === 0 ? scaled : (add(scaled, offset) as Operand);
  return isPlain ? shaped(moved, shape) : moved;
}

export interface UniformOptions<D extends DType, L extends Bound, H extends Bound> {
  /** float64 when absent. */
  readonly dtype?: D;
  /** 0 when absent. */
  readonly low?: L;
  /** 1 when absent. */
  readonly high?: H;
}

/**
 * Uniform numbers of [low, high): multiples of 2⁻²⁴ (float32) or 2⁻⁵³ (float64) of [0, 1), times high − low, plus low. With bounds of
 * one's own, rounding may give `high` itself. Gradients flow to the bounds.
 *
 * @throws DTypeError and ShapeError unless `key` is int32[2]; DTypeError unless `dtype` is float32 or float64; ArgumentError when
 * low > high and both are numbers; ShapeError when a bound does not broadcast to `shape`.
 * @example
 * import { randomKey, uniform } from '@tf/core';
 * const x = uniform(randomKey(0), [2, 3], { dtype: 'float32', low: -1 });
 * if (x.type.key !== 'f32[2, 3]') throw new Error('unexpected');
 */
export function uniform<A extends Operand, D extends Float = 'float64', L extends Bound = number, H extends Bound = number>(key: A, shape: readonly Dim[], options: UniformOptions<D, L, H> = {}): Drawn<A, L, H, D> {
  const op = 'uniform';
  const { dtype, low, high } = readOptions(op, shape, options, { low: 0, high: 1 });
  if (typeof low === 'number' && typeof high === 'number' && low > high) throw new TfError('ArgumentError', `${op}: low is ${low} and high ${high}. Give low ≤ high.`, { op, argument: 'low', low, high });
  const width = typeof low === 'number' && typeof high === 'number' ? high - low : (sub(high, low) as Operand);
  return affine(flatFloats(op, key, shape, dtype, 'unit'), shape, width, low) as unknown as Drawn<A, L, H, D>;
}

export interface NormalOptions<D extends DType, M extends Bound, S extends Bound> {
  /** float64 when absent. */
  readonly dtype?: D;
  /** 0 when absent. */
  readonly mean?: M;
  /** The standard deviation: 1 when absent. */
  readonly std?: S;
}

/**
 * Normally distributed numbers: √2·erf⁻¹(u), times `std`, plus `mean`, where u is uniform in (−1, 1), symmetric and neither 0 nor ±1, so
 * every number is finite. Gradients flow to `mean` and `std`.
 *
 * @throws DTypeError and ShapeError unless `key` is int32[2]; DTypeError unless `dtype` is float32 or float64; ArgumentError for a
 * negative `std`; ShapeError when a parameter does not broadcast to `shape`.
 * @example
 * import { normal, randomKey } from '@tf/core';
 * if (normal(randomKey(0), [4], { std: 0.02 }).type.key !== 'f64[4]') throw new Error('unexpected');
 */
export function normal<A extends Operand, D extends Float = 'float64', M extends Bound = number, S extends Bound = number>(key: A, shape: readonly Dim[], options: NormalOptions<D, M, S> = {}): Drawn<A, M, S, D> {
  const op = 'normal';
  const { dtype, mean, std } = readOptions(op, shape, options, { mean: 0, std: 1 });
  if (typeof std === 'number' && std < 0) throw wrongNumber(op, 'std', std, 'a standard deviation, 0 or more');
  const standard = mul(erfinv(flatFloats(op, key, shape, dtype, 'signed')), Math.SQRT2) as Operand;
  return affine(standard, shape, std, mean) as unknown as Drawn<A, M, S, D>;
}

/**
 * Booleans that are true with probability p, a number or a tensor that broadcasts to `shape` (by default the shape of p). A number and a
 * float32 p are met with 24 random bits, a float64 p with 53. No gradient flows.
 *
 * @throws ArgumentError when p is a number outside [0, 1]; DTypeError and ShapeError unless `key` is int32[2]; ShapeError when p does
 * not broadcast to `shape`.
 * @example
 * import { bernoulli, randomKey } from '@tf/core';
 * if (bernoulli(randomKey(0), 0.5, [8]).type.key !== 'bool[8]') throw new Error('unexpected');
 */
export function bernoulli<A extends Operand, P extends Bound>(key: A, p: P, shape: readonly Dim[] = shapeOfProbability(p)): Of<JoinKind<A, P>, 'bool'> {
  const op = 'bernoulli';
  requireRandomShape(op, shape);
  if (typeof p === 'number' && !(p >= 0 && p <= 1)) throw new TfError('ArgumentError', `${op}: p is ${p}; it takes a probability between 0 and 1.`, { op, argument: 'p', p });
  if (typeof p !== 'number') requireOperand(op, 'p', p);
  const dtype = typeof p === 'number' || p.type.dtype === 'float32' ? 'float32' : 'float64';
  const probability = inNameOf(op, () => requireParameter(op, 'p', p, dtype, shape));
  return less(shaped(flatFloats(op, key, shape, dtype, 'unit'), shape), probability) as unknown as Of<JoinKind<A, P>, 'bool'>;
}

function shapeOfProbability(p: unknown): readonly Dim[] {
  if (typeof p === 'number') return [];
  requireOperand('bernoulli', 'p', p);
  return p.type.shape;
}

export interface CategoricalOptions {
  /** The axis of the categories: the last when absent. */
  readonly axis?: number;
}

/**
 * A category for each vector of logits along an axis, drawn with probability softmax(logits): the argmax of logits plus Gumbel noise
 * −log(−log u). A logit of −∞ is never drawn where another is finite. No gradient flows.
 *
 * @throws DTypeError and ShapeError unless `key` is int32[2]; ShapeError where there is no category, AxisError, DTypeError for complex
 * logits.
 * @example
 * import { categorical, randomKey, tensor } from '@tf/core';
 * const drawn = categorical(randomKey(0), tensor([[0, 1, 2], [2, 1, 0]]));
 * if (drawn.type.key !== 'i32[2]') throw new Error('unexpected');
 */
export function categorical<A extends Operand, B extends Operand>(key: A, logits: B, options: CategoricalOptions = {}): Of<JoinKind<A, B>, 'int32'> {
  const op = 'categorical';
  requireOperand(op, 'logits', logits);
  requireOptions(op, options, ['axis']);
  const dtype: DType = floatResult(logits.type.dtype);
  requireFloat(op, dtype);
  const { shape } = logits.type;
  const axis = normaliseAxis(op, options.axis ?? -1, shape.length);
  requireRandomShape(op, shape);
  const gumbel = neg(log(neg(log(flatFloats(op, key, shape, dtype, 'open'))) as Operand)) as Operand;
  return inNameOf(op, () => argmax(add(logits as Operand, shaped(gumbel, shape)) as Operand, { axis }) as unknown as Of<JoinKind<A, B>, 'int32'>);
}
