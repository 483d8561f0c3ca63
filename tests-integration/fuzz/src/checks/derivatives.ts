import { isInexact, type Program, printProgram, type Var } from '@tf/core';
import { createRandom, type HostValue, hostValue, innerProduct, jvpProgram, randomDirection, vjpProgram } from '@tf/testkit';
import { type Visit, visitsOf } from '../reference.ts';
import type { Subject } from '../subject.ts';
import { agrees, disagrees, type Outcome, place, skipped } from './check.ts';
import { listText } from './reference.ts';
import { spreadOf } from './rounding.ts';
import { angles, branches, edgeOf, freeze, type Frozen, steepPlaces } from './smoothness.ts';

/** The point and the direction at which a program in double precision is differentiated: complex ones move in both parts. */
export interface Point {
  readonly program: Program;
  readonly inputs: readonly HostValue[];
  readonly wrt: readonly number[];
  readonly direction: readonly HostValue[];
}

/** Directions are as large as what they move, or 1. */
export function pointOf(program: Program, inputs: readonly HostValue[], seed: number): Point {
  const random = createRandom(seed);
  const wrt = program.inputs.flatMap(({ type }, at) => (isInexact(type.dtype) ? [at] : []));
  const direction = wrt.map((at) => {
    const x = inputs[at] as HostValue;
    const v = randomDirection(x.type, random);
    return hostValue(x.type.dtype, x.type.shape as readonly number[], Array.from(v.data as ArrayLike<number>, (part, index) => part * Math.max(1, Math.abs(Number(x.data[index])))));
  });
  return { program, inputs, wrt, direction };
}

function finite(values: readonly HostValue[]): boolean {
  // Elements of int64 are bigints, which Number.isFinite takes for none.
  return values.every(({ data }) => Array.from(data as ArrayLike<number | bigint>, Number).every(Number.isFinite));
}

// ---------------------------------------------------------------- differences

/** One run of the frozen program: its outputs, which branches were taken, and whether everything on the way was finite. */
interface Sample {
  readonly outputs: readonly HostValue[];
  readonly branches: string;
  readonly angles: readonly number[];
  readonly finite: boolean;
}

/** Runs the frozen program at `x + t·v`. */
type Along = (t: number) => Sample;

function along({ program, inputs, wrt, direction }: Point, frozen: Frozen, run: (inputs: readonly HostValue[]) => readonly HostValue[], held: readonly HostValue[]): Along {
  return (t) => {
    const moved = inputs.map((x, at) => {
      const v = direction[wrt.indexOf(at)];
      return v === undefined ? x : hostValue(x.type.dtype, x.type.shape as readonly number[], Array.from(x.data as ArrayLike<number>, (value, index) => value + t * Number(v.data[index])));
    });
    const results = run([...moved, ...held]);
    const values = new Map<Var, HostValue>();
    frozen.program.inputs.forEach((input, at) => values.set(input, (at < moved.length ? moved : held)[at < moved.length ? at : at - moved.length] as HostValue));
    frozen.watched.forEach((variable, at) => values.set(variable, results[program.outputs.length + at] as HostValue));
    const floats = frozen.watched.flatMap((variable) => (isInexact(variable.type.dtype) ? [values.get(variable) as HostValue] : []));
    const visits = visitsOf(frozen.program, values);
    return { outputs: results.slice(0, program.outputs.length), branches: branches(visits), angles: angles(visits), finite: finite(floats) };
  };
}

/** A derivative of one element by differences, and how far it may be off. */
interface Estimate {
  readonly value: number;
  readonly error: number;
}

const levels = 4;

/** Central differences at t, t/2, t/4, t/8, extrapolated (Richardson 1911); the last two columns tell the error. */
function richardson(samples: readonly (readonly [number, number])[], t: number): Estimate {
  let row = samples.map(([plus, minus], level) => (plus - minus) / ((2 * t) / 2 ** level));
  const size = samples.reduce((most, [plus, minus]) => Math.max(most, Math.abs(plus), Math.abs(minus)), 0);
  let error = Infinity;
  for (let order = 1; row.length > 1; order++) {
    const next = row.slice(1).map((value, at) => value + (value - (row[at] as number)) / (4 ** order - 1));
    error = Math.abs((next[next.length - 1] as number) - (row[row.length - 1] as number));
    row = next;
  }
  return { value: row[0] as number, error: 4 * error + (64 * 2 ** -52 * size * 2 ** levels) / t };
}

/**
 * An estimate with step length t of an output that rounding on the way moves as far as `spread`, which may be much further than its
 * last bits: acosh(1 + x) knows few digits of a small x, and a part of a complex number is off by bits of the other.
 */
function rounded({ value, error }: Estimate, spread: number, t: number): Estimate {
  return { value, error: error + (4 * spread * 2 ** levels) / t };
}

interface Differences {
  readonly outputs: readonly (readonly Estimate[])[];
}

/** Estimates for every element of the floating outputs, or why there are none. */
function differences(move: Along, t: number, outputs: readonly number[]): Differences | string {
  const centre = move(0);
  if (!centre.finite) return 'not finite';
  const pairs: (readonly [Sample, Sample])[] = [];
  for (let level = 0; level < levels; level++) {
    const pair = [move(t / 2 ** level), move(-t / 2 ** level)] as const;
    for (const sample of pair) {
      if (!sample.finite) return 'not finite nearby';
      if (sample.branches !== centre.branches) return 'a kink nearby';
      if (sample.angles.some((angle, at) => Math.abs(angle - (centre.angles[at] as number)) > 0.5)) return 'an oscillation faster than the steps';
    }
    pairs.push(pair);
  }
  const read = (sample: Sample, output: number, at: number): number => Number((sample.outputs[output] as HostValue).data[at]);
  return { outputs: outputs.map((output) => Array.from({ length: (centre.outputs[output] as HostValue).data.length }, (_, at) => richardson(pairs.map(([plus, minus]) => [read(plus, output, at), read(minus, output, at)]), t))) };
}

/** Tangents agree with an estimate: yes, no, or the estimate is too vague to say. */
function judge(tangent: number, { value, error }: Estimate): 'agrees' | 'disagrees' | 'vague' {
  if (!Number.isFinite(tangent)) return 'disagrees';
  const size = Math.max(Math.abs(tangent), Math.abs(value));
  const allowed = error + 1e-6 * size + 1e-9;
  if (Math.abs(tangent - value) <= allowed) return error <= 1e-3 * size + 1e-6 ? 'agrees' : 'vague';
  return error > 0.02 * size ? 'vague' : 'disagrees';
}

/** Two step lengths that do not agree (an oscillation faster than both) say nothing. */
function sameEstimate(a: Estimate, b: Estimate): boolean {
  return Math.abs(a.value - b.value) <= a.error + b.error + 1e-3 * Math.min(Math.abs(a.value), Math.abs(b.value));
}

/** What differences of a program can be compared at, or why there is none. */
function floatingOutputs({ program, inputs, wrt }: Point): readonly number[] | string {
  const outputs = program.outputs.flatMap(({ type }, at) => (isInexact(type.dtype) && !type.shape.includes(0) ? [at] : []));
  if (wrt.length === 0 || outputs.length === 0) return 'nothing floating';
  return finite(inputs) ? outputs : 'not finite';
}

/** Runs the program with what stopGradient passed on held where it was. */
function moverOf({ machine }: Subject, point: Point): Along {
  const { program, inputs } = point;
  const frozen = freeze(program);
  const held = frozen.held.length === 0 ? [] : machine.run({ ...program, outputs: frozen.held }, inputs);
  return along(point, frozen, machine.load(frozen.program), held);
}

/**
 * Why there is no derivative here. Where a slope is infinite and what it is the slope of stands still, all is well: ∞·0 is 0 by
 * the rules. But where rounding has it move, say in asin(z/z), what comes out is anything, and differences say 0.
 */
function edgeAt({ context, machine }: Subject, { program, inputs, wrt, direction }: Point): string | undefined {
  const visits = visitsOf(program, machine.runSingly(program, inputs));
  const edge = edgeOf(visits);
  if (edge !== undefined) return edge;
  // What moves inside loops and branches is not known.
  const inside = visits.slice(0, -1).some((visit) => steepPlaces(visit).size > 0);
  const places = steepPlaces(visits[visits.length - 1] as Visit);
  const tangents = places.size === 0 ? [] : machine.run(jvpProgram(context, { ...program, outputs: [...places.keys()] }, wrt), [...inputs, ...direction]);
  const moves = [...places.values()].some((parts, which) => parts.some((part) => Math.abs(Number((tangents[which] as HostValue).data[part])) > 0));
  return inside || moves ? 'an infinite slope' : undefined;
}

/** J v against Richardson's differences, element by element; what two step lengths do not agree about is not decided. */
export function checkDifferences(subject: Subject, point: Point): Outcome {
  const outputs = floatingOutputs(point);
  if (typeof outputs === 'string') return skipped(outputs);
  const edge = edgeAt(subject, point);
  return edge === undefined ? compareTangents(subject, point, outputs, moverOf(subject, point), 'tangent') : skipped(edge);
}

function estimateAt(move: Along, t: number, output: number, at: number): Estimate | undefined {
  const found = differences(move, t, [output]);
  return typeof found === 'string' ? undefined : found.outputs[0]?.[at];
}

/** The powers of ten at which some value of the program changes by about a hundredth of itself, where those are below the usual lengths. */
function shortLengths({ context, machine }: Subject, { program, inputs, wrt, direction }: Point): readonly number[] {
  const inside = program.instructions.flatMap(({ outputs }) => outputs).filter(({ type }) => isInexact(type.dtype));
  const values = [...wrt.map((at) => inputs[at] as HostValue), ...machine.run({ ...program, outputs: inside }, inputs)];
  const tangents = [...direction, ...machine.run(jvpProgram(context, { ...program, outputs: inside }, wrt), [...inputs, ...direction])];
  const lengths = tangents.flatMap(({ data }, which) => Array.from(data as ArrayLike<number>, (tangent, at) => Math.abs((1e-2 * Number((values[which] as HostValue).data[at])) / tangent)));
  return [...new Set(lengths.filter((length) => length > 0 && length < 1e-4).map((length) => Math.floor(Math.log10(length))))].sort((a, b) => b - a).map((exponent) => 10 ** exponent);
}

/**
 * Whether a shorter step agrees with the tangent: the usual ones may have gone from one tail of a sigmoid to the other, or past a bend as
 * near as 1e-40, and agree with each other all the same. Steps this short are known to a percent: inputs beside them round.
 */
function agreesNearer(subject: Subject, point: Point, move: Along, tangent: number, output: number, at: number): boolean {
  return shortLengths(subject, point).some((t) => {
    const found = estimateAt(move, t, output, at);
    return found !== undefined && Math.max(found.error, Math.abs(found.value - tangent)) <= 0.01 * Math.abs(tangent);
  });
}

function compareTangents(subject: Subject, point: Point, outputs: readonly number[], move: Along, what: string): Outcome {
  const { context, machine } = subject;
  const { program, inputs, wrt, direction } = point;
  const all = program.outputs.flatMap(({ type }, at) => (isInexact(type.dtype) ? [at] : []));
  const first = differences(move, 1e-3, outputs);
  if (typeof first === 'string') return skipped(first);
  const tangents = machine.run(jvpProgram(context, program, wrt), [...inputs, ...direction]);
  let decided = 0;
  for (const [index, output] of outputs.entries()) {
    const tangent = tangents[all.indexOf(output)] as HostValue;
    for (const [at, estimate] of (first.outputs[index] as readonly Estimate[]).entries()) {
      const verdict = judge(Number(tangent.data[at]), estimate);
      if (verdict === 'agrees') decided++;
      if (verdict !== 'disagrees') continue;
      const again = estimateAt(move, 1e-4, output, at);
      if (again === undefined || judge(Number(tangent.data[at]), again) !== 'disagrees' || !sameEstimate(estimate, again)) continue;
      const rounding = spreadOf(program, inputs, (values) => Number((values[output] as HostValue).data[at]));
      const ill = [rounded(estimate, rounding, 1e-3), rounded(again, rounding, 1e-4)].map((vaguer) => judge(Number(tangent.data[at]), vaguer));
      if (ill.includes('agrees') || agreesNearer(subject, point, move, Number(tangent.data[at]), output, at)) {
        decided++;
        continue;
      }
      if (ill.includes('vague')) continue;
      return disagrees(`the ${what} of output ${output} at ${place(tangent.type, at)} is ${Number(tangent.data[at])}, by differences ${estimate.value} ± ${estimate.error}, with a shorter step ${again.value} ± ${again.error}\n${pointText(point)}`);
    }
  }
  return decided > 0 ? agrees : skipped('differences too vague');
}

// ---------------------------------------------------------------- second order

/** Gradients with more instructions are not differentiated again: what is wrong is wrong in small ones. */
const maximumGradient = 160;

/**
 * The gradient, differentiated along v: forward over reverse against differences of the gradient, and reverse over reverse
 * as the adjoint of that. The program decides where it is smooth, not its gradient: a rule that asks for a special case
 * there must be right all the same.
 */
export function checkSecondOrder(subject: Subject, point: Point): Outcome {
  const { program, inputs, wrt, direction } = point;
  const there = floatingOutputs(point);
  if (typeof there === 'string') return skipped(there);
  const edge = edgeAt(subject, point);
  if (edge !== undefined) return skipped(edge);
  const random = createRandom(29);
  const cotangents = program.outputs.filter(({ type }) => isInexact(type.dtype)).map(({ type }) => randomDirection(type, random));
  const gradient: Point = { program: vjpProgram(subject.context, program, wrt), inputs: [...inputs, ...cotangents], wrt, direction };
  if (gradient.program.instructions.length > maximumGradient) return skipped('a long gradient');
  const outputs = floatingOutputs(gradient);
  if (typeof outputs === 'string') return skipped(outputs);
  const [primal, slope] = [moverOf(subject, point), moverOf(subject, gradient)];
  const move: Along = (t) => {
    const { outputs: slopes } = slope(t);
    const sample = primal(t);
    return { ...sample, outputs: slopes, finite: sample.finite && finite(slopes) };
  };
  const forward = compareTangents(subject, gradient, outputs, move, 'tangent of the gradient');
  if (forward.kind !== 'agrees') return forward;
  const adjoint = checkAdjoint(subject, gradient);
  return adjoint.kind === 'disagrees' ? adjoint : forward;
}

function pointText({ program, inputs, direction }: Point): string {
  return [printProgram(program), ...inputs.map((input) => `  at ${input.type.key} ${listText(input)}`), ...direction.map((v) => `  along ${v.type.key} ${listText(v)}`)].join('\n');
}

// ---------------------------------------------------------------- adjoint

/** ⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩ with random ct and v; when it does not hold, within what rounding can do on the way. */
export function checkAdjoint({ context, machine }: Subject, point: Point): Outcome {
  const { program, inputs, wrt, direction } = point;
  const outputs = program.outputs.filter(({ type }) => isInexact(type.dtype));
  if (wrt.length === 0 || outputs.length === 0) return skipped('nothing floating');
  const random = createRandom(17);
  const cotangents = outputs.map(({ type }) => randomDirection(type, random));
  const [forward, reverse] = [jvpProgram(context, program, wrt), vjpProgram(context, program, wrt)];
  const tangents = machine.run(forward, [...inputs, ...direction]);
  const gradients = machine.run(reverse, [...inputs, ...cotangents]);
  if (!finite(tangents) || !finite(gradients)) return skipped('not finite');
  const product = (a: readonly HostValue[], b: readonly HostValue[]): number => a.reduce((sum, value, at) => sum + innerProduct(value, b[at] as HostValue), 0);
  const [left, right] = [product(cotangents, tangents), product(gradients, direction)];
  const size = sizeOf(cotangents, tangents) + sizeOf(gradients, direction);
  const off = Math.abs(left - right);
  // What is subnormal is off by so much, however large what it is multiplied by.
  const underflow = 16 * Number.MIN_VALUE * (sumOfSizes(cotangents) + sumOfSizes(direction));
  if (off <= 1e-11 * size + underflow + 1e-300) return agrees;
  const spread = spreadOf(forward, [...inputs, ...direction], (values) => product(cotangents, values)) + spreadOf(reverse, [...inputs, ...cotangents], (values) => product(values, direction));
  if (!Number.isFinite(spread) || !Number.isFinite(size)) return skipped('not finite');
  if (spread > 1e-4 * size) return skipped('ill-conditioned');
  return off <= 1e-11 * size + 100 * spread ? agrees : disagrees(`⟨ct, Jv⟩ = ${left}, ⟨Jᵀct, v⟩ = ${right}; rounding explains ${spread}\n${pointText(point)}\n${cotangents.map((ct) => `  ct ${ct.type.key} ${listText(ct)}`).join('\n')}`);
}

function sumOfSizes(values: readonly HostValue[]): number {
  return values.reduce((sum, { data }) => sum + Array.from(data as ArrayLike<number>, Math.abs).reduce((total, x) => total + x, 0), 0);
}

function sizeOf(a: readonly HostValue[], b: readonly HostValue[]): number {
  return a.reduce((sum, value, at) => sum + Array.from(value.data as ArrayLike<number>, (x, index) => Math.abs(x * Number((b[at] as HostValue).data[index]))).reduce((total, x) => total + x, 0), 0);
}
