/** What the operations of this family share: their definition, and labels in canonical form. */
import { type ConstraintSink, type Operation, type Params, type Rule, type TensorType, TfError, type Var } from '@tf/core';
import { einsumVersion } from './version.ts';

export const einsumFamily = 'tf.einsum.v1';

/** An operation with its rule. */
export interface FamilyOperation {
  readonly operation: Operation;
  readonly rule: Rule;
}

export interface OperationDefinition {
  readonly name: string;
  readonly inputs: 1 | 2;
  readonly infer: (inputs: readonly TensorType[], params: Params, sink: ConstraintSink, op: string) => TensorType;
  readonly traits?: Operation['traits'];
  readonly lower?: (inputs: readonly Var[], params: Params) => Var;
  readonly rule: Rule;
}

/** An operation of one result. */
export function defineOperation({ name, inputs: count, infer, traits = {}, lower, rule }: OperationDefinition): FamilyOperation {
  const id = `${einsumFamily}.${name}`;
  const operation: Operation = {
    id,
    family: einsumFamily,
    package: '@tf/einsum',
    version: einsumVersion,
    name,
    infer(inputs, params, sink) {
      if (inputs.length !== count) throw new TfError('ArgumentError', `${id}: takes ${count} ${count === 1 ? 'operand' : 'operands'}, got ${inputs.length}.`, { op: id });
      return [infer(inputs, params, sink, id)];
    },
    traits: Object.freeze(traits),
    ...(lower === undefined ? {} : { lower: (inputs: readonly Var[], params: Params) => [lower(inputs, params)] }),
  };
  return Object.freeze({ operation: Object.freeze(operation), rule: Object.freeze(rule) });
}

export type Labels = readonly number[];

/** Labels of a contraction's axes; a label of `lhs` or `rhs` that `out` lacks is in both, and summed over. */
export interface ContractLabels {
  readonly lhs: Labels;
  readonly rhs: Labels;
  readonly out: Labels;
  /** By label: what an error about its sizes says of it, where they may turn out to differ; empty for all others. */
  readonly said?: readonly string[];
}

/** Labels whose sizes may turn out to differ, and what an error says of each. */
export type Said = (label: number) => string | undefined;

/** The texts of labels, by their new numbers; nothing where there is none, so that equal structures have equal parameters. */
export function saidOf(given: Labels, renumbered: Labels, said: Said | undefined): Pick<ContractLabels, 'said'> {
  if (said === undefined) return {};
  const texts: string[] = Array.from({ length: Math.max(-1, ...renumbered) + 1 }, () => '');
  given.forEach((label, at) => {
    texts[renumbered[at] as number] = said(label) ?? '';
  });
  return texts.some((text) => text !== '') ? { said: texts } : {};
}

/** The same labels numbered in the order of their first appearance: equal structures have equal parameters. */
export function canonical<T extends readonly Labels[]>(...lists: T): T {
  const numbers = new Map<number, number>();
  return lists.map((labels) => labels.map((label) => {
    const known = numbers.get(label) ?? numbers.size;
    numbers.set(label, known);
    return known;
  })) as unknown as T;
}

/** Labels as letters, for messages: a, b, … z, then numbers. */
export function labelText(labels: Labels): string {
  return labels.map((label) => (label < 26 ? String.fromCharCode(97 + label) : `(${label})`)).join('');
}

/** Labels without repetition, in order. */
export function distinct(labels: Labels): Labels {
  return [...new Set(labels)];
}

export function isSame(a: Labels, b: Labels): boolean {
  return a.length === b.length && a.every((label, at) => label === b[at]);
}
