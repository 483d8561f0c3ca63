/** What counters of repeated steps mean for the offsets of those inside. */
import { allSteps } from '../compile/inner-steps.ts';
import type { BufferView, RepeatStep, Step } from '../contract.ts';
import { addDims, counterDim, type Dim, isKnown, mulDims, productOfDims } from '../types/dim.ts';

/** A view as far as its address goes. */
export type Address = Pick<BufferView, 'buffer' | 'offset'>;

/** What a step takes, without the steps inside it. */
export function addressesOf(step: Step): readonly Address[] {
  switch (step.kind) {
    case 'loop':
      return [...step.reads, ...step.writes];
    case 'contract':
      return [step.lhs, step.rhs, step.out];
    case 'gather':
      return [step.indices, step.source, step.out];
    case 'scatter':
      return [step.indices, step.target, step.updates];
    case 'copy':
    case 'extent':
      return [step.from, step.to];
    case 'size':
      return [step.to];
    case 'scan':
      return [...step.reads, step.write];
    case 'sort':
      return [step.from, step.values, step.indices, step.workspace];
    case 'iota':
      return [step.out];
    case 'call':
      return step.workspace === undefined ? [...step.inputs, ...step.outputs] : [...step.inputs, ...step.outputs, step.workspace];
    case 'while':
      return [step.holds];
    case 'branch':
      return [step.index];
    case 'tile':
    case 'repeat':
      return noAddresses;
  }
}

const noAddresses: readonly Address[] = Object.freeze([]);

/** Addresses that move from one iteration to the next. */
export function movingCount({ counter, steps }: RepeatStep): number {
  return allSteps(steps).reduce((count, step) => count + addressesOf(step).filter(({ offset }) => dependsOn(offset, counter)).length, 0);
}

export function dependsOn(dim: Dim, counter: string): boolean {
  return !isKnown(dim) && dim.terms.some(({ symbols }) => symbols.includes(counter));
}

/** How far an offset moves when the counter, in which it is linear, is one more. */
export function incrementOf(offset: Dim, counter: string): Dim {
  if (isKnown(offset)) return 0;
  const moving = offset.terms.filter(({ symbols }) => symbols.includes(counter));
  return sumOf(moving.map(({ coefficient, symbols }) => ({ coefficient, symbols: symbols.filter((symbol) => symbol !== counter) })));
}

/** An offset where all counters are 0. */
export function startOf(offset: Dim, counters: readonly string[]): Dim {
  if (isKnown(offset) || !counters.some((counter) => dependsOn(offset, counter))) return offset;
  return sumOf(offset.terms.filter(({ symbols }) => !symbols.some((symbol) => counters.includes(symbol))));
}

function sumOf(terms: Exclude<Dim, number>['terms']): Dim {
  return terms.reduce<Dim>((sum, { coefficient, symbols }) => addDims(sum, mulDims(coefficient, productOfDims(symbols.map(counterDim)))), 0);
}
