/** Errors of what an einsum is made of, said of the einsum: which equation, which operand, which label. */
import { type Dim, isKnown, isTfError, type Operand, sameDim, TfError } from '@tf/core';
import type { Labels } from './operations.ts';
import type { Contraction } from './resolve.ts';

/** What was called, for errors. */
export interface Called {
  /** As it was written. */
  readonly text: string;
  readonly contraction: Contraction;
  readonly operands: readonly Operand[];
}

/**
 * The error to throw on for one of an operation on these tensors: operands, by their place, or results of contractions, which count on
 * after them. What is not about operands passes as it is.
 */
export function faultOf(called: Called, tensors: readonly number[], thrown: unknown): unknown {
  if (!isTfError(thrown) || thrown.kind !== 'user' || thrown.fields.op === undefined || thrown.fields.op === 'einsum') return thrown;
  const { op, argument } = thrown.fields;
  const named = tensors[Number(/\d+$/.exec(argument ?? '')?.[0] ?? NaN)];
  const operand = [named, ...tensors].find((at) => at !== undefined && at < called.operands.length);
  const said = thrown.message.replace(`${op}: `, '').replace(/^(argument|operand) \d+(: |, )/, '');
  const isNamed = argument !== undefined && operand !== undefined;
  const what = isNamed ? `${operandText(called, operand)}: ` : '';
  const fields = !isNamed ? {} : { argument: `operand ${operand}`, operand, labels: labelsOf(called, operand) };
  return new TfError(thrown.name as ConstructorParameters<typeof TfError>[0], `einsum: in ${JSON.stringify(called.text)}, ${what}${said}`, { ...thrown.fields, ...fields, op: 'einsum', equation: called.text }, { cause: thrown });
}

function labelsOf({ contraction: { inputs, names } }: Called, operand: number): readonly string[] {
  return (inputs[operand] as Labels).map((label) => names[label] as string);
}

function operandText(called: Called, operand: number): string {
  const labels = labelsOf(called, operand);
  return `operand ${operand}${labels.length === 0 ? '' : ` with the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(labels.every((name) => /^\p{L}$/u.test(name)) ? '' : ' ')}`}`;
}

/** Where a label has sizes that are only known to be equal when they are bound: what the error would say then; undefined where they are known. */
export function undecidedLabel({ text, contraction: { inputs, names }, operands }: Called, label: number): string | undefined {
  const held: { readonly size: Dim; readonly text: string }[] = [];
  inputs.forEach((labels, operand) => labels.forEach((own, axis) => {
    const { shape, key } = (operands[operand] as Operand).type;
    const size = shape[axis] as Dim;
    if (own === label && size !== 1) held.push({ size, text: `axis ${axis} of operand ${operand} (${key})` });
  }));
  const [first] = held;
  if (first === undefined || held.every(({ size }) => (isKnown(size) && isKnown(first.size)) || sameDim(size, first.size))) return undefined;
  return `einsum: in ${JSON.stringify(text)}, label ${names[label]}, ${held.map((one) => one.text).join(' and ')}`;
}
