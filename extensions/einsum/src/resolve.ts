/** An equation meets its operands: labels become numbers that have sizes. */
import { type Dim, dimText, isKnown, type Shape, type TensorType, TfError } from '@tf/core';
import { ellipsis, type Equation, type Term } from './equation.ts';

/** What is contracted, by numbered labels. */
export interface Contraction {
  /** Per operand and axis the label; an operand may have one twice. */
  readonly inputs: readonly (readonly number[])[];
  /** Distinct labels, each of some operand. */
  readonly output: readonly number[];
  /** Per label. Axes of size 1 of an operand repeat along it. */
  readonly sizes: readonly Dim[];
  /** Per label, for people. */
  readonly names: readonly string[];
}

type Types = readonly Pick<TensorType, 'shape' | 'key'>[];

/**
 * The labels of all axes and their sizes.
 *
 * @throws ArgumentError when the equation does not fit the operands' number or ranks or its output is wrong, ShapeError when sizes
 * differ.
 */
export function resolve(equation: Equation, types: Types): Contraction {
  requireCount(equation, types.length);
  const widths = types.map((type, at) => ellipsisWidth(equation, at, type));
  const width = Math.max(0, ...widths.map((own) => own ?? 0));
  const inputs = equation.inputs.map((term, at) => spelled(term, widths[at] ?? 0));
  const output = outputOf(equation, inputs, width);
  const numbers = new Map<string, number>();
  const numbered = inputs.map((labels) => labels.map((label) => {
    const known = numbers.get(label) ?? numbers.size;
    numbers.set(label, known);
    return known;
  }));
  return {
    inputs: numbered,
    output: output.map((label) => numbers.get(label) as number),
    names: [...numbers.keys()],
    sizes: sizesOf(equation, numbered, [...numbers.keys()], types),
  };
}

function wrong(equation: Equation, why: string, fields: object = {}): TfError {
  return new TfError('ArgumentError', `einsum: in ${JSON.stringify(equation.text)}, ${why}`, { op: 'einsum', argument: 'equation', equation: equation.text, ...fields });
}

function requireCount(equation: Equation, given: number): void {
  const named = equation.inputs.length;
  if (named !== given) throw new TfError('ArgumentError', `einsum: ${JSON.stringify(equation.text)} names ${named} ${named === 1 ? 'operand' : 'operands'}, ${given} ${given === 1 ? 'was' : 'were'} given. Write one term per operand, separated by commas.`, { op: 'einsum', argument: 'equation', equation: equation.text });
}

/** How many axes the ellipsis of a term stands for; undefined without one. */
function ellipsisWidth(equation: Equation, at: number, { shape, key }: Types[number]): number | undefined {
  const term = equation.inputs[at] as Term;
  const dotted = term.includes(ellipsis);
  const labels = term.length - (dotted ? 1 : 0);
  const rank = shape.length;
  if (dotted ? rank < labels : rank !== labels) {
    throw wrong(equation, `the term of operand ${at} has ${labels} ${labels === 1 ? 'label' : 'labels'}${dotted ? ' beside its ellipsis' : ''}, the operand is ${key} with ${rank} ${rank === 1 ? 'axis' : 'axes'}. Write one label per axis${dotted ? '.' : ', or "..." for the rest.'}`, { operand: at, rank });
  }
  return dotted ? rank - labels : undefined;
}

/** The axes of ellipses are aligned at the last one, which is `...1`. */
function spelled(term: Term, width: number): readonly string[] {
  return term.flatMap((label) => (label === ellipsis ? Array.from({ length: width }, (_, at) => `${ellipsis}${width - at}`) : [label]));
}

function outputOf(equation: Equation, inputs: readonly (readonly string[])[], width: number): readonly string[] {
  const all = inputs.flat();
  if (equation.output === undefined) {
    const counts = new Map<string, number>();
    for (const label of all) counts.set(label, (counts.get(label) ?? 0) + 1);
    const once = [...counts].flatMap(([label, count]) => (count === 1 && !label.startsWith(ellipsis) ? [label] : []));
    return [...spelled([ellipsis], width), ...once.sort(equation.order)];
  }
  if (width > 0 && !equation.output.includes(ellipsis)) throw wrong(equation, `the ellipsis stands for ${width} ${width === 1 ? 'axis' : 'axes'}, and the output has none. Write "..." there, or label the axes to sum over them.`);
  equation.output.forEach((label, at) => {
    if (label !== ellipsis && !all.includes(label)) throw wrong(equation, `the output label ${label} is in no operand's term. Leave it out, or label an axis with it.`, { label });
    if (equation.output?.indexOf(label) !== at) throw wrong(equation, `the output has the label ${label} twice. An axis of the result has one label of its own; for a matrix with a diagonal use diagEmbed.`, { label });
  });
  return spelled(equation.output, width);
}

/** Where a label's size was found first. */
interface Found {
  readonly size: Dim;
  readonly operand: number;
}

function sizesOf(equation: Equation, inputs: readonly (readonly number[])[], names: readonly string[], types: Types): readonly Dim[] {
  const found = new Map<number, Found>();
  inputs.forEach((labels, operand) => {
    const { shape } = types[operand] as Types[number];
    labels.forEach((label, axis) => {
      const size = shape[axis] as Dim;
      const first = labels.indexOf(label);
      if (!mayEqual(size, shape[first] as Dim)) throw sizeError(equation, names[label] as string, types, { size: shape[first] as Dim, operand }, { size, operand });
      const known = found.get(label);
      if (known === undefined || known.size === 1 || (!isKnown(known.size) && isKnown(size) && size !== 1)) found.set(label, { size, operand });
      else if (size !== 1 && !mayEqual(size, known.size)) throw sizeError(equation, names[label] as string, types, known, { size, operand });
    });
  });
  return names.map((_, label) => (found.get(label) as Found).size);
}

/** Symbolic sizes may turn out equal: that is checked when they are bound. */
function mayEqual(a: Dim, b: Dim): boolean {
  return !isKnown(a) || !isKnown(b) || a === b;
}

function sizeError(equation: Equation, name: string, types: Types, a: Found, b: Found): TfError {
  const label = name.startsWith(ellipsis) ? `axis -${name.slice(ellipsis.length)} of the ellipsis` : `label ${name}`;
  const of = ({ size, operand }: Found): string => `size ${dimText(size)} in operand ${operand} (${(types[operand] as Types[number]).key})`;
  const remedy = a.operand === b.operand ? 'Axes of one operand with the same label must be equal.' : 'Sizes must be equal or 1.';
  return new TfError('ShapeError', `einsum: in ${JSON.stringify(equation.text)}, ${label} has ${of(a)} and ${of(b)}. ${remedy}`, { op: 'einsum', label: name, equation: equation.text, sizes: [a.size, b.size], operands: [a.operand, b.operand] });
}

/** The shape of a list of labels. */
export function shapeOfLabels(labels: readonly number[], sizes: readonly Dim[]): Shape {
  return labels.map((label) => sizes[label] as Dim);
}
