import { type Combine, type DType, type IndexedAxes, type IndexSource, rowError, type ScatterAxes, type TensorType } from '@tf/core';
import { copyInto } from './instructions.ts';
import { extentsOf, type HostValue, zerosOf } from '../values.ts';
import { type Element, loadElement, monoidCombine, ringOf, storeElement } from './elements.ts';
import type { Arithmetic } from './scalars.ts';
import { rowMajor, walk } from './walk.ts';

/** The row that an index names; negative ones count from the end. */
export function rowOf(kind: 'gather' | 'scatter', index: number, rows: number, source?: IndexSource): number {
  if (index >= -rows && index < rows) return index < 0 ? index + rows : index;
  throw rowError(kind, index, rows, source);
}

/** Visits the iteration axes with the places of the indexed element and of the other operand's. */
function visit(kind: 'gather' | 'scatter', map: IndexedAxes, indexed: HostValue, indices: HostValue, extents: readonly number[], each: (at: number, other: number) => void): void {
  const shape = extentsOf(indexed);
  const [own, ofIndices] = [rowMajor(shape), rowMajor(extentsOf(indices))];
  const along = (strides: readonly number[], axes: readonly (number | null)[]): readonly number[] => axes.map((axis) => (axis === null ? 0 : (strides[axis] as number)));
  const rows = shape[map.axis] as number;
  walk(extents, [along(own, map.walks), along(ofIndices, map.indexedBy), rowMajor(extents)], [0, 0, 0], ([at, index, other]) => {
    each((at as number) + rowOf(kind, Number(indices.data[index as number]), rows, map.named) * (own[map.axis] as number), other as number);
  });
}

export function runGather(map: IndexedAxes, [source, indices]: readonly [HostValue, HostValue], type: TensorType): HostValue {
  const output = zerosOf(type);
  visit('gather', map, source, indices, extentsOf(output), (from, to) => storeElement(type.dtype, output.data, to, loadElement(type.dtype, source.data, from)));
  return output;
}

/** The second input added to a box of the first. */
export function runBoxAdd({ start, step }: { readonly start: readonly number[]; readonly step: readonly number[] }, [target, updates]: readonly [HostValue, HostValue], type: TensorType, arithmetic: Arithmetic): HostValue {
  const output = zerosOf(type);
  const { dtype } = type;
  const { add } = ringOf(dtype, arithmetic);
  copyInto(output.data, target.data);
  const write = rowMajor(extentsOf(output));
  const offset = start.reduce((sum, index, axis) => sum + index * (write[axis] as number), 0);
  walk(extentsOf(updates), [rowMajor(extentsOf(updates)), write.map((stride, axis) => stride * (step[axis] as number))], [0, offset], ([from, at]) => {
    storeElement(dtype, output.data, at as number, add(loadElement(dtype, output.data, at as number), loadElement(dtype, updates.data, from as number)));
  });
  return output;
}

/** Updates meet their elements one after the other, in row-major order; each addition rounds to the dtype. */
export function runScatter(map: ScatterAxes, [target, indices, updates]: readonly [HostValue, HostValue, HostValue], type: TensorType, arithmetic: Arithmetic): HostValue {
  const output = zerosOf(type);
  const { dtype } = type;
  const combined = combineOf(map.combine, dtype, arithmetic);
  copyInto(output.data, target.data);
  visit('scatter', map, output, indices, extentsOf(updates), (at, from) => storeElement(dtype, output.data, at, combined(loadElement(dtype, output.data, at), loadElement(dtype, updates.data, from))));
  return output;
}

/** What an element and an update become. */
export function combineOf(combine: Combine, dtype: DType, arithmetic: Arithmetic): (element: Element, update: Element) => Element {
  if (combine === 'set') return (_element, update) => update;
  return monoidCombine(combine === 'add' ? 'sum' : combine, dtype, arithmetic);
}
