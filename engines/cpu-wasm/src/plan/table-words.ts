/** How long the records of a plan's steps are. */
import { allSteps, type CallStep, execution, innerSteps, type Plan, type Step } from '@tf/core';
import { branchRecord, callRecord, contractRecord, copyRecord, extentRecord, indexedRecord, iotaRecord, loopRecord, repeatRecord, sizeRecord, sortRecord, tileRecord, whileRecord } from '../codegen/record.ts';

/** The number of words does not depend on the binding. */
export function tableWords(plan: Plan): number {
  return 1 + wordsOf(plan.steps);
}

function wordsOf(steps: readonly Step[]): number {
  let words = 0;
  for (const step of steps) words += stepWords(step);
  return words;
}

/** The step whose record holds this word, of nested ones the innermost, and the way to it: positions among the steps of each. */
export interface StepPlace {
  readonly path: readonly number[];
  readonly step: Step;
}

export function stepAt(steps: readonly Step[], word: number): StepPlace | undefined {
  let begin = 0;
  for (const [at, step] of steps.entries()) {
    const end = begin + stepWords(step);
    if (word < end) {
      const within = word - begin - headerWords(step);
      const inner = within < 0 ? undefined : stepAt(innerSteps(step), within);
      return inner === undefined ? { path: [at], step } : { ...inner, path: [at, ...inner.path] };
    }
    begin = end;
  }
  return undefined;
}

/** Where the records of the calls begin, in the order of the records. */
export function callPlaces(steps: readonly Step[]): readonly { readonly step: CallStep; readonly at: number }[] {
  const places: { readonly step: CallStep; readonly at: number }[] = [];
  let at = 0;
  for (const step of allSteps(steps)) {
    if (step.kind === 'call') places.push({ step, at });
    at += headerWords(step);
  }
  return places;
}

/** Of a step and all inside it. */
export function stepWords(step: Step): number {
  return headerWords(step) + wordsOf(innerSteps(step));
}

/** Of a step without those inside it. */
export function headerWords(step: Step): number {
  switch (step.kind) {
    case 'loop':
      return loopRecord.words(step.kernel.rank, step.reads.length + step.writes.length);
    case 'contract':
      return contractRecord.words(step.batch.length);
    case 'tile':
      return tileRecord.words(execution.entryCount(step));
    case 'repeat':
      return repeatRecord.words(execution.movingCount(step));
    case 'while':
      return whileRecord.words;
    case 'branch':
      return branchRecord.words(step.branches.length);
    case 'copy':
      return copyRecord.words;
    case 'scan':
      return loopRecord.words(step.kernel.rank, step.reads.length + 1);
    case 'sort':
      return sortRecord.words(step.extents.length - 1);
    case 'iota':
      return iotaRecord.words;
    case 'call':
      return callRecord.words(step.inputs.length + step.outputs.length, step.integers.length);
    case 'size':
      return sizeRecord.words;
    case 'extent':
      return extentRecord.words;
    case 'gather':
    case 'scatter':
      return indexedRecord.words(Math.max(0, step.extents.length - 1));
  }
}
