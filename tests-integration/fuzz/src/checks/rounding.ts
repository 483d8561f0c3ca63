import { dtypes, type Instruction, isComplex, isInexact, loop, type Program, type ScalarExpr } from '@tf/core';
import { createRandom, type HostValue, type Interpreted, interpretProgram } from '@tf/testkit';
import { elements, jumps } from './smoothness.ts';

/** How much is added to every result, relative to what it was computed from. */
const noise = 2 ** -32;
const rounds = 3;

/**
 * How far rounding alone can move a number that a program in float64 computes: what every operation rounds is moved at random by
 * 2⁻³² of itself, and what comes out is scaled down to 2⁻⁵³ (Vignes 1993, discrete stochastic arithmetic), inside loops and
 * branches too.
 *
 * Only what rounds is moved, and as far as rounding may move it: a sum by that part of the sum of its terms' magnitudes, so that
 * terms which cancel leave their errors (Higham, Accuracy and Stability, §4.2), a selection or a rearrangement not at all. And what
 * jumps stays as it was: comparisons, integers, whole parts. A program and its derivatives have the same primal values to the
 * last bit, so rounding never has one of them take another branch than the other; to take another here, say to call a maximum
 * tied no more, would leave out the very terms whose rounding is asked for.
 */
export function spreadOf(program: Program, inputs: readonly HostValue[], measure: (outputs: readonly HostValue[]) => number): number {
  const random = createRandom(23);
  const undisturbed: (readonly HostValue[])[] = [];
  const run = (revise: (done: Interpreted) => readonly HostValue[]): number => measure(interpretProgram(program, inputs, { arithmetic: 'exact', revise }));
  const plain = run(({ results }) => {
    undisturbed.push(results);
    return results;
  });
  let spread = 0;
  for (let round = 0; round < rounds; round++) {
    let at = 0;
    spread = Math.max(spread, Math.abs(run((done) => disturbed(done, undisturbed[at++] as readonly HostValue[], random)) - plain));
  }
  return spread * (2 ** -53 / noise);
}

function disturbed(done: Interpreted, undisturbed: readonly HostValue[], random: () => number): readonly HostValue[] {
  const { instruction, results } = done;
  return results.map((result, output) => {
    const before = undisturbed[output] as HostValue;
    if (!isInexact(result.type.dtype) || isStep(instruction)) return before;
    const held = instruction.operation.name === 'fmod' || instruction.operation.name === 'remainder' ? samePeriod(done, result, before) : result;
    const scales = scalesOf(done, held);
    if (scales === undefined) return held;
    const data = held.data.slice() as Float64Array;
    for (let at = 0; at < data.length; at++) {
      const scale = scales[at] as number;
      if (Number.isFinite(scale)) data[at] = (data[at] as number) + scale * noise * (2 * random() - 1);
    }
    return { type: held.type, data };
  });
}

function isStep({ operation, inputs }: Instruction): boolean {
  return jumps.has(operation.name) || (operation.name === 'sign' && inputs.every(({ type }) => !isComplex(type.dtype)));
}

/** A remainder, but what it was where its dividend now lies beyond a multiple of the divisor. */
function samePeriod({ inputs }: Interpreted, result: HostValue, before: HostValue): HostValue {
  const [x, y] = inputs as readonly [HostValue, HostValue];
  const data = result.data.slice() as Float64Array;
  const jumped = elements(result, x, y, (_, divisor, at) => (Math.abs((data[at] as number) - Number(before.data[at])) > Math.abs(divisor) / 2 ? 1 : 0));
  jumped.forEach((has, at) => {
    if (has === 1) data[at] = Number(before.data[at]);
  });
  return { type: result.type, data };
}

/** What rounding errors of each part of a result are relative to; undefined where nothing is rounded. */
function scalesOf({ instruction, inputs, again }: Interpreted, result: HostValue): readonly number[] | undefined {
  const { operation: { traits }, params } = instruction;
  const dtypesOf = instruction.inputs.map(({ type }) => type.dtype);
  const running = traits.scan?.(params, dtypesOf).next;
  const adds = traits.scatter?.(params, instruction.inputs.map(({ type }) => type)).combine === 'add' || traits.boxAdd !== undefined;
  if (adds || traits.reduction === 'sum' || traits.reduction === 'prod' || traits.contraction !== undefined || (running !== undefined && meets(running, ['add', ...beyondSums]))) return sizes(again(inputs.map(magnitude))[0] as HostValue);
  const body = traits.elementwise?.(params, dtypesOf) ?? [];
  if (meets(body, beyondSums)) return sizes(result);
  return meets(body, ['add', 'sub', 'convert']) ? Array.from(result.data as Float64Array, Math.abs) : undefined;
}

/** What rounds, but sums: of complex numbers these go part by part, while in all others the parts meet. */
const beyondSums: readonly ScalarExpr['op'][] = ['mul', 'div', 'sqrt', 'call'];

function meets(body: readonly ScalarExpr[], ops: readonly ScalarExpr['op'][]): boolean {
  return loop.nodesInOrder(body).some(({ op, type }) => (type === 'f64' || type === 'f32') && ops.includes(op));
}

/** Of each part, |re| + |im| of its number. */
function sizes({ type, data }: HostValue): readonly number[] {
  const { lanes } = dtypes[type.dtype];
  return Array.from(data as Float64Array, (x, at) => (lanes === 1 ? Math.abs(x) : Math.abs(data[at - (at % 2)] as number) + Math.abs(data[at - (at % 2) + 1] as number)));
}

/** Floating values without their signs, complex ones as real parts. */
function magnitude(value: HostValue): HostValue {
  if (!isInexact(value.type.dtype)) return value;
  const { lanes } = dtypes[value.type.dtype];
  const data = value.data.slice() as Float64Array;
  sizes(value).forEach((size, at) => (data[at] = lanes === 2 && at % 2 === 1 ? 0 : size));
  return { type: value.type, data };
}
