import type { Recipe } from './recipe.ts';
import { releaseRecord, type ValueRecord } from './value.ts';

/**
 * Where a tracked leaf's gradient accumulates. It refers to neither tensor nor runtime: traces hold it, so that backward
 * finds it by walking from the loss.
 */
export class GradientSlot {
  record: ValueRecord | undefined = undefined;
  /** The runtime's epoch in which `record` was written: clearing all gradients makes a new epoch. */
  epoch = 0;
  /** When it was made: nothing older depends on its variable. */
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/**
 * One recorded operation, or a leaf (no recipe). It holds the producers of its active inputs and, of all values, only
 * those that its derivative reads.
 */
export class TraceNode {
  readonly recipe: Recipe | undefined;
  /** Producers of the active inputs, in order. */
  readonly inputs: readonly TraceValue[];
  /** The residuals in the recipe's order; a leaf's own value. */
  retained: readonly ValueRecord[];
  /** When it was recorded: reverse goes through nodes in descending order of this number (contracts.md §3.5). */
  readonly number: number;
  /** Where gradients of its outputs accumulate: a leaf's, or those of tensors that retain theirs. */
  slots: readonly (GradientSlot | undefined)[] | undefined;
  /** Tensors, variables and consumers that hold on to it. */
  holders = 0;
  /** Marks of the walk in progress. */
  visit = 0;
  position = 0;

  constructor(recipe: Recipe | undefined, inputs: readonly TraceValue[], retained: readonly ValueRecord[], number: number, slots: readonly (GradientSlot | undefined)[] | undefined) {
    this.recipe = recipe;
    this.inputs = inputs;
    this.retained = retained;
    this.number = number;
    this.slots = slots;
  }
}

/** An output of a node. */
export class TraceValue {
  readonly node: TraceNode;
  readonly index: number;

  constructor(node: TraceNode, index: number) {
    this.node = node;
    this.index = index;
  }
}

const noInputs: readonly TraceValue[] = [];

/** A leaf that the caller holds: of a variable with its slot, of a constant without one. */
export function leafValue(record: ValueRecord, slot: GradientSlot | undefined, number: number): TraceValue {
  record.holders++;
  const node = new TraceNode(undefined, noInputs, [record], number, slot === undefined ? undefined : [slot]);
  node.holders = 1;
  return new TraceValue(node, 0);
}

/**
 * Lets go of a node; one that nobody holds any more gives back its residuals and lets go of its producers. Nodes whose
 * holders vanish without saying so are left to the garbage collector.
 */
export function releaseNode(node: TraceNode): void {
  if (--node.holders > 0) return;
  const dead = [node];
  for (let next = dead.pop(); next !== undefined; next = dead.pop()) {
    for (const record of next.retained) releaseRecord(record);
    next.retained = [];
    for (const input of next.inputs) if (--input.node.holders === 0) dead.push(input.node);
  }
}
