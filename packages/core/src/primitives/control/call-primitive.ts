import type { BatchContext, Control, Params, Program, RuleContext, Var } from '../../contract.ts';
import { invariant } from '../../errors.ts';
import { sameType, type TensorType } from '../../types/tensor-type.ts';
import { definePrimitive, type Primitive } from '../define.ts';
import { barrier } from '../stop-gradient.ts';
import { recomputingBody, runningSums, wholeCotangents } from './derivative-bodies.ts';
import { range, typesText } from './region.ts';

interface CallParams {
  readonly body: Program;
  /** The inputs in which the whole is linear. */
  readonly linear: readonly number[];
}

function callParams(params: Params): CallParams {
  return params as unknown as CallParams;
}

/**
 * A program as one operation, so that reverse keeps its inputs only: the derivative computes the rest again, behind barriers
 * (contracts.md §8). Compile puts the body in its place.
 */
export const checkpointPrimitive: Primitive = definePrimitive({
  name: 'checkpoint',
  inputs: 'many',
  infer: (inputs, params, sink, op) => {
    const { body } = callParams(params);
    const taken = body.inputs.map(({ type }) => type);
    invariant(taken.length === inputs.length && taken.every((type, at) => sameType(type, inputs[at] as TensorType)), `${op}: a body of ${typesText(taken)} does not fit ${typesText(inputs)}`);
    for (const constraint of body.constraints) sink(constraint);
    return body.outputs.map(({ type }) => type);
  },
  traits: { control: (params): Control => ({ kind: 'call', body: callParams(params).body }) },
  batch: (ctx: BatchContext) => {
    const { program, batched } = ctx.region(callParams(ctx.params).body, ctx.batched);
    const outputs = ctx.apply(ctx.operation, ctx.inputTypes.map((_, at) => ctx.atom(at)), { ...ctx.params, body: program });
    return outputs.map((output, at) => (batched[at] === true ? output : ctx.alike(output)));
  },
  rule: {
    kind: 'rule',
    linearize: linearizeCall,
    linear: { inputs: (params) => callParams(params).linear, how: 'together' },
    transpose: transposeCall,
  },
});

function linearizeCall(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { body } = callParams(ctx.params);
  const active = tangents.map((tangent) => tangent !== undefined);
  const tangent = ctx.regions.linearize(body, active);
  const live = range(ctx.outputTypes.length).filter((at) => tangent.results[at] !== undefined);
  const region = recomputingBody(tangent, ctx.inputTypes, active, live, (input) => barrier(input) as Var);
  const seeds = tangents.filter((seed) => seed !== undefined);
  const outputs = ctx.apply(ctx.operation, [...ctx.inputTypes.map((_, at) => ctx.input(at)), ...seeds], { body: region, linear: range(seeds.length, ctx.inputTypes.length) });
  return ctx.outputTypes.map((_, at) => (live.includes(at) ? outputs[live.indexOf(at)] : undefined));
}

function transposeCall(ctx: RuleContext, cotangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { body, linear } = callParams(ctx.params);
  const isLinear = ctx.inputTypes.map((_, at) => linear.includes(at));
  const { sums, summed } = runningSums(ctx, linear);
  const region = wholeCotangents(ctx.regions.transpose(body, isLinear, cotangents.map((ct) => ct !== undefined), summed), linear.map((at) => ctx.inputTypes[at] as TensorType));
  const fixed = range(ctx.inputTypes.length).filter((at) => !isLinear[at]);
  const given = [...cotangents.filter((ct) => ct !== undefined), ...sums];
  const outputs = ctx.apply(ctx.operation, [...fixed.map((at) => ctx.input(at)), ...given], { body: region, linear: range(given.length, fixed.length) });
  return ctx.inputTypes.map((_, at) => (isLinear[at] === true ? outputs[linear.indexOf(at)] : undefined));
}
