import type { BatchContext, Operation, Params, RuleContext, Var } from '../contract.ts';
import { TfError } from '../errors.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { requireNumber, requireNumbers, requireOptions, wrongArgument } from '../types/argument.ts';
import { applyPromoted, applyUnary, argumentAs } from './arguments.ts';
import { filledBeside } from './beside.ts';
import { addDims, type Dim, dimText, isKnown, subDims } from '../types/dim.ts';
import { type DType, dtypes, isInexact } from '../types/dtype.ts';
import type { AssemblyPiece } from '../types/loop-language.ts';
import { type Argument, type DTypeOf, isOperand, type JoinDTypes, type Joined, type JoinKind, type JoinKinds, type Kind, type Of, type Operand } from '../types/operand.ts';
import { type ConstraintSink, normaliseAxis, requireAtMost, requireDims, requireSameDim, type Shape, shapeText } from '../types/shape.ts';
import { type TensorType, tensorType, typeText } from '../types/tensor-type.ts';
import { definePrimitive, numeric, type Primitive, requireDType } from './define.ts';
import { reshape } from './movement.ts';
import { sum } from './reduce.ts';
import { linear } from './rules.ts';
import { select } from './select.ts';

function dims(params: Params, name: string): readonly Dim[] {
  return params[name] as readonly Dim[];
}

function numbers(params: Params, name: string): readonly number[] {
  return params[name] as readonly number[];
}

/** How many elements `start, start + step, …` below `stop` are. Symbolic bounds take steps of 1. */
function sliceExtent(start: Dim, stop: Dim, step: number): Dim {
  const length = subDims(stop, start);
  return isKnown(length) ? Math.ceil(length / step) : length;
}

export const slicePrimitive: Primitive = definePrimitive({
  name: 'slice',
  inputs: 1,
  infer: ([x], params, sink, op) => {
    const [start, stop, step] = [dims(params, 'start'), dims(params, 'stop'), numbers(params, 'step')];
    const rank = x!.shape.length;
    if (start.length !== rank || stop.length !== rank || step.length !== rank) throw new TfError('ArgumentError', `${op}: start, stop and step need ${rank} entries for ${x!.key}, got ${start.length}, ${stop.length} and ${step.length}. Give one entry per axis; 0 and the size take a whole axis.`, { op });
    const shape = x!.shape.map((dim, axis) => checkedExtent({ op, x: x!, axis, sink }, dim, start[axis] as Dim, stop[axis] as Dim, step[axis] as number));
    return [tensorType(x!.dtype, shape)];
  },
  traits: {
    layout: (params, input) => ({ kind: 'axes', axes: input.shape.map((_, axis) => axis), start: dims(params, 'start'), step: numbers(params, 'step') }),
  },
  rule: linear((ctx, ct) => unslice(ctx, ct)),
  batch: (ctx) => ctx.apply(ctx.operation, [ctx.input(0)], { start: [0, ...dims(ctx.params, 'start')], stop: [ctx.size, ...dims(ctx.params, 'stop')], step: [1, ...numbers(ctx.params, 'step')] }),
});

/** One axis of an operand under inference. */
interface AxisOf {
  readonly op: string;
  readonly x: TensorType;
  readonly axis: number;
  readonly sink: ConstraintSink;
}

function checkedExtent(at: AxisOf, dim: Dim, start: Dim, stop: Dim, step: number): Dim {
  const { op, x, axis } = at;
  const known = isKnown(dim) && isKnown(start) && isKnown(stop);
  const whole = [start, stop].every((bound) => !isKnown(bound) || Number.isInteger(bound)) && Number.isInteger(step) && step >= 1 && (step === 1 || known);
  if (!whole || !isOrdered(at, [0, start, stop, dim])) {
    throw new TfError('ShapeError', `${op}: axis ${axis} of ${x.key} cannot be cut as ${dimText(start)}:${dimText(stop)}:${step}. It takes integers 0 ≤ start ≤ stop ≤ ${dimText(dim)} and a step of 1 or more.`, { op, axis });
  }
  return sliceExtent(start, stop, step);
}

/** Whether each is at most the next, as far as that is known now; the rest is checked when sizes are bound. */
function isOrdered({ op, x, axis, sink }: AxisOf, bounds: readonly Dim[]): boolean {
  return bounds.every((bound, place) => place === 0 || requireAtMost(bounds[place - 1] as Dim, bound, `${op}: axis ${axis} of ${x.key}`, sink));
}

/** The adjoint of a slice puts the cotangent back among zeros. */
function unslice(ctx: RuleContext, ct: Var): Var {
  const { params } = ctx;
  const [start, step] = [dims(params, 'start'), numbers(params, 'step')];
  const full = (ctx.inputTypes[0] as TensorType).shape;
  const high = full.map((dim, axis) => {
    const taken = ct.type.shape[axis] as Dim;
    const reach = isKnown(taken) ? (taken === 0 ? 0 : (taken - 1) * (step[axis] as number) + 1) : taken;
    return subDims(subDims(dim, start[axis] as Dim), reach);
  });
  return pad(ct, { low: start, high, interior: step.map((by) => by - 1) }) as Var;
}

export interface PadOptions<V extends Argument = Argument> {
  /** Elements put before each axis; negative ones are cut off. */
  readonly low: readonly Dim[];
  /** Elements put after each axis; negative ones are cut off. */
  readonly high: readonly Dim[];
  /** Elements put between neighbours of each axis; none when absent. */
  readonly interior?: readonly number[];
  /** What is put there, 0 when absent: a number that x's dtype can hold, or a tensor of rank 0 and of x's dtype. */
  readonly value?: V;
}

export const padPrimitive: Primitive = definePrimitive({
  name: 'pad',
  // x, and what is put around it: 0 when absent.
  inputs: 'many',
  infer: ([x, value, ...more], params, sink, op) => {
    if (more.length > 0) throw new TfError('ArgumentError', `${op}: takes 1 or 2 operands, got ${more.length + 2}.`, { op });
    if (value !== undefined) requireFill(op, value, x!);
    const [low, high, interior] = [dims(params, 'low'), dims(params, 'high'), numbers(params, 'interior')];
    const rank = x!.shape.length;
    if (low.length !== rank || high.length !== rank || interior.length !== rank || interior.some((by) => !Number.isInteger(by) || by < 0)) {
      throw new TfError('ArgumentError', `${op}: low, high and interior need ${rank} integers for ${x!.key}, interior ones ≥ 0; got ${low.length}, ${high.length} and [${interior.join(', ')}]. Give one entry per axis; 0 leaves an axis as it is.`, { op });
    }
    const open = x!.shape.findIndex((dim, axis) => interior[axis] !== 0 && !isKnown(dim));
    if (open >= 0) throw new TfError('ShapeError', `${op}: interior ${interior[open]} along axis ${open} of ${x!.key}: elements go between neighbours only where the size is known. Bind that dimension first.`, { op, axis: open });
    const shape = x!.shape.map((dim, axis) => addDims(addDims(spreadExtent(dim, interior[axis] as number), low[axis] as Dim), high[axis] as Dim));
    x!.shape.forEach((dim, axis) => requireCuts({ op, x: x!, axis, sink }, dim, low[axis] as Dim, high[axis] as Dim));
    if (shape.some((dim) => isKnown(dim) && (dim < 0 || !Number.isInteger(dim)))) throw new TfError('ShapeError', `${op}: ${x!.key} padded by low ${shapeText(low)} and high ${shapeText(high)} would have shape ${shapeText(shape)}. Cut at most what there is, in whole elements.`, { op });
    return [tensorType(x!.dtype, shape)];
  },
  traits: {
    assembly: (params, [x, value], output) => ({ fill: value === undefined ? 0 : { input: 1 }, pieces: padPieces(params, x!.shape, output.shape) }),
    asAccumulation: (params, [, isZero = true]) => {
      const bounds = [...dims(params, 'low'), ...dims(params, 'high')];
      // Symbolic amounts are never negative.
      if (!isZero || bounds.some((dim) => isKnown(dim) && dim < 0)) return undefined;
      return { operation: sliceAddPrimitive.operation, params: { start: dims(params, 'low'), step: numbers(params, 'interior').map((by) => by + 1) }, inputs: [0] };
    },
  },
  batch: (ctx) => {
    const lead = ctx.batched[0] === true ? [0] : [];
    const params = { low: [...lead, ...dims(ctx.params, 'low')], high: [...lead, ...dims(ctx.params, 'high')], interior: [...lead, ...numbers(ctx.params, 'interior')] };
    if (ctx.batched[1] === true) return [fillEach(ctx, ctx.apply(ctx.operation, [ctx.input(0)], params)[0] as Var)];
    return ctx.apply(ctx.operation, ctx.inputTypes.map((_, at) => ctx.atom(at)), params);
  },
  rule: {
    kind: 'rule',
    linear: { inputs: 'all', how: 'together' },
    // Itself, but that a value without a tangent needs no operand.
    linearize: (ctx, [dx, dv]) => ctx.apply(ctx.operation, [dx ?? ctx.zeros(ctx.inputTypes[0] as TensorType), ...(dv === undefined ? [] : [dv])], ctx.params),
    transpose: (ctx, [ct]) => ctx.inputTypes.map((_, at) => (ct === undefined || ctx.active[at] !== true ? undefined : at === 0 ? unpad(ctx, ct) : sumAround(ctx, ct))),
  },
});

function requireFill(op: string, value: TensorType, x: TensorType): void {
  if (value.shape.length === 0 && value.dtype === x.dtype) return;
  throw new TfError('ArgumentError', `${op}: value is ${typeText(value)}; with ${typeText(x)} it is one element of ${x.dtype}. ${value.shape.length === 0 ? `Convert it: convert(value, '${x.dtype}')` : 'Take one element of it'}.`, { op, argument: 'value' });
}

/** Another value for each element of a batch: put in where x is not. */
function fillEach(ctx: BatchContext, padded: Var): Var {
  const value = reshape(ctx.input(1), [ctx.size, ...(ctx.outputTypes[0] as TensorType).shape.map(() => 1)]);
  return select(within(ctx, padded), padded, value) as Var;
}

/** Where the elements of x come to lie in the result. */
function within(ctx: Pick<RuleContext, 'operation' | 'params' | 'inputTypes'>, beside: Var): Operand<Kind, 'bool'> {
  const everywhere = filledBeside(ctx.operation.id, beside, 1, 'bool', (ctx.inputTypes[0] as TensorType).shape);
  return applyUnary(ctx.operation as Operation, everywhere, ctx.params) as Operand<Kind, 'bool'>;
}

/** The cotangent of the value: the sum over what is not x. */
function sumAround(ctx: RuleContext, ct: Var): Var {
  return sum(select(within(ctx, ct), 0, ct) as Operand) as Var;
}

function spreadExtent(dim: Dim, interior: number): Dim {
  return isKnown(dim) ? (dim === 0 ? 0 : dim + (dim - 1) * interior) : dim;
}

/** What cannot be decided now: symbolic amounts are not negative, and no more is cut from a symbolic axis than it has. */
function requireCuts(at: AxisOf, dim: Dim, low: Dim, high: Dim): void {
  if (isKnown(dim) && isKnown(low) && isKnown(high)) return;
  const cut = [low, high].map((amount) => (isKnown(amount) ? Math.max(0, -amount) : 0)) as [number, number];
  const fits = [low, high].every((amount) => isKnown(amount) || isOrdered(at, [0, amount])) && isOrdered(at, [cut[0] + cut[1], dim]);
  if (!fits) throw new TfError('ShapeError', `${at.op}: axis ${at.axis} of ${at.x.key} cannot be padded by ${dimText(low)} and ${dimText(high)}. Symbolic amounts must be at least 0, and cuts at most what there is.`, { op: at.op, axis: at.axis });
}

function padPieces(params: Params, from: Shape, to: Shape): readonly AssemblyPiece[] {
  const [low, high, interior] = [dims(params, 'low'), dims(params, 'high'), numbers(params, 'interior')];
  const first: Dim[] = [];
  const extents: Dim[] = [];
  const at: Dim[] = [];
  from.forEach((dim, axis) => {
    const [before, after] = [low[axis] as Dim, high[axis] as Dim];
    const step = (interior[axis] as number) + 1;
    const size = to[axis] as Dim;
    if (!isKnown(before) || !isKnown(dim) || !isKnown(size)) {
      // Without elements in between: what negative amounts cut is left out on both sides.
      const [front, back] = [before, after].map((amount) => (isKnown(amount) ? Math.max(0, -amount) : 0)) as [number, number];
      first.push(front);
      extents.push(subDims(dim, front + back));
      at.push(isKnown(before) ? Math.max(0, before) : before);
      return;
    }
    // Element i goes to before + i·step; the ones that land inside stay.
    const start = before < 0 ? Math.ceil(-before / step) : 0;
    const end = Math.min(dim, Math.floor((size - 1 - before) / step) + 1);
    first.push(Math.min(start, dim));
    extents.push(Math.max(0, end - start));
    at.push(Math.max(0, before + start * step));
  });
  return extents.some((extent) => extent === 0) ? [] : [{ input: 0, from: first, extents, at, step: interior.map((by) => by + 1) }];
}

/** The adjoint of a pad takes the elements back out; what was cut off gets 0. */
function unpad(ctx: RuleContext, ct: Var): Var {
  const { params } = ctx;
  const negate = (name: string): readonly Dim[] => dims(params, name).map((dim) => subDims(0, dim));
  const interior = numbers(params, 'interior');
  const [low, high] = [dims(params, 'low'), dims(params, 'high')];
  if (low.some((amount) => !isKnown(amount)) || high.some((amount) => !isKnown(amount))) return unpadSymbolic(ctx, ct, low, high);
  const whole = pad(ct, { low: negate('low'), high: negate('high') }) as Var;
  if (interior.every((by) => by === 0)) return whole;
  const { shape } = whole.type;
  return slice(whole, shape.map(() => 0), shape, interior.map((by) => by + 1)) as Var;
}

/** Symbolic amounts are not negative: they are sliced off. Known ones may cut, and nothing lies between neighbours of a symbolic axis. */
function unpadSymbolic(ctx: RuleContext, ct: Var, low: readonly Dim[], high: readonly Dim[]): Var {
  const interior = numbers(ctx.params, 'interior');
  const negate = (dim: Dim): Dim => (isKnown(dim) ? -dim + 0 : 0);
  const cuts = [...low, ...high].some((amount) => isKnown(amount) && amount !== 0);
  const cut = cuts ? (pad(ct, { low: low.map(negate), high: high.map(negate) }) as Var) : ct;
  const { shape } = ctx.inputTypes[0] as TensorType;
  const start = low.map((amount) => (isKnown(amount) ? 0 : amount));
  const stop = cut.type.shape.map((dim, axis) => (isKnown(low[axis] as Dim) && isKnown(high[axis] as Dim) ? dim : addDims(start[axis] as Dim, shape[axis] as Dim)));
  return slice(cut, start, stop, interior.map((by) => by + 1)) as Var;
}

export const sliceAddPrimitive: Primitive = definePrimitive({
  name: 'sliceAdd',
  inputs: 2,
  infer: ([x, updates], params, sink, op) => {
    const [start, step] = [dims(params, 'start'), numbers(params, 'step')];
    requireDType(op, x!, numeric);
    requireDType(op, updates!, [x!.dtype]);
    const rank = x!.shape.length;
    if ([start.length, step.length, updates!.shape.length].some((length) => length !== rank)) throw new TfError('ArgumentError', `${op}: start, step and the updates' shape need ${rank} entries for ${x!.key}, got ${start.length}, ${step.length} and ${updates!.key}. Give one entry per axis.`, { op });
    x!.shape.forEach((dim, axis) => requireInside({ op, x: x!, axis, sink }, dim, start[axis] as Dim, updates!.shape[axis] as Dim, step[axis] as number));
    return [x!];
  },
  batch: (ctx) => ctx.apply(ctx.operation, [ctx.whole(0), ctx.whole(1)], { start: [0, ...dims(ctx.params, 'start')], step: [1, ...numbers(ctx.params, 'step')] }),
  traits: {
    boxAdd: (params) => ({ start: dims(params, 'start'), step: numbers(params, 'step') }),
    asAccumulation: (params, [isZero]) => (isZero === true ? { operation: sliceAddPrimitive.operation, params, inputs: [1] } : undefined),
  },
  rule: {
    kind: 'rule',
    linear: { inputs: [0, 1], how: 'together' },
    transpose: (ctx, [ct]) => [ctx.active[0] === true ? ct : undefined, ct !== undefined && ctx.active[1] === true ? takeBox(ctx, ct) : undefined],
  },
});

function requireInside(at: AxisOf, dim: Dim, start: Dim, extent: Dim, step: number): void {
  const known = isKnown(dim) && isKnown(start) && isKnown(extent);
  const whole = (!isKnown(start) || Number.isInteger(start)) && Number.isInteger(step) && step >= 1 && (step === 1 || known);
  const reach = isKnown(extent) ? (extent === 0 ? 0 : (extent - 1) * step + 1) : extent;
  if (whole && isOrdered(at, [0, start, subDims(dim, reach)])) return;
  throw new TfError('ShapeError', `${at.op}: along axis ${at.axis} of ${at.x.key}, ${dimText(extent)} updates from ${dimText(start)} on in steps of ${step} do not lie inside. Start at 0 or later, step by 1 or more, and end before ${dimText(dim)}.`, { op: at.op, axis: at.axis });
}

function takeBox(ctx: RuleContext, ct: Var): Var {
  const [start, step] = [dims(ctx.params, 'start'), numbers(ctx.params, 'step')];
  const { shape } = ctx.inputTypes[1] as TensorType;
  const stop = shape.map((extent, axis) => {
    const reach = isKnown(extent) ? (extent === 0 ? 0 : (extent - 1) * (step[axis] as number) + 1) : extent;
    return addDims(start[axis] as Dim, reach);
  });
  return slice(ct, start, stop, step) as Var;
}

export const concatPrimitive: Primitive = (() => {
  const offsets = (inputs: readonly TensorType[], axis: number): readonly Dim[] => {
    let sum: Dim = 0;
    return inputs.map((input) => {
      const at = sum;
      sum = addDims(sum, input.shape[axis] as Dim);
      return at;
    });
  };
  return definePrimitive({
    name: 'concat',
    inputs: 'many',
    infer: (inputs, params, sink, op) => {
      const axis = params['axis'] as number;
      const [first] = inputs as readonly [TensorType];
      for (const input of inputs) {
        requireDType(op, input, [first.dtype]);
        const fits = input.shape.length === first.shape.length && input.shape.every((dim, at) => at === axis || requireSameDim(dim, first.shape[at] as Dim, `${op}: axis ${at}`, sink));
        if (!fits) throw new TfError('ShapeError', `${op}: ${first.key} and ${input.key} cannot be joined along axis ${axis}: all other axes must agree. Reshape, slice or pad one of them.`, { op, axis });
      }
      let length: Dim = 0;
      for (const input of inputs) length = addDims(length, input.shape[axis] as Dim);
      return [tensorType(first.dtype, first.shape.map((dim, at) => (at === axis ? length : dim)))];
    },
    traits: {
      assembly: (params, inputs) => {
        const axis = params['axis'] as number;
        const at = offsets(inputs, axis);
        return { pieces: inputs.map((input, index) => ({ input: index, from: input.shape.map(() => 0), extents: input.shape, at: input.shape.map((_, own) => (own === axis ? (at[index] as Dim) : 0)), step: input.shape.map(() => 1) })) };
      },
    },
    batch: (ctx) => ctx.apply(ctx.operation, ctx.inputTypes.map((_, index) => ctx.whole(index)), { axis: (ctx.params['axis'] as number) + 1 }),
    rule: {
      kind: 'rule',
      linear: { inputs: 'all', how: 'together' },
      transpose: (ctx, [ct]) => {
        const axis = ctx.params['axis'] as number;
        const at = offsets(ctx.inputTypes, axis);
        return ctx.inputTypes.map((type, index) => {
          if (ct === undefined || ctx.active[index] !== true) return undefined;
          const start = type.shape.map((_, own): Dim => (own === axis ? (at[index] as Dim) : 0));
          return slice(ct, start, type.shape.map((dim, own) => addDims(start[own] as Dim, dim))) as Var;
        });
      },
    },
  });
})();

/**
 * The elements `start, start + step, …` before `stop` along each axis, without copying.
 *
 * @throws ShapeError unless 0 ≤ start ≤ stop ≤ size and step ≥ 1 along every axis.
 * @example
 * import { Builder, slice, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float64', [5, 4]), 'x');
 * if (slice(x, [1, 0], [5, 4], [2, 1]).type.key !== 'f64[2, 4]') throw new Error('unexpected');
 */
export function slice<K extends Kind, D extends DType>(x: Operand<K, D>, start: readonly Dim[], stop: readonly Dim[], step?: readonly number[]): Of<K, D> {
  requireOperand('slice', 'x', x);
  requireDims('slice', 'start', start);
  requireDims('slice', 'stop', stop);
  if (step !== undefined) requireNumbers('slice', 'step', step, 'a list of integers, such as [1, 2]');
  return applyUnary(slicePrimitive.operation, x, { start, stop, step: step ?? start.map(() => 1) }) as Of<K, D>;
}

/**
 * x with `updates` added to its elements `start, start + step, …` along each axis: as many as `updates` has.
 *
 * @throws ShapeError when the updates do not lie inside x.
 * @example
 * import { Builder, sliceAdd, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [5, 4]), 'x');
 * const row = builder.input(tensorType('float64', [1, 4]), 'row');
 * if (sliceAdd(x, [2, 0], row).type.key !== 'f64[5, 4]') throw new Error('unexpected');
 */
export function sliceAdd<A extends Operand, B extends Operand>(x: A, start: readonly Dim[], updates: B, step?: readonly number[]): Joined<A, B> {
  requireOperand('sliceAdd', 'x', x);
  requireOperand('sliceAdd', 'updates', updates);
  requireDims('sliceAdd', 'start', start);
  if (step !== undefined) requireNumbers('sliceAdd', 'step', step, 'a list of integers, such as [1, 2]');
  return applyPromoted(sliceAddPrimitive.operation, [x, updates], { start, step: step ?? start.map(() => 1) }, 'common') as Joined<A, B>;
}

/**
 * `x` with elements of `value` (0) before, after and between its own; negative amounts cut. A number that changes from call to call
 * compiles nothing anew; a tensor may be differentiated.
 *
 * @throws ArgumentError when the lists do not have one entry per axis, the dtype cannot hold `value`, or that is no one element of x's
 * dtype; ShapeError when more is cut than there is.
 */
export function pad<X extends Operand, V extends Argument = number>(x: X, options: PadOptions<V>): Of<JoinKind<X, V>, DTypeOf<X>> {
  requireOperand('pad', 'x', x);
  requireOptions('pad', options, ['low', 'high', 'interior', 'value']);
  requireDims('pad', 'low', options.low);
  requireDims('pad', 'high', options.high);
  const { low, high, interior = low.map(() => 0) } = options;
  const { value = 0 }: { readonly value?: unknown } = options;
  requireNumbers('pad', 'interior', interior, 'a list of integers, such as [0, 1]');
  const params = { low, high, interior };
  if (Object.is(value, 0)) return applyUnary(padPrimitive.operation, x, params) as Of<JoinKind<X, V>, DTypeOf<X>>;
  requireValue(value, x.type);
  const listener = chooseListener(padPrimitive.operation.id, [x, value]);
  const inputs = [liftArgument(listener, x, x.type.dtype, 'pad', 0), argumentAs(listener, value, x.type.dtype, 'pad', 1)];
  return listener.apply(padPrimitive.operation, inputs, params)[0] as Of<JoinKind<X, V>, DTypeOf<X>>;
}

function requireValue(value: unknown, x: TensorType): asserts value is Argument {
  const { dtype } = x;
  if (isOperand(value)) return value.weak === true && isInexact(dtype) ? undefined : requireFill('pad', value.type, x);
  if (typeof value === 'boolean' && dtype === 'bool') return;
  requireNumber('pad', 'value', value);
  const { kind } = dtypes[dtype];
  const bound = dtype === 'int32' ? 2 ** 31 : 2 ** 63;
  const fits = kind === 'bool' ? value === 0 || value === 1 : kind !== 'int' || (Number.isInteger(value) && value >= -bound && value < bound);
  if (!fits) throw new TfError('ArgumentError', `pad: value is ${value}, which ${dtype} cannot hold. Round it, or convert x first: convert(x, 'float64').`, { op: 'pad', argument: 'value', dtype, value });
}

/**
 * Tensors joined along an axis; dtypes are promoted, and kinds meet as in `add`: a host tensor joins traced and eager ones.
 *
 * @throws ShapeError when another axis differs, ArgumentError for an empty list.
 */
export function concat<const T extends readonly Operand[]>(tensors: readonly [...T], axis = 0): Of<JoinKinds<T>, JoinDTypes<T>> {
  if (!Array.isArray(tensors)) throw wrongArgument('concat', 'tensors', tensors, 'a list of tensors: concat([a, b], axis)');
  const [first] = tensors;
  if (first === undefined) throw new TfError('ArgumentError', 'concat: tensors is empty; it needs at least one tensor.', { op: 'concat', argument: 'tensors' });
  tensors.forEach((tensor, at) => requireOperand('concat', `tensors[${at}]`, tensor));
  return applyPromoted(concatPrimitive.operation, tensors, { axis: normaliseAxis('concat', axis, first.type.shape.length) }, 'common') as Of<JoinKinds<T>, JoinDTypes<T>>;
}

export const slicingPrimitives: readonly Primitive[] = [slicePrimitive, padPrimitive, sliceAddPrimitive, concatPrimitive];
