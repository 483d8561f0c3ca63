import { type Assembly, type ContractionAxes, type DimBinding, dtypes, evaluateDim, type IndexMap, isInexact, loop, type MonoidName, type ScalarExpr, type Shape, type TensorType, type TypedArray } from '@tf/core';
import { countOf, extentsOf, type HostValue, knownShape, setLane, zerosOf } from '../values.ts';
import { compensatedSum, type Element, loadElement, monoidCombine, monoidStart, ringOf, storeElement } from './elements.ts';
import { type Arithmetic, prepareBody } from './scalars.ts';
import { broadcastSteps, positionsOf, rowMajor, walk } from './walk.ts';

/** One expression per lane of the outputs, in order; inputs broadcast. */
export function runElementwise(body: readonly ScalarExpr[], inputs: readonly HostValue[], types: readonly TensorType[], arithmetic: Arithmetic): readonly HostValue[] {
  const outputs = types.map(zerosOf);
  const shape = knownShape((types[0] as TensorType).shape);
  const evaluate = prepareBody(body, arithmetic);
  const lanes = inputs.map(({ type }) => dtypes[type.dtype].lanes);
  const strides = [...inputs.map((input) => broadcastSteps(extentsOf(input), shape)), rowMajor(shape)];
  walk(shape, strides, strides.map(() => 0), (at) => {
    const values = evaluate((input, lane) => (inputs[input] as HostValue).data[(at[input] as number) * (lanes[input] as number) + lane] as number | bigint);
    let next = 0;
    for (const { type, data } of outputs) {
      const own = dtypes[type.dtype].lanes;
      for (let lane = 0; lane < own; lane++) setLane(data, (at[inputs.length] as number) * own + lane, values[next++] as number | bigint | boolean);
    }
  });
  return outputs;
}

/**
 * Folds axes in logical row-major order: by core's tree (`exact`), or plainly with compensation (`wide`). No axis folds one element, as
 * an axis of extent 1 does: a sum starts from 0, so −0 becomes 0, and 1 + 0i times a complex x that has a NaN is NaN in both parts.
 */
export function runReduction(monoid: MonoidName, axes: readonly number[], input: HostValue, type: TensorType, arithmetic: Arithmetic): HostValue {
  const output = zerosOf(type);
  const shape = extentsOf(input);
  const { dtype } = type;
  const own = rowMajor(shape);
  const kept = shape.flatMap((_, axis) => (axes.includes(axis) ? [] : [axis]));
  const pick = (list: readonly number[], from: readonly number[]): readonly number[] => list.map((axis) => from[axis] as number);
  const inner = positionsOf(pick(axes, shape), pick(axes, own), 0);
  const combine = monoidCombine(monoid, dtype, arithmetic);
  const start = monoidStart(monoid, dtype);
  const compensate = monoid === 'sum' && arithmetic === 'wide' && isInexact(dtype);
  let target = 0;
  walk(pick(kept, shape), [pick(kept, own)], [0], ([at]) => {
    const element = (i: number): Element => loadElement(dtype, input.data, (at as number) + (inner[i] as number));
    const folded = compensate
      ? compensatedSum(inner.map((_, i) => element(i)), dtypes[dtype].lanes)
      : arithmetic === 'exact' ? loop.reduceInOrder(inner.length, element, combine, start) : inner.reduce<Element>((sum, _, i) => combine(sum, element(i)), start);
    storeElement(dtype, output.data, target++, folded);
  });
  return output;
}

export function runLayout(map: IndexMap, input: HostValue, type: TensorType, binding: DimBinding): HostValue {
  const output = zerosOf(type);
  if (map.kind === 'reshape') {
    copyInto(output.data, input.data);
    return output;
  }
  const shape = knownShape(type.shape);
  const own = rowMajor(extentsOf(input));
  let start = 0;
  const strides = map.axes.map((axis, at) => {
    if (axis === null) return 0;
    const stride = typeof axis === 'number' ? (own[axis] as number) : axis.reduce((sum, each) => sum + (own[each] as number), 0);
    start += evaluateDim(map.start?.[at] ?? 0, binding) * stride;
    return (map.step?.[at] ?? 1) * stride;
  });
  positionsOf(shape, strides, start).forEach((from, to) => storeElement(type.dtype, output.data, to, loadElement(type.dtype, input.data, from)));
  return output;
}

/** The index of each element, rounded once. */
export function runIota(type: TensorType): HostValue {
  const output = zerosOf(type);
  for (let at = 0; at < output.data.length; at++) setLane(output.data, at, at);
  return output;
}

export function runAssembly({ fill, pieces }: Assembly, inputs: readonly HostValue[], type: TensorType, binding: DimBinding): HostValue {
  const output = zerosOf(type);
  const { dtype } = type;
  const element = fill === undefined ? undefined : typeof fill === 'number' ? elementOf(type, fill) : loadElement(dtype, (inputs[fill.input] as HostValue).data, 0);
  if (element !== undefined) for (let at = 0; at < countOf(knownShape(type.shape)); at++) storeElement(dtype, output.data, at, element);
  const known = (dims: Shape): readonly number[] => dims.map((dim) => evaluateDim(dim, binding));
  const offset = (from: readonly number[], own: readonly number[]): number => from.reduce((sum, index, axis) => sum + index * (own[axis] as number), 0);
  for (const { input, from, extents, at, step } of pieces) {
    const source = inputs[input] as HostValue;
    const [read, write] = [rowMajor(extentsOf(source)), rowMajor(knownShape(type.shape))];
    walk(known(extents), [read, write.map((stride, axis) => stride * (step[axis] as number))], [offset(known(from), read), offset(known(at), write)], ([left, right]) => {
      storeElement(dtype, output.data, right as number, loadElement(dtype, source.data, left as number));
    });
  }
  return output;
}

function elementOf(type: TensorType, value: number): Element {
  if (type.dtype === 'int64') return [BigInt(value)];
  return dtypes[type.dtype].lanes === 2 ? [value, 0] : [value];
}

/** Axes of the output: batch, free of lhs, free of rhs; products in the order of the contracted axes. */
export function runContraction(axes: ContractionAxes, lhs: HostValue, rhs: HostValue, type: TensorType, arithmetic: Arithmetic): HostValue {
  const output = zerosOf(type);
  const [l, r] = [side(lhs, axes.lhsBatch, axes.lhsContract), side(rhs, axes.rhsBatch, axes.rhsContract)];
  const zero = l.free.map(() => 0);
  const strides = [[...l.batch, ...l.free, ...r.free.map(() => 0)], [...r.batch, ...zero, ...r.free]];
  let target = 0;
  walk([...l.batchExtents, ...l.freeExtents, ...r.freeExtents], strides, [0, 0], ([left, right]) => {
    const product = (i: number): readonly [number, number] => [(left as number) + (l.inner[i] as number), (right as number) + (r.inner[i] as number)];
    storeElement(type.dtype, output.data, target++, dotProduct(type, lhs.data, rhs.data, l.inner.length, product, arithmetic));
  });
  return output;
}

/** Σ lhs·rhs over `count` pairs of positions, first to last. */
export function dotProduct(type: TensorType, lhs: TypedArray, rhs: TypedArray, count: number, positions: (i: number) => readonly [number, number], arithmetic: Arithmetic): Element {
  const { dtype } = type;
  const ring = ringOf(dtype, arithmetic);
  const products = Array.from({ length: count }, (_, i) => {
    const [left, right] = positions(i);
    return ring.mul(loadElement(dtype, lhs, left), loadElement(dtype, rhs, right));
  });
  if (arithmetic === 'wide' && isInexact(dtype)) return compensatedSum(products, dtypes[dtype].lanes);
  return products.reduce(ring.add, monoidStart('sum', dtype));
}

interface Side {
  readonly batch: readonly number[];
  readonly batchExtents: readonly number[];
  readonly free: readonly number[];
  readonly freeExtents: readonly number[];
  /** Positions of the contracted elements. */
  readonly inner: readonly number[];
}

function side(value: HostValue, batch: readonly number[], contract: readonly number[]): Side {
  const shape = extentsOf(value);
  const own = rowMajor(shape);
  const pick = (list: readonly number[], from: readonly number[]): readonly number[] => list.map((axis) => from[axis] as number);
  const free = shape.flatMap((_, axis) => (batch.includes(axis) || contract.includes(axis) ? [] : [axis]));
  return { batch: pick(batch, own), batchExtents: pick(batch, shape), free: pick(free, own), freeExtents: pick(free, shape), inner: positionsOf(pick(contract, shape), pick(contract, own), 0) };
}

export function copyInto(to: TypedArray, from: TypedArray): void {
  for (let at = 0; at < from.length; at++) to[at] = from[at] as never;
}
