import type { Atom, BatchContext, Control, Params, Program, RuleContext, Var } from '../../contract.ts';
import { invariant, isTfError, TfError } from '../../errors.ts';
import { Builder } from '../../program/builder.ts';
import { isLiteral } from '../../program/literal.ts';
import { replayProgram } from '../../program/walk.ts';
import { isInexact } from '../../types/dtype.ts';
import { sameType, type TensorType } from '../../types/tensor-type.ts';
import { definePrimitive, type Primitive } from '../define.ts';
import { identityPrimitive } from '../movement.ts';
import { sum } from '../reduce.ts';
import { recomputingBody, wholeCotangents } from './derivative-bodies.ts';
import { range, replayInto, typesText, withInputs } from './region.ts';
import { withBatches } from './scan-batch.ts';

/** A function and its rule: programs whose inputs begin with those of the operation. */
export interface CustomParams {
  readonly body: Program;
  /** Inputs: those of `body`, its outputs, then the cotangents of outputs (`customVjp`) or the tangents of arguments (`customJvp`), floats only. */
  readonly rule: Program;
  /** So many inputs at the beginning were captured: constants for the rule. */
  readonly captures: number;
  /** Per argument (`customVjp`) or output (`customJvp`): which output of `rule` it gets, −1 where nothing flows. */
  readonly flows: readonly number[];
}

/** The tangents of `customVjp`: linear in the inputs from `primals` on. */
interface TangentParams {
  /** The rule, for reverse: from primal values and cotangents to a cotangent of each linear input. */
  readonly rule: Program;
  /** Its adjoint, for forward; null where the rule is not linear in the cotangents, so that there is none. */
  readonly body: Program | null;
  readonly primals: number;
}

function customParams(params: Params): CustomParams {
  return params as unknown as CustomParams;
}

function tangentParams(params: Params): TangentParams {
  return params as unknown as TangentParams;
}

const callBody = (params: Params): Control => ({ kind: 'call', body: customParams(params).body });

function inferCustom(inputs: readonly TensorType[], params: Params, sink: (constraint: Program['constraints'][number]) => void, op: string): readonly TensorType[] {
  const { body } = customParams(params);
  const taken = body.inputs.map(({ type }) => type);
  invariant(taken.length === inputs.length && taken.every((type, at) => sameType(type, inputs[at] as TensorType)), `${op}: a body of ${typesText(taken)} does not fit ${typesText(inputs)}`);
  for (const constraint of body.constraints) sink(constraint);
  return body.outputs.map(({ type }) => type);
}

/** A function with its own reverse rule. Forward is the rule's adjoint, through {@link customVjpTangentPrimitive}. */
export const customVjpPrimitive: Primitive = definePrimitive({
  name: 'customVjp',
  inputs: 'many',
  infer: inferCustom,
  traits: { control: callBody },
  batch: (ctx: BatchContext) => {
    const { rule, captures, flows } = customParams(ctx.params);
    const owners = flows.flatMap((to, argument) => (to < 0 ? [] : [captures + argument]));
    const given = [...ctx.batched, ...rule.inputs.slice(ctx.batched.length).map(() => true)];
    return ctx.apply(ctx.operation, atoms(ctx), { ...ctx.params, body: batchedBody(ctx, customParams(ctx.params).body, ctx.batched), rule: batchedRule(ctx, rule, given, owners.map((at) => ctx.batched[at] === true)) });
  },
  rule: { kind: 'rule', linearize: linearizeVjp },
});

/** A function with its own forward rule. Reverse is the rule's adjoint. */
export const customJvpPrimitive: Primitive = definePrimitive({
  name: 'customJvp',
  inputs: 'many',
  infer: inferCustom,
  traits: { control: callBody },
  batch: (ctx: BatchContext) => {
    const { body, rule, captures } = customParams(ctx.params);
    const tangents = ctx.inputTypes.flatMap(({ dtype }, at) => (at >= captures && isInexact(dtype) ? [ctx.batched[at] === true] : []));
    return ctx.apply(ctx.operation, atoms(ctx), { ...ctx.params, body: batchedBody(ctx, body, ctx.batched), rule: batchedBody(ctx, rule, [...ctx.batched, ...ctx.outputTypes.map(() => true), ...tangents]) });
  },
  rule: { kind: 'rule', linearize: linearizeJvp },
});

/** The tangents of a function that has a reverse rule; its transpose is that rule. */
export const customVjpTangentPrimitive: Primitive = definePrimitive({
  name: 'customVjpTangent',
  called: () => 'customVjp',
  inputs: 'many',
  infer: (_inputs, params, sink) => {
    const { rule, primals } = tangentParams(params);
    for (const constraint of rule.constraints) sink(constraint);
    return rule.inputs.slice(primals).map(({ type }) => type);
  },
  traits: {
    control: (params): Control => {
      const { body } = tangentParams(params);
      if (body === null) throw notLinear();
      return { kind: 'call', body };
    },
  },
  batch: (ctx: BatchContext) => {
    const { rule, body, primals } = tangentParams(ctx.params);
    const given = [...ctx.batched.slice(0, primals), ...ctx.outputTypes.map(() => true)];
    return ctx.apply(ctx.operation, atoms(ctx), { ...ctx.params, body: body === null ? null : batchedBody(ctx, body, ctx.batched), rule: batchedRule(ctx, rule, given, ctx.batched.slice(primals)) });
  },
  rule: {
    kind: 'rule',
    linearize: linearizeTangent,
    linear: { inputs: (params) => linearInputs(tangentParams(params)), how: 'together' },
    transpose: (ctx, cotangents) => {
      const { rule, primals } = tangentParams(ctx.params);
      const shares = replayIn(ctx, rule, [...range(primals).map((at) => ctx.input(at)), ...ctx.outputTypes.map((type, at) => cotangents[at] ?? ctx.zeros(type))]);
      return ctx.inputTypes.map((_, at) => (at < primals ? undefined : shares[at - primals]));
    },
  },
});

function linearInputs({ rule, primals }: TangentParams): readonly number[] {
  return range(rule.outputs.length, primals);
}

function notLinear(): TfError {
  const reason = 'its vjp is not linear in the cotangents, so it has no tangents: use reverse derivatives, or give the function a customJvp';
  return new TfError('UnsupportedRuleError', `customVjp: no jvp: ${reason}.`, { family: 'tf.core', op: 'customVjp', role: 'jvp', reason });
}

function atoms(ctx: BatchContext): readonly Atom[] {
  return ctx.inputTypes.map((_, at) => ctx.atom(at));
}

function batchedBody(ctx: BatchContext, body: Program, given: readonly boolean[]): Program {
  const { program, batched } = ctx.region(body, given);
  return withBatches(ctx, program, batched, batched.map(() => true));
}

/** The rule over the batch: what has no batch axis itself was used by every element, and gets the sum of their cotangents. */
function batchedRule(ctx: BatchContext, rule: Program, given: readonly boolean[], owners: readonly boolean[]): Program {
  const whole = batchedBody(ctx, rule, given);
  if (owners.every((is) => is)) return whole;
  const builder = new Builder();
  const env = new Map<Var, Atom>(whole.inputs.map((input) => [input, builder.input(input.type)]));
  for (const constraint of whole.constraints) builder.require(constraint);
  const outputs = replayInto(builder, whole, env);
  return builder.build(outputs.map((output, at) => (owners[at] === true ? output : (sum(output as Var, { axes: [0] }) as Var))));
}

/** Captured values have no part in the rule: a zero gradient would be silently wrong. */
function refuseCaptures({ operation: { id, name, family }, inputTypes }: RuleContext, captures: number, tangents: readonly (Var | undefined)[]): void {
  const at = range(captures).find((index) => tangents[index] !== undefined);
  if (at === undefined) return;
  const reason = `the function or its rule captured a ${(inputTypes[at] as TensorType).key} with respect to which it is differentiated`;
  throw new TfError('UnsupportedRuleError', `${name}: ${reason}, and the rule knows arguments only. Pass it as an argument; the rule may give undefined for it.`, { family, op: id, role: 'derivative', reason });
}

/** Puts a program in the place where the rule is used. */
function replayIn(ctx: RuleContext, program: Program, inputs: readonly Atom[]): readonly Var[] {
  const env = new Map<Var, Atom>(program.inputs.map((input, at) => [input, inputs[at] as Atom]));
  const outputs = replayProgram<Atom>(program, env, (atom) => atom, ({ operation, params }, given) => ctx.apply(operation, given, params));
  return outputs.map((output) => (isLiteral(output) ? (ctx.apply(identityPrimitive.operation, [output], {})[0] as Var) : output));
}

/** The inputs of a program that something reads. */
function inputsRead({ inputs, instructions, outputs }: Program): readonly number[] {
  const read = new Set<Atom>([...outputs, ...instructions.flatMap((instruction) => instruction.inputs)]);
  return inputs.flatMap((input, at) => (read.has(input) ? [at] : []));
}

function linearizeVjp(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { rule, captures, flows } = customParams(ctx.params);
  refuseCaptures(ctx, captures, tangents);
  const inputs = ctx.inputTypes.length;
  const moving = range(flows.length).filter((argument) => (flows[argument] as number) >= 0 && tangents[captures + argument] !== undefined);
  if (moving.length === 0) return ctx.outputTypes.map(() => undefined);
  const wanted: Program = { ...rule, outputs: moving.map((argument) => rule.outputs[flows[argument] as number] as Atom) };
  const before = inputs + ctx.outputTypes.length;
  const primals = inputsRead(wanted).filter((at) => at < before);
  const cotangents = range(rule.inputs.length - before, before);
  const own = { ...wanted, inputs: [...primals, ...cotangents].map((at) => rule.inputs[at] as Var) };
  // What stands between the inputs goes: nothing reads them.
  const kept = withInputs(own, own.inputs.map(({ type }) => type), range(own.inputs.length));
  const given = primals.map((at) => (at < inputs ? ctx.input(at) : ctx.output(at - inputs)));
  const results = ctx.apply(customVjpTangentPrimitive.operation, [...given, ...moving.map((argument) => tangents[captures + argument] as Var)], { rule: kept, body: adjointOf(ctx, kept, primals.length), primals: primals.length });
  let next = 0;
  return ctx.outputTypes.map(({ dtype }) => (isInexact(dtype) ? results[next++] : undefined));
}

/** The adjoint of a rule in its cotangents, or null where it is not linear in them: clipping gradients is a rule too. */
function adjointOf({ regions }: RuleContext, rule: Program, primals: number): Program | null {
  try {
    const linear = rule.inputs.map((_, at) => at >= primals);
    return wholeCotangents(regions.transpose(rule, linear, rule.outputs.map(() => true)), rule.inputs.slice(primals).map(({ type }) => type));
  } catch (error) {
    if (isTfError(error, 'UnsupportedRuleError')) return null;
    throw error;
  }
}

/** In what it is linear it is its own tangent; by the primal values, its body is differentiated. */
function linearizeTangent(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { body, primals } = tangentParams(ctx.params);
  if (tangents.slice(0, primals).every((tangent) => tangent === undefined)) {
    return ctx.apply(ctx.operation, ctx.inputTypes.map((type, at) => tangents[at] ?? (at < primals ? ctx.input(at) : ctx.zeros(type))), ctx.params);
  }
  if (body === null) throw notLinear();
  const active = tangents.map((tangent) => tangent !== undefined);
  const region = ctx.regions.linearize(body, active);
  const live = range(ctx.outputTypes.length).filter((at) => region.results[at] !== undefined);
  const moved = recomputingBody(region, ctx.inputTypes, active, live, (input) => input);
  const outputs = replayIn(ctx, moved, [...ctx.inputTypes.map((_, at) => ctx.input(at)), ...tangents.filter((tangent) => tangent !== undefined)]);
  return ctx.outputTypes.map((_, at) => (live.includes(at) ? outputs[live.indexOf(at)] : undefined));
}

function linearizeJvp(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { rule, captures, flows } = customParams(ctx.params);
  refuseCaptures(ctx, captures, tangents);
  const primals = [...ctx.inputTypes.map((_, at) => ctx.input(at)), ...ctx.outputTypes.map((_, at) => ctx.output(at))];
  const seeds = ctx.inputTypes.flatMap((type, at) => (at >= captures && isInexact(type.dtype) ? [tangents[at] ?? ctx.zeros(type)] : []));
  const results = replayIn(ctx, rule, [...primals, ...seeds]);
  return flows.map((to) => (to < 0 ? undefined : results[to]));
}
