/** Records of the steps that run others: their headers, and what counters mean for the addresses inside. */
import { type BranchStep, execution, type RepeatStep, type WhileStep } from '@tf/core';
import { branchRecord, builtins, repeatRecord, whileRecord } from '../codegen/record.ts';
import { counterValue, type TableWriter } from './table-writer.ts';

export function writeRepeat(table: TableWriter, step: RepeatStep, element: number): void {
  const header = table.at;
  const count = counterValue(Math.max(0, table.value(step.count)));
  const headerWords = repeatRecord.words(execution.movingCount(step));
  const entries: number[] = [];
  table.advance(headerWords);
  table.repeated({ counter: step.counter, header, entries }, step.steps);
  table.header(header, (words) => {
    table.begin(count === 0 ? builtins.nothing : element, words);
    table.put(repeatRecord.count, count);
    table.put(repeatRecord.headerBytes, 4 * headerWords);
    entries.forEach((word, i) => table.put(repeatRecord.entry(0) + i, word));
  });
}

export function writeWhile(table: TableWriter, step: WhileStep, element: number): void {
  const header = table.at;
  table.address(whileRecord.holds, step.holds);
  table.advance(whileRecord.words);
  table.steps(step.condition);
  const conditionEnd = table.at;
  table.steps(step.steps);
  table.header(header, (words) => {
    table.begin(element, words);
    table.put(whileRecord.conditionEnd, 4 * (conditionEnd - header));
  });
}

export function writeBranch(table: TableWriter, step: BranchStep, element: number): void {
  const header = table.at;
  const { branches } = step;
  table.address(branchRecord.index, step.index);
  table.advance(branchRecord.words(branches.length));
  const bounds = branches.map((steps) => {
    const begin = table.at;
    table.steps(steps);
    return begin;
  });
  [...bounds, table.at].forEach((bound, i) => (table.words[header + branchRecord.begin(i)] = 4 * (bound - header)));
  table.header(header, (words) => {
    table.begin(element, words);
    table.put(branchRecord.last, branches.length - 1);
  });
}
