/** Equations as text and as lists: which label each axis has. */
import { TfError } from '@tf/core';

/** What stands for all axes that have no label. */
export const ellipsis = '...';

/** Labels in the order of the axes; {@link ellipsis} at most once. */
export type Term = readonly string[];

export interface Equation {
  /** As it was written, or as the list form would be written: for messages. */
  readonly text: string;
  readonly inputs: readonly Term[];
  /** Undefined: labels that occur once, in order, after the axes of the ellipsis. */
  readonly output: Term | undefined;
  /** The order of labels in an output that is not written. */
  readonly order: (a: string, b: string) => number;
}

function wrong(text: string, why: string, remedy: string): TfError {
  return new TfError('ArgumentError', `einsum: the equation ${JSON.stringify(text)} ${why}. ${remedy}`, { op: 'einsum', argument: 'equation', equation: text });
}

/**
 * Reads `ij,jk->ik`: labels are letters of any alphabet, terms are separated by commas, white space means nothing, `...` stands for
 * the axes that have no label.
 */
export function parseEquation(text: string): Equation {
  const arrow = text.indexOf('->');
  const left = arrow < 0 ? text : text.slice(0, arrow);
  const right = arrow < 0 ? undefined : text.slice(arrow + 2);
  if (right?.includes('->') === true) throw wrong(text, 'has two arrows', 'Write one output after one "->", or none.');
  if (right?.includes(',') === true) throw wrong(text, 'has a comma after the arrow', 'There is one output: its labels follow each other.');
  const inputs = left.split(',').map((term) => parseTerm(text, term));
  const output = right === undefined ? undefined : parseTerm(text, right);
  return { text, inputs, output, order: byCodePoint };
}

/** Capital letters come before small ones, as in NumPy. */
function byCodePoint(a: string, b: string): number {
  return (a.codePointAt(0) as number) - (b.codePointAt(0) as number);
}

const letter = /^\p{L}$/u;

function parseTerm(text: string, term: string): Term {
  const labels: string[] = [];
  const characters = [...term];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (/\s/.test(character)) continue;
    if (character === '.') {
      if (characters[at + 1] !== '.' || characters[at + 2] !== '.') throw wrong(text, 'has a "." that belongs to no "..."', 'An ellipsis is three dots in a row.');
      if (labels.includes(ellipsis)) throw wrong(text, `has two ellipses in the term ${JSON.stringify(term.trim())}`, 'Write one; it takes all axes that have no label.');
      labels.push(ellipsis);
      at += 2;
    } else if (letter.test(character)) labels.push(character);
    else throw wrong(text, `has the character ${JSON.stringify(character)}`, character === '-' || character === '>' ? 'The output follows an arrow written "->".' : 'Labels are letters; beyond letters, use the list form: einsum(a, [0, 1], b, [1, 2], [0, 2]).');
  }
  return labels;
}

/** An axis in the list form: a label, which is an integer from 0, or `...`. */
export type ListedLabel = number | typeof ellipsis;

/** The equation of the list form, whose labels are integers. */
export function listedEquation(inputs: readonly (readonly ListedLabel[])[], output: readonly ListedLabel[] | undefined): Equation {
  const term = (labels: readonly ListedLabel[]): string => `[${labels.join(' ')}]`;
  const text = `${inputs.map(term).join(',')}${output === undefined ? '' : `->${term(output)}`}`;
  const checked = (labels: readonly ListedLabel[], what: string): Term => {
    labels.forEach((label) => {
      if (label !== ellipsis && (!Number.isSafeInteger(label) || label < 0)) throw new TfError('ArgumentError', `einsum: ${what} has the label ${JSON.stringify(label)}. In the list form labels are integers from 0, and "..." is the ellipsis.`, { op: 'einsum', argument: what });
    });
    if (labels.indexOf(ellipsis) !== labels.lastIndexOf(ellipsis)) throw new TfError('ArgumentError', `einsum: ${what} has two ellipses. Write one; it takes all axes that have no label.`, { op: 'einsum', argument: what });
    return labels.map(String);
  };
  return {
    text,
    inputs: inputs.map((labels, at) => checked(labels, `the list of operand ${at}`)),
    output: output === undefined ? undefined : checked(output, 'the output list'),
    order: (a, b) => Number(a) - Number(b),
  };
}
