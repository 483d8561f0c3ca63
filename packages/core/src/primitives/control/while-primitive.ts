import type { Atom, BatchContext, Control, Params, Program, RegionTangents, RuleContext, Var } from '../../contract.ts';
import { invariant, TfError } from '../../errors.ts';
import { Builder } from '../../program/builder.ts';
import type { Dim } from '../../types/dim.ts';
import { sameType, type TensorType } from '../../types/tensor-type.ts';
import { definePrimitive, type Primitive } from '../define.ts';
import { reshape } from '../movement.ts';
import { reduceMax } from '../reduce.ts';
import { select } from '../select.ts';
import { isCareful, onlyRunning, placesOfRunning } from './lanes.ts';
import { movingCarries } from './derivative-bodies.ts';
import { range, replayInto, typesText, withInputs, zerosIn } from './region.ts';
import { withBatches } from './scan-batch.ts';

interface WhileParams {
  readonly condition: Program;
  readonly body: Program;
  readonly conditionConstants: number;
  readonly bodyConstants: number;
  /** The inputs in which the whole is linear. */
  readonly linear: readonly number[];
}

function whileParams(params: Params): WhileParams {
  return params as unknown as WhileParams;
}

export const whilePrimitive: Primitive = definePrimitive({
  name: 'while',
  called: () => 'whileLoop',
  inputs: 'many',
  infer: (inputs, params, sink, op) => {
    const { condition, body, conditionConstants, bodyConstants } = whileParams(params);
    const carries = inputs.slice(conditionConstants + bodyConstants);
    const taken = (program: Program): readonly TensorType[] => program.inputs.map(({ type }) => type);
    const fits = same(taken(condition), [...inputs.slice(0, conditionConstants), ...carries]) && same(taken(body), inputs.slice(conditionConstants)) && same(body.outputs.map(({ type }) => type), carries) && condition.outputs[0]?.type.key === 'bool[]';
    invariant(fits, `${op}: a condition of ${typesText(taken(condition))} and a body of ${typesText(taken(body))} do not fit ${typesText(inputs)}`);
    for (const constraint of [...condition.constraints, ...body.constraints]) sink(constraint);
    return carries;
  },
  traits: { control: (params): Control => ({ kind: 'while', ...whileParams(params) }) },
  batch: batchWhile,
  rule: {
    kind: 'rule',
    caveats: ['without maxSteps it has no reverse derivative'],
    linearize: linearizeWhile,
    linear: { inputs: (params) => whileParams(params).linear, how: 'together' },
    transpose: (ctx) => {
      throw new TfError('UnsupportedRuleError', `${ctx.operation.id}: no vjp: how many iterations there are is not known before it runs, so what they computed cannot be kept. Give whileLoop a maxSteps, or use scan or fori.`, { op: ctx.operation.id, family: ctx.operation.family, role: 'vjp' });
    },
  },
});

function same(a: readonly TensorType[], b: readonly TensorType[]): boolean {
  return a.length === b.length && a.every((type, at) => sameType(type, b[at] as TensorType));
}

/** Carries and their tangents go round together; the condition looks at the carries alone. */
function linearizeWhile(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const params = whileParams(ctx.params);
  const { conditionConstants, bodyConstants, condition } = params;
  const own = ctx.inputTypes.slice(conditionConstants);
  const { active, region } = movingCarries(ctx, params.body, bodyConstants, params.body.outputs.length, tangents.slice(conditionConstants).map((tangent) => tangent !== undefined));
  const [constants, carries] = [range(bodyConstants), range(own.length - bodyConstants, bodyConstants)].map((places) => places.filter((at) => active[at])) as [number[], number[]];
  const tangent = (at: number): Var => tangents[conditionConstants + at] ?? ctx.zeros(own[at] as TensorType);
  const body = bothBody(params, own, active, region, constants, carries);
  const carried = own.slice(bodyConstants);
  const types = [...ctx.inputTypes.slice(0, conditionConstants), ...carried, ...carries.map((at) => own[at] as TensorType)];
  const inputs = [...ctx.inputTypes.slice(0, conditionConstants + bodyConstants).map((_, at) => ctx.input(at)), ...constants.map(tangent), ...carried.map((_, at) => ctx.input(conditionConstants + bodyConstants + at)), ...carries.map(tangent)];
  const first = conditionConstants + bodyConstants;
  const linear = [...range(constants.length, first), ...range(carries.length, first + constants.length + carried.length)];
  const results = ctx.apply(ctx.operation, inputs, { condition: withInputs(condition, types, range(condition.inputs.length)), body, conditionConstants, bodyConstants: bodyConstants + constants.length, linear });
  return ctx.outputTypes.map((_, at) => (carries.includes(bodyConstants + at) ? results[carried.length + carries.indexOf(bodyConstants + at)] : undefined));
}

/** Inputs: constants, their tangents, carries, their tangents. */
function bothBody({ body }: WhileParams, own: readonly TensorType[], active: readonly boolean[], { primal, residuals, tangent, results }: RegionTangents, constants: readonly number[], carries: readonly number[]): Program {
  const builder = new Builder();
  const bodyConstants = own.length - body.outputs.length;
  const values: Var[] = own.slice(0, bodyConstants).map((type) => builder.input(type));
  const tangents = new Map<number, Var>();
  for (const at of constants) tangents.set(at, builder.input(own[at] as TensorType));
  for (const type of own.slice(bodyConstants)) values.push(builder.input(type));
  for (const at of carries) tangents.set(at, builder.input(own[at] as TensorType));
  const made = replayInto(builder, primal, new Map<Var, Atom>(primal.inputs.map((input, at) => [input, values[at] as Var])));
  const order = active.flatMap((is, at) => (is ? [tangents.get(at) as Var] : []));
  const given: readonly Atom[] = [...residuals.map(({ kind, index }) => (kind === 'input' ? (values[index] as Var) : (made[body.outputs.length + index] as Atom))), ...order];
  const moved = replayInto(builder, tangent, new Map(tangent.inputs.map((input, at) => [input, given[at] as Atom])));
  for (const constraint of [...primal.constraints, ...tangent.constraints]) builder.require(constraint);
  return builder.build([...made.slice(0, body.outputs.length), ...carries.map((at) => tangentOf(builder, results[at - bodyConstants], moved, own[at] as TensorType))]);
}

function tangentOf(builder: Builder, found: number | undefined, moved: readonly Atom[], type: TensorType): Atom {
  return found === undefined ? zerosIn(builder, type) : (moved[found] as Atom);
}

/** Goes on as long as any element of the batch does; those that are done keep their values. */
function batchWhile(ctx: BatchContext): readonly Var[] {
  const params = whileParams(ctx.params);
  const { conditionConstants, bodyConstants } = params;
  const carried = range(ctx.outputTypes.length, conditionConstants + bodyConstants);
  const batched = ctx.batched.map((is, at) => is || carried.includes(at));
  const before = ctx.region(params.condition, [...batched.slice(0, conditionConstants), ...carried.map(() => true)]);
  const after = ctx.region(params.body, batched.slice(conditionConstants));
  const holds = withBatches(ctx, before.program, before.batched, [true]);
  const body = withBatches(ctx, after.program, after.batched, carried.map(() => true));
  const inputs = ctx.inputTypes.map((_, at) => (carried.includes(at) ? ctx.whole(at) : ctx.atom(at)));
  const types = inputs.map(({ type }) => type);
  return ctx.apply(ctx.operation, [...inputs.slice(0, conditionConstants), ...inputs.slice(0, conditionConstants + bodyConstants), ...inputs.slice(conditionConstants + bodyConstants)], {
    condition: anyHolds(holds), body: whereHolds(ctx, holds, body, types, params), conditionConstants, bodyConstants: conditionConstants + bodyConstants, linear: params.linear.map((at) => (at < conditionConstants ? at : at + conditionConstants)),
  });
}

function anyHolds(holds: Program): Program {
  const builder = new Builder();
  const env = new Map<Var, Atom>(holds.inputs.map((input) => [input, builder.input(input.type)]));
  for (const constraint of holds.constraints) builder.require(constraint);
  const [each] = replayInto(builder, holds, env) as readonly [Var];
  return builder.build([reduceMax(each) as Var]);
}

/** Inputs: constants of the condition, constants of the body, carries. */
function whereHolds(ctx: BatchContext, holds: Program, body: Program, types: readonly TensorType[], { conditionConstants, bodyConstants, body: own }: WhileParams): Program {
  const builder = new Builder();
  const inputs = types.map((type) => builder.input(type));
  const carries = inputs.slice(conditionConstants + bodyConstants);
  for (const constraint of [...holds.constraints, ...body.constraints]) builder.require(constraint);
  const [each] = replayInto(builder, holds, mapped(holds, [...inputs.slice(0, conditionConstants), ...carries])) as readonly [Var<'bool'>];
  const places = isCareful(own) ? placesOfRunning(each, ctx.size) : undefined;
  const isBatched = (at: number): boolean => at >= bodyConstants || ctx.batched[conditionConstants + at] === true;
  const given = inputs.slice(conditionConstants).map((value, at) => (places !== undefined && isBatched(at) ? onlyRunning(value, places) : value));
  const next = replayInto(builder, body, mapped(body, given));
  return builder.build(next.map((value, at) => {
    const mask = reshape(each, [each.type.shape[0] as Dim, ...value.type.shape.slice(1).map(() => 1)]) as Var<'bool'>;
    return select(mask, value as Var, carries[at] as Var) as Var;
  }));
}

function mapped(program: Program, values: readonly Var[]): Map<Var, Atom> {
  return new Map<Var, Atom>(program.inputs.map((input, at) => [input, values[at] as Var]));
}
