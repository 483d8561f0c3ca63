/** What core's evaluator says of loops and scans, element by element, in the same memory as the harness's cases. */
import { dtypes, type DType, loop, type MonoidName, type ScalarExpr, type ScalarType } from '@tf/core';
import type { LoopCase, ScanCase, View } from './harness.testing.ts';

type Value = loop.ScalarValue;

/** The buffers after the loop. */
export function runLoop({ kernel, extents, views, buffers }: LoopCase): readonly Uint8Array[] {
  const memory = new Memory(buffers);
  const body = loop.expandAllCalls(kernel.body);
  const { reads, writes, reduce } = kernel;
  const kept = kernel.rank - (reduce?.axes ?? 0);
  const elementAt = (index: readonly number[]): readonly Value[] =>
    loop.evaluateScalars(body, (input, lane) => memory.read(views[input]!, reads[input]!.dtype, index, lane));
  const folded = indicesOf(extents.slice(kept));
  for (const index of indicesOf(extents.slice(0, kept))) {
    const elements = reduce === undefined ? [elementAt(index)] : folded.map((inside) => elementAt([...index, ...inside]));
    let lane = 0;
    writes.forEach(({ dtype }, w) => {
      const { lanes } = dtypes[dtype];
      const own = elements.map((element) => element.slice(lane, lane + lanes));
      const result = reduce === undefined ? own[0]! : foldOf(own, reduce.monoid, dtype);
      memory.write(views[reads.length + w]!, dtype, index, result);
      lane += lanes;
    });
  }
  return memory.buffers;
}

/** The buffers after the scan. */
export function runScan({ scan, extents, views, buffers }: ScanCase): readonly Uint8Array[] {
  const memory = new Memory(buffers);
  const { reads, write } = scan;
  const [first, next] = [loop.expandAllCalls(scan.first), loop.expandAllCalls(scan.next)];
  const axis = scan.columns ? scan.rank - 2 : scan.rank - 1;
  const out = views[reads.length]!;
  for (const index of indicesOf(extents)) {
    const isFirst = index[axis] === 0;
    const before = index.map((i, at) => (at === axis ? i - 1 : i));
    const result = loop.evaluateScalars(isFirst ? first : next, (input, lane) =>
      input === reads.length ? memory.read(out, write.dtype, before, lane) : memory.read(views[input]!, reads[input]!.dtype, index, lane));
    memory.write(out, write.dtype, index, result);
  }
  return memory.buffers;
}

function foldOf(elements: readonly (readonly Value[])[], monoid: MonoidName, dtype: DType): readonly Value[] {
  const type = loop.scalarTypeOf(dtype);
  const { lanes } = dtypes[dtype];
  const expressions = loop.combineLanes(monoid, dtype, lanesOf(type, lanes, 0), lanesOf(type, lanes, 1));
  const combine = (a: readonly Value[], b: readonly Value[]): readonly Value[] => loop.evaluateScalars(expressions, (input, lane) => (input === 0 ? a : b)[lane]!);
  const identity = loop.identityLanes(monoid, dtype).map((value) => (type === 'bool' ? value === 1 : value));
  return loop.reduceInOrder<readonly Value[]>(elements.length, (i) => elements[i]!, combine, identity);
}

function lanesOf(type: ScalarType, lanes: number, input: number): readonly ScalarExpr[] {
  return ([0, 1] as const).slice(0, lanes).map((lane) => loop.argument(type, input, lane));
}

export function indicesOf(extents: readonly number[]): readonly (readonly number[])[] {
  return extents.reduce<readonly (readonly number[])[]>((outer, extent) => outer.flatMap((index) => Array.from({ length: extent }, (_, i) => [...index, i])), [[]]);
}

/** Copies of the buffers, with elements by view and index. */
class Memory {
  readonly buffers: readonly Uint8Array[];

  constructor(buffers: readonly Uint8Array[]) {
    this.buffers = buffers.map((bytes) => bytes.slice());
  }

  #view({ buffer }: View): DataView {
    return new DataView(this.buffers[buffer]!.buffer);
  }

  read(view: View, dtype: DType, index: readonly number[], lane: number): Value {
    return readValue(this.#view(view), placeOf(view, index) + lane * laneBytes(dtype), loop.scalarTypeOf(dtype));
  }

  write(view: View, dtype: DType, index: readonly number[], lanes: readonly Value[]): void {
    lanes.forEach((value, lane) => {
      writeValue(this.#view(view), placeOf(view, index) + lane * laneBytes(dtype), loop.scalarTypeOf(dtype), value);
    });
  }
}

function placeOf({ offset, strides }: View, index: readonly number[]): number {
  return index.reduce((at, i, axis) => at + i * (strides[axis] ?? 0), offset);
}

function laneBytes(dtype: DType): number {
  return bytesOfDType(dtype) / dtypes[dtype].lanes;
}

export function bytesOfDType(dtype: DType): number {
  const type = loop.scalarTypeOf(dtype);
  return (type === 'bool' ? 1 : type === 'f32' || type === 'i32' ? 4 : 8) * dtypes[dtype].lanes;
}

export function readValue(view: DataView, at: number, type: ScalarType): Value {
  switch (type) {
    case 'f32':
      return view.getFloat32(at, true);
    case 'f64':
      return view.getFloat64(at, true);
    case 'i32':
      return view.getInt32(at, true);
    case 'i64':
      return view.getBigInt64(at, true);
    case 'bool':
      return view.getUint8(at) !== 0;
  }
}

export function writeValue(view: DataView, at: number, type: ScalarType, value: Value): void {
  if (type === 'f32') view.setFloat32(at, value as number, true);
  else if (type === 'f64') view.setFloat64(at, value as number, true);
  else if (type === 'i32') view.setInt32(at, value as number, true);
  else if (type === 'i64') view.setBigInt64(at, value as bigint, true);
  else view.setUint8(at, value === true || value === 1 ? 1 : 0);
}

/** The first element that differs, or undefined; any NaN is any other, all else goes by bits. */
export function difference(dtype: DType, actual: Uint8Array, expected: Uint8Array): string | undefined {
  const type = loop.scalarTypeOf(dtype);
  const bytes = laneBytes(dtype);
  const [a, b] = [actual, expected].map((data) => new DataView(data.buffer, data.byteOffset)) as [DataView, DataView];
  for (let at = 0; at + bytes <= expected.length; at += bytes) {
    const [x, y] = [readValue(a, at, type), readValue(b, at, type)];
    if (!Object.is(x, y)) return `element ${at / bytes}: ${x}, not ${y}`;
  }
  return undefined;
}
