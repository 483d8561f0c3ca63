import { checkOptions, type Dim, isDim, isKnown, isOperand, type Operand, type Shape, shapeText, TfError } from '@tf/core';
import { type Equation, parseEquation } from './equation.ts';
import type { CheckedEquation } from './equation-types.ts';
import { type EinsumOptions, optionChecks } from './options.ts';
import { listOfPath } from './path/explicit.ts';
import { costOf, countOf, flopsOf, type Pair, type Step } from './path/network.ts';
import { sliceNetwork } from './path/slicing.ts';
import type { OperandType } from './peak.ts';
import { type EinsumPlan, planEinsum } from './plan.ts';

/** An operand, or the shape of one. */
export type OperandOrShape = Operand | Shape;

export interface PathStep {
  /** Places in the list of tensors that are left, as in `path`. */
  readonly pair: Pair;
  /** The contraction, e.g. `ij,jk->ik`. */
  readonly equation: string;
  /** How many labels it goes through. */
  readonly scaling: number;
  readonly flops: number;
  /** Elements of its result. */
  readonly elements: number;
}

/** The order in which an einsum contracts its operands, and what it costs; {@link toString} prints it. */
export interface ContractionPath {
  readonly equation: string;
  /** In NumPy's form: `einsum(…, { path })` takes it. */
  readonly path: readonly Pair[];
  readonly steps: readonly PathStep[];
  /** Multiplications and additions of all steps, loops included. */
  readonly flops: number;
  /** The same when all operands were multiplied at once. */
  readonly naiveFlops: number;
  /** The most labels that a step goes through. */
  readonly scaling: number;
  /** Elements of the largest result of a step, the last one's apart. */
  readonly largestIntermediate: number;
  /** Bytes of intermediate results at a time, at most. */
  readonly peakBytes: number;
  /** Labels that loops go through to stay within `memoryLimit`, and how often all is done. */
  readonly sliced: readonly string[];
  readonly iterations: number;
  toString(): string;
}

/**
 * The order in which `einsum` contracts operands of these shapes, without doing it. Symbolic extents count as `options.sizes` says.
 * Literal equations are checked by the compiler, as there.
 *
 * @throws what einsum throws.
 * @example
 * import { contractionPath } from '@tf/einsum';
 * const path = contractionPath('ij,jk,kl->il', [[2, 300], [300, 300], [300, 4]]);
 * if (path.flops !== 364800 || path.scaling !== 3) throw new Error('unexpected');
 */
export function contractionPath<const E extends string, const T extends readonly OperandOrShape[]>(equation: CheckedEquation<E, T>, operands: readonly [...T], options?: EinsumOptions): ContractionPath;
export function contractionPath(equation: string, operands: readonly OperandOrShape[], options: EinsumOptions = {}): ContractionPath {
  const op = 'contractionPath';
  if (typeof equation !== 'string') throw new TfError('ArgumentError', `${op}: the equation must be a text, such as 'ij,jk->ik'.`, { op, argument: 'equation' });
  if (!Array.isArray(operands) || operands.length === 0) throw new TfError('ArgumentError', `${op}: operands must be a list of tensors or shapes: ${op}('ij,jk->ik', [[2, 3], [3, 4]]).`, { op, argument: 'operands' });
  checkOptions(op, options, optionChecks, `${op}(equation, operands, { path: 'optimal' })`);
  const types = operands.map((operand, at) => typeOf(op, operand, at));
  const parsed = parseEquation(equation);
  return describePath(parsed, planEinsum(parsed, types, options));
}

function typeOf(op: string, operand: OperandOrShape, at: number): OperandType {
  if (isOperand(operand)) return operand.type;
  if (Array.isArray(operand)) requireSizesOf(op, operand, at);
  if (Array.isArray(operand)) return { shape: operand as Shape, key: shapeText(operand as readonly Dim[]), dtype: 'float64' };
  throw new TfError('ArgumentError', `${op}: operand ${at} is neither a tensor nor a shape. Write shapes as lists: [2, 3].`, { op, argument: `operand ${at}` });
}

function requireSizesOf(op: string, shape: readonly unknown[], at: number): void {
  const argument = `operand ${at}`;
  shape.forEach((dim, axis) => {
    if (typeof dim === 'string') throw new TfError('ArgumentError', `${op}: axis ${axis} of ${argument} is the text ${JSON.stringify(dim)}. An extent that is not known is symbolicDim(${JSON.stringify(dim)}).`, { op, argument });
    if (!isDim(dim)) throw new TfError('ArgumentError', `${op}: ${argument} is neither a tensor nor a shape. Write shapes as lists: [2, 3].`, { op, argument });
    if (isKnown(dim) && (!Number.isSafeInteger(dim) || dim < 0)) throw new TfError('ShapeError', `${op}: axis ${axis} of ${argument} has the size ${dim}. Sizes are non-negative integers.`, { op, argument });
  });
}

function describePath({ text }: Equation, plan: EinsumPlan): ContractionPath {
  const { network, path, sliced, contraction } = plan;
  const { sizes } = network;
  const inner = sliceNetwork(network, sliced);
  const iterations = countOf(sliced, sizes);
  const listed = listOfPath(path, network.tensors.length);
  const letters = lettersOf(contraction.names);
  const spell = (labels: readonly number[]): string => labels.map((label) => letters[label]).join('');
  const steps = plan.steps.map((step: Step, at): PathStep => ({
    pair: listed[at] as Pair,
    equation: `${spell(step.lhs)},${spell(step.rhs)}->${spell(step.out)}`,
    scaling: new Set([...step.lhs, ...step.rhs]).size,
    flops: flopsOf(step, sizes),
    elements: countOf(step.out, sizes),
  }));
  const { flops, largest } = costOf(inner, path);
  const all = [...new Set(contraction.inputs.flat())];
  const summed = all.length > contraction.output.length;
  const described = {
    equation: text,
    path: listed,
    steps,
    flops: flops * iterations,
    naiveFlops: countOf(all, sizes) * (Math.max(1, contraction.inputs.length - 1) + (summed ? 1 : 0)),
    scaling: Math.max(0, ...steps.map(({ scaling }) => scaling)),
    largestIntermediate: largest,
    peakBytes: plan.peakBytes(),
    sliced: sliced.map((label) => letters[label] as string),
    iterations,
  };
  return Object.freeze({ ...described, toString: () => printPath(described) });
}

/** Names of labels, each marked off where it is no single letter: `{...2}`. */
function lettersOf(names: readonly string[]): readonly string[] {
  return names.map((name) => ([...name].length === 1 ? name : `{${name}}`));
}

/** 12345678 as 1.235e+7: what is small is exact. */
function countText(count: number): string {
  return count < 1e6 ? String(count) : count.toExponential(3);
}

function printPath(path: Omit<ContractionPath, 'toString'>): string {
  const lines = [
    `einsum ${path.equation}`,
    `  operations            ${countText(path.flops)} (all at once: ${countText(path.naiveFlops)})`,
    `  scaling               ${path.scaling} labels`,
    `  largest intermediate  ${countText(path.largestIntermediate)} elements`,
    `  intermediates         ${countText(path.peakBytes)} bytes at a time`,
  ];
  if (path.sliced.length > 0) lines.push(`  loops over            ${path.sliced.join(', ')}: ${countText(path.iterations)} times`);
  for (const { pair, equation, scaling, flops, elements } of path.steps) lines.push(`  [${pair.join(', ')}]`.padEnd(14) + `${equation}  scaling ${scaling}, ${countText(flops)} operations, ${countText(elements)} elements`);
  return lines.join('\n');
}
