/** Records of the steps that are neither loops nor hold other steps. */
import { type ContractStep, type CopyStep, dimText, dtypes, execution, type GatherStep, type IotaStep, type ScanStep, type ScatterStep, type SizeStep, type SortStep, TfError } from '@tf/core';
import { addressLimit } from '../memory/heap.ts';
import { builtins, contractRecord, copyRecord, indexedRecord, iotaRecord, loopRecord, sizeRecord, sortRecord } from '../codegen/record.ts';
import { counterValue, type TableWriter } from './table-writer.ts';

export function writeContract(table: TableWriter, step: ContractStep, element: number): void {
  const record = contractRecord;
  const rank = step.batch.length;
  const [lhs, rhs, out] = [step.lhs, step.rhs, step.out].map((view) => table.strides(view, rank + 2)) as [number[], number[], number[]];
  const axes = execution.mergeAxes(step.batch.map((extent, axis): execution.Axis => ({ extent: table.value(extent), strides: [lhs[axis]!, rhs[axis]!, out[axis]!] })), false);
  const sizes = [step.m, step.n, step.k].map((dim) => counterValue(table.value(dim)));
  const isEmpty = sizes[0] === 0 || sizes[1] === 0 || axes.some(({ extent }) => extent === 0);
  table.begin(isEmpty ? builtins.nothing : element, record.words(rank));
  [record.m, record.n, record.k].forEach((word, i) => table.put(word, sizes[i]!));
  [record.lhsM, record.lhsK].forEach((word, i) => table.put(word, lhs[rank + i]!));
  [record.rhsK, record.rhsN].forEach((word, i) => table.put(word, rhs[rank + i]!));
  [record.outM, record.outN].forEach((word, i) => table.put(word, out[rank + i]!));
  table.address(record.lhs, step.lhs);
  table.address(record.rhs, step.rhs);
  table.address(record.out, step.out);
  // The workspace is no buffer of the plan: it takes the number after the last one.
  table.fixed.add(table.at + record.workspace, table.plan.buffers.length, 0);
  table.odometer(record, axes, axes.length);
  table.advance(record.words(rank));
}

export function writeIndexed(table: TableWriter, step: GatherStep | ScatterStep, element: number): void {
  const record = indexedRecord;
  const [indexed, other] = step.kind === 'gather' ? [step.source, step.out] : [step.target, step.updates];
  const views = [step.indices, indexed, other];
  const rank = step.extents.length;
  const strides = views.map((view) => table.strides(view, rank));
  const all = step.extents.map((extent, axis): execution.Axis => ({ extent: table.value(extent), strides: strides.map((of) => of[axis]!) }));
  const axes = execution.padAxes(execution.mergeAxes(all, true), Math.max(1, rank), 3);
  const isEmpty = all.some(({ extent }) => extent === 0);
  table.begin(isEmpty ? builtins.nothing : element, record.words(Math.max(0, rank - 1)));
  table.put(record.rows, counterValue(table.value(step.rows)));
  table.put(record.rowStride, table.value(step.rowStride) * dtypes[step.dtype].bytes);
  const inner = axes.at(-1)!;
  table.put(record.innerExtent, counterValue(inner.extent));
  views.forEach((view, operand) => {
    table.address(record.address(operand), view);
    table.put(record.innerStride(operand), inner.strides[operand]!);
  });
  table.odometer(record, axes, axes.length - 1);
  table.advance(record.words(Math.max(0, rank - 1)));
}

/** As a loop's record, but that deltas of the scanned axis and of one inside it are strides. */
export function writeScan(table: TableWriter, { kernel, extents, reads, write }: ScanStep, element: number): void {
  const { rank, columns } = kernel;
  const views = [...reads, write];
  const strides = views.map((view) => table.strides(view, rank));
  const axes = extents.map((extent, axis): execution.Axis => ({ extent: table.value(extent), strides: strides.map((of) => of[axis]!) }));
  const outer = axes.slice(0, columns ? rank - 2 : rank - 1);
  table.begin(axes.some(({ extent }) => extent === 0) ? builtins.nothing : element, loopRecord.words(rank, views.length));
  axes.forEach(({ extent }, axis) => table.put(loopRecord.extent(axis), counterValue(extent)));
  views.forEach((view, operand) => {
    table.address(loopRecord.address(rank, operand), view);
    axes.forEach((own, axis) => table.put(loopRecord.delta(rank, operand, axis), axis < outer.length ? execution.deltaOf(outer, axis, operand) : own.strides[operand]!));
  });
  table.advance(loopRecord.words(rank, views.length));
}

export function writeSort(table: TableWriter, step: SortStep, element: number): void {
  const record = sortRecord;
  const views = [step.from, step.values, step.indices];
  const rank = step.extents.length;
  const strides = views.map((view) => table.strides(view, rank));
  const extents = step.extents.map(table.value);
  const axes = execution.mergeAxes(extents.slice(0, -1).map((extent, axis): execution.Axis => ({ extent, strides: strides.map((of) => of[axis]!) })), false);
  table.begin(extents.includes(0) ? builtins.nothing : element, record.words(rank - 1));
  views.forEach((view, operand) => {
    table.address(record.address(operand), view);
    table.put(record.stride(operand), strides[operand]![rank - 1]!);
  });
  table.address(record.workspace, step.workspace);
  table.put(record.count, counterValue(extents[rank - 1]!));
  table.put(record.flip, step.descending ? -1 : 0);
  table.odometer(record, axes, axes.length);
  table.advance(record.words(rank - 1));
}

export function writeCopy(table: TableWriter, step: CopyStep): void {
  const bytes = execution.byteCount(table.value(step.elements), dtypes[step.dtype].bytes, step.elements, addressLimit);
  table.begin(bytes === 0 ? builtins.nothing : builtins.copy, copyRecord.words);
  table.address(copyRecord.from, step.from);
  table.address(copyRecord.to, step.to);
  table.put(copyRecord.bytes, bytes);
  table.advance(copyRecord.words);
}

export function writeIota(table: TableWriter, step: IotaStep, element: number): void {
  const elements = table.value(step.elements);
  table.begin(elements === 0 ? builtins.nothing : element, iotaRecord.words);
  table.address(iotaRecord.out, step.out);
  table.put(iotaRecord.elements, counterValue(elements));
  table.advance(iotaRecord.words);
}

export function writeSize(table: TableWriter, step: SizeStep): void {
  const value = table.value(step.value);
  if (value >= 2 ** 31) throw new TfError('TooLargeError', `cpu-wasm: ${dimText(step.value)} is ${value}, which an int32 cannot hold. Take the extents of single axes and multiply them in float64.`, { engine: 'cpu-wasm', requested: value, maximum: 2 ** 31 - 1 });
  table.begin(builtins.copy, sizeRecord.words);
  // The table is no buffer of the plan: it takes the second number after the last one.
  table.fixed.add(table.at + sizeRecord.from, table.plan.buffers.length + 1, 4 * (table.at + sizeRecord.value));
  table.address(sizeRecord.to, step.to);
  table.put(sizeRecord.bytes, 4);
  table.put(sizeRecord.value, value);
  table.advance(sizeRecord.words);
}
