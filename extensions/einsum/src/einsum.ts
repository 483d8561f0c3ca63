import { checkOptions, chooseListener, isOperand, type JoinDTypes, type JoinKinds, type Of, type Operand, requireOperand, TfError } from '@tf/core';
import { ellipsis, type Equation, type ListedLabel, listedEquation, parseEquation } from './equation.ts';
import type { CheckedEquation, ListedOperands } from './equation-types.ts';
import { emit } from './emit.ts';
import { type EinsumOptions, optionChecks } from './options.ts';
import { type EinsumPlan, planEinsum } from './plan.ts';

/** What an einsum of these tensors gives. */
export type Contracted<T extends readonly Operand[]> = Of<JoinKinds<T>, JoinDTypes<T>>;

/**
 * The sum of products that an equation says (Einstein's convention, NumPy's `einsum`): every axis of every operand has a label,
 * axes with the same label run together, labels that the output lacks are summed over. Without `->` the output has the labels that
 * occur once, in alphabetical order; `...` stands for axes without a label, which broadcast; a label twice in one operand is its
 * diagonal; axes of size 1 are repeated. Operands take their common dtype; of booleans, products are `and` and sums are `or`.
 *
 * Many operands are contracted two at a time, in an order that takes few operations; `einsum(equation, [a, b, c], options)` says
 * more about it. Labels beyond letters: `einsum(a, [0, 1], b, [1, 2], [0, 2])`, a list of integers after each operand, and one for
 * the output. Derivatives and `vmap` need {@link einsumExtension} in the catalog.
 *
 * @throws ArgumentError when the equation is malformed or does not fit the operands' number and ranks, ShapeError when axes with one
 * label differ in size and neither is 1; both name the label, the sizes and the operands.
 * @example
 * import { einsum } from '@tf/einsum';
 * import { Builder, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const a = builder.input(tensorType('float64', [2, 3]), 'a');
 * const b = builder.input(tensorType('float64', [3, 4]), 'b');
 * if (einsum('ij,jk->ki', a, b).type.key !== 'f64[4, 2]') throw new Error('unexpected');
 */
export function einsum<const E extends string, const T extends readonly Operand[]>(equation: CheckedEquation<E, T>, ...operands: T): Contracted<T>;
export function einsum<const E extends string, const T extends readonly Operand[]>(equation: CheckedEquation<E, T>, operands: readonly [...T], options?: EinsumOptions): Contracted<T>;
export function einsum<const T extends readonly (Operand | readonly ListedLabel[])[]>(...listed: T): Contracted<ListedOperands<T>>;
export function einsum(...args: readonly unknown[]): Operand {
  const { equation, operands, options } = readArguments('einsum', args);
  const listener = chooseListener('einsum', operands);
  const make = (): EinsumPlan => planEinsum(equation(), operands.map(({ type }) => type), options);
  return emit(listener.memo === undefined ? make() : listener.memo(`einsum ${keyOf(args, operands, options)}`, make), operands);
}

interface Arguments {
  /** Read only where there is no plan yet. */
  readonly equation: () => Equation;
  readonly operands: readonly Operand[];
  readonly options: EinsumOptions;
}

/** The three ways to write an einsum. */
export function readArguments(op: string, args: readonly unknown[]): Arguments {
  const [first, second, third] = args;
  if (typeof first !== 'string') return readListed(op, args);
  const isList = Array.isArray(second);
  const operands: readonly unknown[] = isList ? second : args.slice(1);
  if (isList && args.length > 3) throw new TfError('ArgumentError', `${op}: takes an equation, a list of operands and options, got ${args.length} arguments.`, { op });
  operands.forEach((operand, at) => requireOperand(op, `operand ${at} of ${JSON.stringify(first)}`, operand));
  if (operands.length === 0) throw new TfError('ArgumentError', `${op}: ${JSON.stringify(first)} has no operands. Give one tensor per term.`, { op });
  const options = isList ? ((third === undefined ? {} : third) as EinsumOptions) : {};
  checkOptions(op, options, optionChecks, `${op}('ij,jk->ik', [a, b], { path: 'optimal' })`);
  return { equation: () => parseEquation(first), operands: operands as readonly Operand[], options };
}

/** a, [0, 1], b, [1, 2], [0, 2]: operands and their labels, and the output's. */
function readListed(op: string, args: readonly unknown[]): Arguments {
  const operands: Operand[] = [];
  const labels: (readonly ListedLabel[])[] = [];
  let at = 0;
  for (; at < args.length && isOperand(args[at]); at += 2) {
    operands.push(args[at] as Operand);
    labels.push(requireLabels(op, args[at + 1], `the list after operand ${operands.length - 1}`));
  }
  if (operands.length === 0 || at < args.length - 1) throw new TfError('ArgumentError', `${op}: begin with an equation, or write operands with their labels: ${op}('ij,jk->ik', a, b) or ${op}(a, [0, 1], b, [1, 2], [0, 2]).`, { op });
  const output = at < args.length ? requireLabels(op, args[at], 'the output list') : undefined;
  return { equation: () => listedEquation(labels, output), operands, options: {} };
}

function requireLabels(op: string, value: unknown, what: string): readonly ListedLabel[] {
  if (Array.isArray(value) && value.every((label) => typeof label === 'number' || label === ellipsis)) return value as readonly ListedLabel[];
  throw new TfError('ArgumentError', `${op}: ${what} must be a list of integers, such as [0, 1], and "..." for the ellipsis.`, { op, argument: what });
}

/** Everything that a plan depends on. */
function keyOf(args: readonly unknown[], operands: readonly Operand[], options: EinsumOptions): string {
  const written = typeof args[0] === 'string' ? JSON.stringify(args[0]) : JSON.stringify(args.filter((argument) => !isOperand(argument)));
  return `${written} ${operands.map(({ type }) => type.key).join(' ')} ${JSON.stringify(options)}`;
}
