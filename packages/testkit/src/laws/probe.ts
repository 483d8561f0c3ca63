import { type AdContext, type Atom, Builder, type DerivativeRule, type Dim, type Instruction, isInexact, isLiteral, isOperand, linearInputsOf, type Params, type Program, type RuleContext, scalarLiteral, type TensorType, type Var } from '@tf/core';
import { LawError } from './law.ts';
import type { RuleUse } from './subject.ts';

export type Role = 'linearize' | 'transpose' | 'vjp';

/** One part of a rule, run once with recording. */
export interface Probe {
  readonly role: Role;
  /** Its inputs: what the rule read, and `linear`. */
  readonly program: Program;
  /** The tangents or cotangents that it was given. */
  readonly linear: readonly Var[];
  readonly results: readonly (Atom | undefined)[];
  /** Which inputs it was asked about. */
  readonly active: readonly boolean[];
  /** The type of the value that each result belongs to. */
  readonly expected: readonly TensorType[];
  readonly reads: { readonly input: ReadonlyMap<number, Var>; readonly output: ReadonlyMap<number, Var> };
}

/** Runs every part that the rule has; a transpose linear in each input runs once for each. */
export function probesOf(context: AdContext, use: RuleUse): readonly Probe[] {
  const { rule, instruction } = use;
  const inexact = instruction.inputs.map((input) => isInexact(input.type.dtype));
  const probes: Probe[] = [];
  if (!inexact.includes(true) || !instruction.outputs.some((output) => isInexact(output.type.dtype))) return probes;
  if (rule.linearize !== undefined) probes.push(probe(context, use, 'linearize', inexact));
  if (rule.vjp !== undefined) probes.push(probe(context, use, 'vjp', inexact));
  if (rule.transpose !== undefined) for (const mask of linearMasks(rule, instruction.params, inexact)) probes.push(probe(context, use, 'transpose', mask));
  return probes;
}

function linearMasks(rule: DerivativeRule, params: Params, inexact: readonly boolean[]): readonly (readonly boolean[])[] {
  const { linear } = rule;
  if (linear === undefined) return [];
  const inputs = linearInputsOf(rule, params, inexact.length);
  const those = inexact.map((is, at) => is && inputs.includes(at));
  if (linear.how === 'together') return those.includes(true) ? [those] : [];
  return those.flatMap((is, at) => (is ? [those.map((_, other) => other === at)] : []));
}

function probe(context: AdContext, { instruction, rule }: RuleUse, role: Role, active: readonly boolean[]): Probe {
  const builder = new Builder();
  const reads = { input: new Map<number, Var>(), output: new Map<number, Var>() };
  const ctx = recordingContext(builder, context, instruction, role, active, reads);
  const [inputTypes, outputTypes] = [ctx.inputTypes, ctx.outputTypes];
  const seeds = (role === 'linearize' ? inputTypes.map((type, at) => (active[at] === true ? builder.input(type) : undefined)) : outputTypes.map((type) => (isInexact(type.dtype) ? builder.input(type) : undefined)));
  const results: unknown = runRole(rule, role, ctx, seeds);
  if (!isResults(results)) throw new LawError('types', instruction.operation.id, `its ${role} gives no list of Vars.`);
  const there = results.filter((result): result is Atom => result !== undefined);
  return { role, program: builder.build(there), linear: seeds.filter((seed): seed is Var => seed !== undefined), results, active, expected: role === 'linearize' ? outputTypes : inputTypes, reads };
}

function isResults(results: unknown): results is readonly (Atom | undefined)[] {
  return Array.isArray(results) && [...(results as readonly unknown[])].every((result) => result === undefined || isOperand(result) || isLiteral(result));
}

function runRole(rule: DerivativeRule, role: Role, ctx: RuleContext, seeds: readonly (Var | undefined)[]): readonly (Atom | undefined)[] {
  if (role === 'linearize') return (rule.linearize as NonNullable<DerivativeRule['linearize']>)(ctx, seeds);
  if (role === 'transpose') return (rule.transpose as NonNullable<DerivativeRule['transpose']>)(ctx, seeds);
  return (rule.vjp as NonNullable<DerivativeRule['vjp']>)(ctx, seeds.map((seed, at) => seed ?? ctx.zeros(ctx.outputTypes[at] as TensorType)));
}

function recordingContext(builder: Builder, { catalog, regions }: AdContext, instruction: Instruction, role: Role, active: readonly boolean[], reads: { readonly input: Map<number, Var>; readonly output: Map<number, Var> }): RuleContext {
  const { operation, params } = instruction;
  const [inputTypes, outputTypes] = [instruction.inputs, instruction.outputs].map((atoms) => atoms.map((atom) => atom.type)) as [TensorType[], TensorType[]];
  const read = (side: 'input' | 'output', types: readonly TensorType[]) => (index: number): Var => {
    if (role === 'transpose' && (side === 'output' || active[index] === true)) throw new LawError('linear', operation.id, `its transpose reads ${side} ${index}, which is a tangent where it is used.`);
    let variable = reads[side].get(index);
    if (variable === undefined) reads[side].set(index, (variable = builder.input(types[index] as TensorType)));
    return variable;
  };
  return {
    operation, params, inputTypes, outputTypes, active,
    live: outputTypes.map((type) => isInexact(type.dtype)),
    input: read('input', inputTypes),
    output: read('output', outputTypes),
    regions,
    running: () => undefined,
    apply: (other, inputs, own) => builder.emit(other, inputs, own),
    zeros: (type) => builder.emit(catalog.basis.broadcastTo, [scalarLiteral(type.dtype, 0)], { shape: type.shape as readonly Dim[] })[0] as Var,
  };
}
