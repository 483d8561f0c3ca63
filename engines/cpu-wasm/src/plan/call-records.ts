/** Records of calls: what a WASM kernel gets stands in them as it gets it. */
import { type CallStep, type Dim, dimText, dtypes, execution, TfError } from '@tf/core';
import { addressLimit } from '../memory/heap.ts';
import { builtins, callRecord } from '../codegen/record.ts';
import type { TableWriter } from './table-writer.ts';

export function writeCall(table: TableWriter, step: CallStep, element: number): void {
  const { inputs, outputs, workspace, integers } = step;
  const operands = [...inputs, ...outputs];
  const [count, further] = [operands.length, integers.length];
  const elements = operands.map(({ elements: of, dtype }) => elementsOf(table, of, dtypes[dtype].bytes));
  const isEmpty = elements.slice(inputs.length).every((of) => of === 0);
  table.begin(isEmpty ? builtins.nothing : element, callRecord.words(count, further));
  table.put(callRecord.site, table.nextSite());
  operands.forEach((operand, i) => table.address(callRecord.operand(i), operand));
  if (workspace !== undefined) table.address(callRecord.workspace(count), workspace);
  integers.forEach((integer, i) => table.put(callRecord.integer(count, i), integerValue(table, step, integer)));
  elements.forEach((of, i) => table.put(callRecord.elements(count, further, i), of));
  table.put(callRecord.elements(count, further, count), workspace === undefined ? 0 : elementsOf(table, workspace.elements, 1));
  table.advance(callRecord.words(count, further));
}

function elementsOf(table: TableWriter, elements: Dim, bytes: number): number {
  const count = table.value(elements);
  execution.byteCount(count, bytes, elements, addressLimit);
  return count;
}

function integerValue(table: TableWriter, { symbol }: CallStep, dim: Dim): number {
  const value = table.value(dim);
  if (Math.abs(value) < 2 ** 31) return value;
  throw new TfError('TooLargeError', `cpu-wasm: ${symbol} takes ${dimText(dim)}, which is ${value}; an int32 cannot hold it. Work in smaller batches.`, { engine: 'cpu-wasm', op: symbol, requested: value, maximum: 2 ** 31 - 1 });
}
