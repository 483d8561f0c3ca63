/**
 * The laws of derivatives, tried on a program at a point. They answer with the names of the laws that fail, so that tests
 * can also require that a wrong rule breaks the right one.
 */
import type { Atom, Program, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { isLiteral } from '../program/literal.ts';
import { replayProgram } from '../program/walk.ts';
import { dtypes, isInexact } from '../types/dtype.ts';
import { sameType } from '../types/tensor-type.ts';
import type { AdContext } from './context.ts';
import { countOf, evaluateProgram, type Value } from './evaluate.testing.ts';
import { zeros } from './rule-context.ts';
import { valuesOf } from './whole.ts';

/** Numbers that look random and are the same each time (Park and Miller's generator). */
export class Numbers {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed % 2147483646) + 1;
  }

  /** Uniform between the bounds. */
  between(low: number, high: number): number {
    this.#state = (this.#state * 48271) % 2147483647;
    return low + ((high - low) * this.#state) / 2147483647;
  }

  like({ dtype, shape }: { readonly dtype: Value['dtype']; readonly shape: readonly number[] }, low = -1.5, high = 1.5): Value {
    return { dtype, shape, data: Array.from({ length: countOf(shape) * dtypes[dtype].lanes }, () => this.between(low, high)) };
  }
}

/** ⟨a, b⟩ = Re Σ conj(a)·b: the sum over parts, for real and complex values alike. */
export function inner(a: readonly Value[], b: readonly Value[]): number {
  return a.reduce((sum, { data }, at) => data.reduce((part, x, index) => part + x * (b[at] as Value).data[index]!, sum), 0);
}

function combine(a: number, x: readonly Value[], b: number, y: readonly Value[]): readonly Value[] {
  return x.map((value, at) => ({ ...value, data: value.data.map((part, index) => a * part + b * (y[at] as Value).data[index]!) }));
}

function norm(values: readonly Value[]): number {
  return values.reduce((largest, { data }) => data.reduce((most, part) => Math.max(most, Math.abs(part)), largest), 0);
}

function distance(a: readonly Value[], b: readonly Value[]): number {
  return norm(combine(1, a, -1, b));
}

// ---------------------------------------------------------------- derivatives as programs of their own

type Mode = 'pullback' | 'pushforward';

/**
 * The derivative together with the program it came from: inputs are those of the program, then cotangents of all inexact
 * outputs (pullback) or tangents of `wrt`; outputs are the cotangents of `wrt`, or the tangents of the inexact outputs.
 */
export function derivativeProgram(context: AdContext, program: Program, wrt: readonly number[], mode: Mode): Program {
  const live = program.outputs.map((output) => isInexact(output.type.dtype));
  const derivative = mode === 'pullback' ? context.pullback({ program, wrt, live }) : context.pushforward({ program, wrt, live });
  const builder = new Builder();
  const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type)]));
  replayProgram<Atom>(program, env, (atom) => atom, (step, inputs) => builder.replay(step, inputs));
  const values = valuesOf(program);
  const outputs = program.outputs.filter((_, at) => live[at]);
  const seedTypes = mode === 'pullback' ? outputs.map(({ type }) => type) : wrt.map((at) => (values[at] as Var).type);
  const arguments_: Atom[] = [...derivative.residuals.map((at) => env.get(values[at] as Var) as Atom), ...seedTypes.map((type) => builder.input(type))];
  const own = new Map<Var, Atom>(derivative.program.inputs.map((input, at) => [input, arguments_[at] as Atom]));
  const found = replayProgram<Atom>(derivative.program, own, (atom) => atom, (step, inputs) => builder.replay(step, inputs));
  const types = mode === 'pullback' ? wrt.map((at) => (values[at] as Var).type) : outputs.map(({ type }) => type);
  const slots = mode === 'pullback' ? derivative.results : derivative.results.filter((_, at) => live[at]);
  return builder.build(slots.map((slot, at) => (slot === undefined ? zeros(builder, context.catalog.basis, types[at]!) : (found[slot] as Atom))));
}

// ---------------------------------------------------------------- laws

export interface LawOptions {
  /** Relative to the size of the values; differences cannot do better than about 1e-9. */
  readonly difference?: number;
  /** How often derivatives are differentiated again. */
  readonly order?: number;
  /** Leave out the comparison with differences: at ties, and where values are rounded to float32. */
  readonly skipDifference?: boolean;
}

/** Names of the laws that fail for the derivative of `program` at `point` with respect to the inputs `wrt`. */
export function brokenLaws(context: AdContext, program: Program, point: readonly Value[], wrt: readonly number[], options: LawOptions = {}, seed = 1): readonly string[] {
  const numbers = new Numbers(seed);
  const broken: string[] = [];
  const jvp = derivativeProgram(context, program, wrt, 'pushforward');
  const vjp = derivativeProgram(context, program, wrt, 'pullback');
  const run = (at: readonly Value[]): readonly Value[] => evaluateProgram(program, at).filter(({ dtype }) => isInexact(dtype));
  const outputs = run(point);
  const [v, w] = [wrt, wrt].map((list) => list.map((at) => numbers.like(point[at] as Value))) as [Value[], Value[]];
  const ct = outputs.map((output) => numbers.like(output));
  const jv = evaluateProgram(jvp, [...point, ...v]);
  const pulled = evaluateProgram(vjp, [...point, ...ct]);
  const scale = 1 + norm(outputs) + norm(jv);

  const inexact = program.outputs.filter(({ type }) => isInexact(type.dtype));
  if (!jvp.outputs.every((output, at) => sameType(output.type, inexact[at]!.type))) broken.push('type(J v) = type(f(x))');
  if (!vjp.outputs.every((output, at) => sameType(output.type, program.inputs[wrt[at] as number]!.type))) broken.push('type(Jᵀ ct) = type(x)');
  const adjoint = Math.abs(inner(ct, jv) - inner(pulled, v));
  if (!(adjoint <= 1e-11 * (1 + norm(jv) * norm(ct) * 10 + norm(pulled)))) broken.push('⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩');
  const mixed = evaluateProgram(jvp, [...point, ...combine(2, v, -3, w)]);
  if (!(distance(mixed, combine(2, jv, -3, evaluateProgram(jvp, [...point, ...w]))) <= 1e-11 * scale)) broken.push('J is linear');
  if (options.skipDifference !== true) {
    const error = distance(jv, centralDifference(run, point, wrt, v));
    if (!(error <= (options.difference ?? 2e-8) * scale)) broken.push('J v = central difference');
  }
  if ((options.order ?? 1) > 1) {
    const further = { ...options, order: (options.order ?? 1) - 1, difference: 10 * (options.difference ?? 2e-8) };
    const active = [...wrt, ...ct.map((_, at) => program.inputs.length + at)];
    broken.push(...brokenLaws(context, vjp, [...point, ...ct], active, further, 2).map((law) => `${law} over reverse`));
    const alongside = [...wrt, ...wrt.map((_, at) => program.inputs.length + at)];
    broken.push(...brokenLaws(context, jvp, [...point, ...v], alongside, further, 3).map((law) => `${law} over forward`));
  }
  return broken;
}

/** Richardson's extrapolation of central differences with steps h, h/2, h/4 (proof.md). */
function centralDifference(run: (at: readonly Value[]) => readonly Value[], point: readonly Value[], wrt: readonly number[], v: readonly Value[]): readonly Value[] {
  const h = 1e-3 * Math.max(1, norm(wrt.map((at) => point[at] as Value)));
  const moved = (by: number): readonly Value[] => run(point.map((value, at) => (wrt.includes(at) ? (combine(1, [value], by, [v[wrt.indexOf(at)] as Value])[0] as Value) : value)));
  const difference = (step: number): readonly Value[] => combine(0.5 / step, moved(step), -0.5 / step, moved(-step));
  const [d1, d2, d4] = [difference(h), difference(h / 2), difference(h / 4)];
  const [r1, r2] = [combine(4 / 3, d2, -1 / 3, d1), combine(4 / 3, d4, -1 / 3, d2)];
  return combine(16 / 15, r2, -1 / 15, r1);
}

/** Every value that a program computes, by dtype. */
export function dtypesWithin(program: Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { outputs } of program.instructions) for (const { type } of outputs) found.add(type.dtype);
  for (const output of program.outputs) if (isLiteral(output)) found.add(output.type.dtype);
  return found;
}
