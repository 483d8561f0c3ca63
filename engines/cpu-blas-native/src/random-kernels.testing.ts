/** Random loops and scans for the tests of the library. */
import { dtypes, type DType, loop, type LoopKernel, type MonoidName, type ScalarExpr, type ScalarType } from '@tf/core';
import type { LoopCase, ScanCase, View } from './harness.testing.ts';
import { bytesOfDType, writeValue } from './reference.testing.ts';

/** Draws from a recorded list, so that a case is a function of what fast-check shrinks. */
export class Draws {
  #at = 0;
  readonly #numbers: readonly number[];
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  below(n: number): number {
    return (this.#numbers[this.#at++ % this.#numbers.length]! + 7 * Math.floor(this.#at / this.#numbers.length)) % n;
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

const allDTypes = Object.keys(dtypes) as readonly DType[];
const floats: { readonly [T in ScalarType]: readonly number[] } = {
  f32: [0, -0, 1, -1, 0.5, 3.25, -2.75, 1e-3, 1e10, Infinity, NaN, -7], f64: [0, -0, 1, -1.1, 0.5, 3.3, -2.7, 1e-3, 1e100, -Infinity, NaN, 9], i32: [0, 1, -1, 5, -9, 2147483647, 77], i64: [0, 1, -1, 5, -9, 2 ** 40, 77], bool: [0, 1],
};

/** Mostly numbers whose sums and products round. */
function valueOf(type: ScalarType, draw: Draws): loop.ScalarValue {
  const value = draw.below(8) === 0 ? draw.of(floats[type]) : type === 'bool' ? draw.below(2) : (draw.below(100_000) - 50_000) / (type === 'f32' || type === 'f64' ? 7003.7 : 1);
  return type === 'bool' ? value === 1 : type === 'i64' ? BigInt(value) : type === 'f32' ? Math.fround(value) : value;
}

/** An expression of the type over the arguments; what was made before may be used again. */
function expression(type: ScalarType, depth: number, draw: Draws, made: ScalarExpr[]): ScalarExpr {
  const ready = made.filter((one) => one.type === type);
  if (ready.length > 0 && (depth === 0 || draw.below(3) === 0)) return draw.of(ready);
  const result = depth === 0 ? loop.constant(type, valueOf(type, draw)) : operation(type, depth, draw, (other) => expression(other, depth - 1, draw, made));
  made.push(result);
  return result;
}

function operation(type: ScalarType, depth: number, draw: Draws, make: (type: ScalarType) => ScalarExpr): ScalarExpr {
  const others = (['f32', 'f64', 'i32', 'i64', 'bool'] as const).filter((other) => other !== type);
  const general = [
    () => loop.select(make('bool'), make(type), make(type)),
    () => loop.convert(type, make(draw.of(others))),
  ];
  if (type === 'bool') {
    const compared = draw.of(others);
    return draw.of([...general, () => loop.and(make(type), make(type)), () => loop.not(make(type)), () => draw.of([loop.lt, loop.eq, loop.ge])(make(compared), make(compared))])();
  }
  const arithmetic = () => draw.of([loop.add, loop.sub, loop.mul, loop.min, loop.max])(make(type), make(type));
  const float = [() => loop.div(make(type), make(type)), () => draw.of([loop.floor, loop.neg, loop.abs, loop.nearest])(make(type)), () => loop.call(draw.of(['exp', 'tanh', 'erf', 'sin']), type, make(type))];
  const integer = [() => draw.of([loop.and, loop.xor, loop.shl, loop.shrU])(make(type), make(type)), () => loop.lookup(type, [5, 6, 7].map((x) => (type === 'i64' ? BigInt(x) : x)), make('i32'))];
  return draw.of([arithmetic, arithmetic, ...general, ...(type === 'f32' || type === 'f64' ? float : integer)])();
}

/** A view of the extents in a buffer of its own: any order of the axes, gaps, backwards, broadcast along `free` axes. */
function layout(dtype: DType, extents: readonly number[], draw: Draws, mayRepeat: boolean): { readonly strides: readonly number[]; readonly offset: number; readonly elements: number } {
  const order = extents.map((_, axis) => axis);
  if (draw.below(3) === 0) order.reverse();
  else if (draw.below(4) === 0) order.push(order.shift() ?? 0);
  const strides = extents.map(() => 0);
  let elements = 1;
  let offset = 0;
  for (const axis of order.slice(0, extents.length).reverse()) {
    const extent = extents[axis]!;
    if (mayRepeat && draw.below(4) === 0) continue;
    const isBackwards = draw.below(8) === 0;
    strides[axis] = isBackwards ? -elements : elements;
    if (isBackwards) offset += elements * Math.max(0, extent - 1);
    elements *= Math.max(1, extent) + (draw.below(6) === 0 ? 1 : 0);
  }
  if (draw.below(8) === 0) {
    elements *= 2;
    offset *= 2;
    strides.forEach((stride, axis) => (strides[axis] = 2 * stride));
  }
  const bytes = bytesOfDType(dtype);
  return { strides: strides.map((stride) => stride * bytes), offset: offset * bytes, elements };
}

function bufferFor(dtype: DType, elements: number, draw: Draws): Uint8Array {
  const type = loop.scalarTypeOf(dtype);
  const { lanes } = dtypes[dtype];
  const bytes = bytesOfDType(dtype);
  const data = new Uint8Array(elements * bytes);
  const view = new DataView(data.buffer);
  for (let i = 0; i < elements * lanes; i++) writeValue(view, (i * bytes) / lanes, type, valueOf(type, draw));
  return data;
}

const extentChoices = [0, 1, 1, 2, 3, 5, 7, 8, 16, 31, 64, 100, 130, 260, 513, 1200];

function extentsFor(rank: number, draw: Draws): readonly number[] {
  const extents: number[] = [];
  let total = 1;
  for (let axis = 0; axis < rank; axis++) {
    const fitting = extentChoices.filter((extent) => total * Math.max(1, extent) <= 2600);
    const extent = draw.below(20) === 0 ? draw.of(fitting) : draw.of(fitting.filter((one) => one > 0));
    extents.push(extent);
    total *= Math.max(1, extent);
  }
  return draw.below(2) === 0 ? extents : extents.reverse();
}

/** A loop of random expressions; one in three writes where it reads. */
export function loopFrom(draw: Draws, folds: boolean): LoopCase {
  const rank = draw.below(5) + (folds ? 1 : 0);
  const extents = extentsFor(rank, draw);
  const monoid = draw.of<MonoidName>(['sum', 'prod', 'max', 'min']);
  const axes = folds ? 1 + draw.below(rank) : 0;
  const kept = extents.slice(0, rank - axes);
  const reads = Array.from({ length: 1 + draw.below(3) }, () => draw.of(allDTypes));
  const foldable = allDTypes.filter((dtype) => (monoid === 'sum' || monoid === 'prod' ? dtype !== 'bool' : dtypes[dtype].lanes === 1));
  const isInPlace = !folds && draw.below(3) === 0;
  const writes = Array.from({ length: isInPlace ? 2 : 1 + draw.below(2) }, (_, i) => (isInPlace && i === 0 ? reads[0]! : draw.of(folds ? foldable : allDTypes)));
  const made: ScalarExpr[] = reads.flatMap((dtype, input) => ([0, 1] as const).slice(0, dtypes[dtype].lanes).map((lane) => loop.argument(loop.scalarTypeOf(dtype), input, lane)));
  const depth = draw.below(4);
  const body = writes.flatMap((dtype, i) => Array.from({ length: dtypes[dtype].lanes }, () => {
    const result = expression(loop.scalarTypeOf(dtype), depth, draw, made);
    return isInPlace ? withRead(result, reads[0]!, i) : result;
  }));
  const buffers: Uint8Array[] = [];
  const views: View[] = [];
  const add = (dtype: DType, over: readonly number[], mayRepeat: boolean): void => {
    const { strides, offset, elements } = layout(dtype, over, draw, mayRepeat);
    views.push({ buffer: buffers.length, offset, strides: [...strides, ...extents.slice(over.length).map(() => 0)] });
    buffers.push(bufferFor(dtype, elements, draw));
  };
  reads.forEach((dtype, i) => add(dtype, extents, !isInPlace || i > 0));
  for (const dtype of writes) add(dtype, folds ? kept : extents, false);
  if (isInPlace) views[reads.length] = views[0]!;
  const access = (dtype: DType) => ({ dtype, inner: 'strided' as const });
  const kernel: LoopKernel = { rank, reads: reads.map(access), writes: writes.map(access), body, ...(folds ? { reduce: { monoid, axes } } : {}) };
  return { level: draw.below(3), kernel, extents, views, buffers };
}

/** So that the read is wanted after an operation has given the first result. */
function withRead(result: ScalarExpr, dtype: DType, write: number): ScalarExpr {
  const { type } = result;
  const read = loop.convert(type, loop.argument(loop.scalarTypeOf(dtype), 0));
  return type === 'bool' ? loop.xor(result, read) : write === 0 ? loop.add(result, loop.constant(type, 1)) : loop.sub(read, result);
}

/** The write lies where a read of its dtype lies, if that one has an element of its own for each iteration. */
function shareMemory(reads: readonly DType[], write: DType, views: View[], draw: Draws): void {
  const candidates = reads.flatMap((dtype, i) => (dtype === write && views[i]!.strides.every((stride) => stride !== 0) ? [i] : []));
  if (candidates.length > 0) views[reads.length] = views[draw.of(candidates)]!;
}

/** A scan of random expressions along the last axis, or along the one outside it. */
export function scanFrom(draw: Draws): ScanCase {
  const columns = draw.below(2) === 0;
  const rank = draw.below(3) + (columns ? 2 : 1);
  const extents = extentsFor(rank, draw);
  const reads = Array.from({ length: 1 + draw.below(2) }, () => draw.of(allDTypes));
  const write = draw.of(allDTypes);
  const { lanes } = dtypes[write];
  const argumentsOf = (of: readonly DType[]): ScalarExpr[] =>
    of.flatMap((dtype, input) => ([0, 1] as const).slice(0, dtypes[dtype].lanes).map((lane) => loop.argument(loop.scalarTypeOf(dtype), input, lane)));
  const results = (made: ScalarExpr[], depth: number): readonly ScalarExpr[] => Array.from({ length: lanes }, () => expression(loop.scalarTypeOf(write), depth, draw, made));
  const first = results(argumentsOf(reads), draw.below(3));
  const next = draw.below(3) === 0 ? chained(write, reads, draw) : results(argumentsOf([...reads, write]), 1 + draw.below(3));
  const buffers: Uint8Array[] = [];
  const views = [...reads, write].map((dtype, i): View => {
    const { strides, offset, elements } = layout(dtype, extents, draw, i < reads.length);
    buffers.push(bufferFor(dtype, elements, draw));
    return { buffer: buffers.length - 1, offset, strides };
  });
  if (draw.below(3) === 0) shareMemory(reads, write, views, draw);
  const access = (dtype: DType) => ({ dtype, inner: 'strided' as const });
  return { level: draw.below(3), scan: { rank, columns, reads: reads.map(access), write: access(write), first, next }, extents, views, buffers };
}

/** As cumulative sums are: one operation on what is read and the result before. */
function chained(write: DType, reads: readonly DType[], draw: Draws): readonly ScalarExpr[] {
  const type = loop.scalarTypeOf(write);
  return Array.from({ length: dtypes[write].lanes }, (_, i) => {
    const lane = i as 0 | 1;
    const before = loop.argument(type, reads.length, lane);
    const read = loop.convert(type, loop.argument(loop.scalarTypeOf(reads[0]!), 0, 0));
    const [a, b] = draw.below(2) === 0 ? [before, read] : [read, before];
    return draw.of(type === 'bool' ? [loop.and, loop.or] : [loop.add, loop.mul, loop.max, loop.min])(a, b);
  });
}
