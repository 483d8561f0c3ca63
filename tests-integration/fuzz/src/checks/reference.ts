import { dtypes, type Instruction, isComplex, type Program, printProgram, type Var } from '@tf/core';
import type { HostValue } from '@tf/testkit';
import { operandsOf, reference, single, type Sizes, sizesOf, variablesOf } from '../reference.ts';
import { agrees, bitDifference, disagrees, type Outcome, place, text } from './check.ts';

/**
 * Every value of a run against the interpreter, instruction by instruction, each on the operands that the engine itself
 * had: so an error cannot grow on its way, and the tolerance is that of one operation. Together with the check that whole
 * programs give the bits of their instructions, this says that the engine is the interpreter, whatever the condition.
 */
export function checkReference(program: Program, values: ReadonlyMap<Var, HostValue>): Outcome {
  const sizes = sizesOf(program, values);
  for (const instruction of program.instructions) {
    const operands = operandsOf(instruction, values);
    const expected = reference(instruction, operands, sizes, isExact(instruction) ? 'exact' : undefined);
    for (const [index, output] of instruction.outputs.entries()) {
      const fault = compare({ instruction, sizes }, operands, expected[index] as HostValue, values.get(output) as HostValue);
      if (fault === undefined) continue;
      const alone = single(instruction, sizes);
      const what = `${instruction.operation.id}: ${fault}\n${printProgram(alone)}\n${operands.map((operand) => `  ${operand.type.key} ${listText(operand)}`).join('\n')}`;
      return disagrees(what, { program: alone, inputs: variablesOf(instruction).map((input) => values.get(input) as HostValue) });
    }
  }
  return agrees;
}

export function listText({ data }: HostValue): string {
  return `[${Array.from(data as ArrayLike<number | bigint>, text).join(', ')}]`;
}

/** An instruction, and the sizes that were decided before it. */
interface Sized {
  readonly instruction: Instruction;
  readonly sizes: Sizes;
}

/** How an operation rounds, by its traits: not at all or once (`bits`), as a function, or as a fold of many terms. */
function compare(of: Sized, operands: readonly HostValue[], expected: HostValue, actual: HostValue): string | undefined {
  const { instruction } = of;
  const { traits } = instruction.operation;
  const floating = dtypes[expected.type.dtype].kind === 'float';
  // Parts of complex numbers cancel each other, so there is no tolerance for each of them: bits are compared, but for contractions.
  if (meetsComplex(instruction)) return traits.contraction === undefined ? bitDifference(expected, actual) : foldFault(of, operands, expected, actual);
  if (!floating) return bitDifference(expected, actual);
  const calls = traits.elementwise?.(instruction.params, operands.map(({ type }) => type.dtype)).some(callsFunction) === true;
  if (calls) {
    const least = leastMagnitude(instruction.operation.name, operands.flatMap(({ data }) => Array.from(data as ArrayLike<number>, Number)));
    return firstFault(expected, actual, (want, got) => functionFault(want, got, expected.type.dtype, least));
  }
  if (traits.contraction !== undefined || traits.reduction === 'sum') return foldFault(of, operands, expected, actual);
  if (traits.reduction === 'prod') return productFault(of, operands, expected, actual);
  return bitDifference(expected, actual);
}

/** Whether every rounding of the operation is known: then the reference rounds as often, and bits are compared. */
function isExact(instruction: Instruction): boolean {
  const { traits } = instruction.operation;
  // What regions fold, they fold in the one order there is; so does what an operation is lowered to.
  if (traits.control !== undefined || instruction.operation.lower !== undefined) return true;
  if (meetsComplex(instruction)) return traits.contraction === undefined;
  const body = traits.elementwise?.(instruction.params, instruction.inputs.map(({ type }) => type.dtype));
  return body !== undefined && !body.some(callsFunction);
}

function meetsComplex({ inputs, outputs }: Instruction): boolean {
  return [...inputs, ...outputs].some(({ type }) => isComplex(type.dtype));
}

interface Node {
  readonly op: string;
  readonly args?: readonly Node[];
}

/** Whether an expression calls one of the loop language's functions. Nodes are shared, so each is looked at once. */
function callsFunction(expr: Node): boolean {
  const seen = new Set<Node>([expr]);
  for (const node of seen) {
    if (node.op === 'call') return true;
    for (const arg of node.args ?? []) seen.add(arg);
  }
  return false;
}

type Judge = (want: number, got: number, at: number) => boolean;

function firstFault(expected: HostValue, actual: HostValue, isFault: Judge): string | undefined {
  if (expected.type.key !== actual.type.key) return `${expected.type.key} and ${actual.type.key}`;
  for (let at = 0; at < expected.data.length; at++) {
    const [want, got] = [Number(expected.data[at]), Number(actual.data[at])];
    if (Object.is(want, got)) continue;
    // NaN is right only where the reference says NaN.
    if (Number.isNaN(want) !== Number.isNaN(got) || isFault(want, got, at)) return `at ${place(expected.type, at)} the reference says ${text(want)}, the engine ${text(got)}`;
  }
  return undefined;
}

export interface Format {
  /** Half the distance from 1 to the next number. */
  readonly unit: number;
  readonly largest: number;
  readonly smallest: number;
}

const formats: { readonly [dtype: string]: Format } = {
  float32: { unit: 2 ** -24, largest: 3.4028234663852886e38, smallest: 2 ** -149 },
  float64: { unit: 2 ** -53, largest: Number.MAX_VALUE, smallest: Number.MIN_VALUE },
  complex64: { unit: 2 ** -24, largest: 3.4028234663852886e38, smallest: 2 ** -149 },
  complex128: { unit: 2 ** -53, largest: Number.MAX_VALUE, smallest: Number.MIN_VALUE },
};

export function formatOf(dtype: string): Format {
  return formats[dtype] as Format;
}

/** Near zeros that are differences of larger terms, errors are as large as the terms' are, in the reference at least. */
function leastMagnitude(name: string, operands: readonly number[]): number {
  const largest = Math.max(0, ...operands.map(Math.abs).filter(Number.isFinite));
  if (name === 'lgamma' || name === 'digamma') return Math.max(1, ...operands.filter((x) => x < 0 && Number.isFinite(x)).map((x) => -x * Math.log1p(-x)));
  return name === 'logAddExp' ? largest : 0;
}

/** How many units a function may be off: far above what the accuracy bars allow, far below what a wrong function gives. */
const functionUnits = 64;

function functionFault(want: number, got: number, dtype: string, least: number): boolean {
  const { unit, largest, smallest } = formatOf(dtype);
  if (want === 0 && got === 0) return true;
  // Beside the largest number, rounding decides between it and infinity.
  const bounded = (x: number): number => Math.max(-largest, Math.min(largest, x));
  return Math.abs(bounded(want) - bounded(got)) > functionUnits * unit * Math.max(Math.abs(bounded(want)), least) + 4 * smallest;
}

/** A fold of `terms` terms that are `size` in sum is off by at most their number of roundings; with infinite terms, not at all. */
function isFoldFault({ unit, smallest }: Format, want: number, got: number, terms: number, size: number): boolean {
  if (!Number.isFinite(size)) return want !== got;
  return !(Math.abs(want - got) <= 2 * (terms + 2) * unit * size + terms * smallest);
}

function foldFault({ instruction, sizes }: Sized, operands: readonly HostValue[], expected: HostValue, actual: HostValue): string | undefined {
  const format = formatOf(expected.type.dtype);
  const [magnitudes] = reference(instruction, operands.map(absolute), sizes);
  const terms = operands.reduce((most, { data }) => Math.max(most, data.length), 1);
  const { lanes } = dtypes[expected.type.dtype];
  if (mayOverflow(magnitudes as HostValue, operands, format)) return undefined;
  return firstFault(expected, actual, (want, got, at) => isFoldFault(format, want, got, terms, Number((magnitudes as HostValue).data[at - (at % lanes)])));
}

/** Terms that are finite and add up to more than there is: then order decides what comes out. */
function mayOverflow(sizes: HostValue, operands: readonly HostValue[], { largest }: Format): boolean {
  const large = (value: number): boolean => Number.isFinite(value) && Math.abs(value) >= Math.sqrt(largest) / 1024;
  return operands.some(({ data }) => Array.from(data as ArrayLike<number>).some(large)) && Array.from(sizes.data as ArrayLike<number>).some((size) => !(size < largest / 2));
}

function productFault({ instruction, sizes }: Sized, operands: readonly HostValue[], expected: HostValue, actual: HostValue): string | undefined {
  const format = formatOf(expected.type.dtype);
  const bound = (pick: (x: number) => number): HostValue => reference(instruction, [mapped(operands[0] as HostValue, (x) => (Number.isFinite(x) && x !== 0 ? pick(Math.abs(x)) : 1))], sizes)[0] as HostValue;
  const [most, least] = [bound((x) => Math.max(1, x)), bound((x) => Math.min(1, x))];
  const terms = (operands[0] as HostValue).data.length;
  const unsafe = (at: number): boolean => !(Number(most.data[at]) < format.largest / 2) || !(Number(least.data[at]) > format.smallest / format.unit);
  if (expected.type.key !== actual.type.key) return `${expected.type.key} and ${actual.type.key}`;
  for (let at = 0; at < expected.data.length; at++) {
    const [want, got] = [Number(expected.data[at]), Number(actual.data[at])];
    if (Object.is(want, got) || unsafe(at)) continue;
    const close = Math.abs(want - got) <= 2 * terms * format.unit * Math.abs(want);
    if (Number.isNaN(want) !== Number.isNaN(got) || !(close || want === got)) return `at ${place(expected.type, at)} the reference says ${text(want)}, the engine ${text(got)}`;
  }
  return undefined;
}

/** Of complex numbers |re| + |im|, as a real part. */
function absolute(value: HostValue): HostValue {
  if (!isComplex(value.type.dtype)) return mapped(value, Math.abs);
  const parts = Array.from(value.data as ArrayLike<number>, (x, at) => (at % 2 === 0 ? Math.abs(x) + Math.abs(value.data[at + 1] as number) : 0));
  return { type: value.type, data: parts.reduce((data, x, at) => ((data[at] = x as never), data), value.data.slice()) };
}

function mapped(value: HostValue, f: (x: number) => number): HostValue {
  return { type: value.type, data: Array.from(value.data as ArrayLike<number>, f).reduce((data, x, at) => ((data[at] = x as never), data), value.data.slice()) };
}
