import type { Atom, BatchContext, Control, Program, RegionTangents, RuleContext, Var } from '../../contract.ts';
import { TfError, invariant } from '../../errors.ts';
import { Builder } from '../../program/builder.ts';
import { scalarLiteral } from '../../program/literal.ts';
import { sameType, type TensorType } from '../../types/tensor-type.ts';
import { equal, greaterEqual, lessEqual } from '../compare.ts';
import { convert } from '../convert.ts';
import { definePrimitive, type Primitive, requireDType } from '../define.ts';
import { reshape } from '../movement.ts';
import { reduceMax } from '../reduce.ts';
import { select } from '../select.ts';
import { augmentBranch, branchParams, coveredByBranch, innerResiduals, pruneBranch } from './branch-augment.ts';
import { joinBranches } from './branch-join.ts';
import { isCareful, onlyRunning, placesOfRunning } from './lanes.ts';
import { keptBody, recomputingBody, runningSums, wholeCotangents } from './derivative-bodies.ts';
import { range, typesText, zerosIn } from './region.ts';
import { liveOutputs } from './residual-outputs.ts';
import { withBatches } from './scan-batch.ts';

export const branchPrimitive: Primitive = definePrimitive({
  name: 'branch',
  inputs: 'many',
  infer: ([index, ...operands], params, sink, op) => {
    const { branches } = branchParams(params);
    const [first] = branches as readonly [Program];
    requireDType(op, index as TensorType, ['int32']);
    if ((index as TensorType).shape.length !== 0) throw new TfError('ShapeError', `${op}: the index is ${(index as TensorType).key}; it must be one int32. Use select to choose element by element.`, { op });
    const results = first.outputs.map(({ type }) => type);
    for (const branch of branches) {
      const fits = same(branch.inputs.map(({ type }) => type), operands) && same(branch.outputs.map(({ type }) => type), results);
      invariant(fits, `${op}: a branch ${typesText(branch.inputs.map(({ type }) => type))} → ${typesText(branch.outputs.map(({ type }) => type))} does not fit ${typesText(operands)} → ${typesText(results)}`);
      for (const constraint of branch.constraints) sink(constraint);
    }
    return results;
  },
  traits: {
    control: (params): Control => ({ kind: 'branch', branches: branchParams(params).branches }),
    covers: (params) => coveredByBranch(branchPrimitive.operation, params),
    join: (first, second, given) => joinBranches(branchPrimitive.operation, first, second, given),
    prune: (params, live, inputs) => pruneBranch(branchPrimitive.operation, params, live, inputs.length),
  },
  batch: batchBranch,
  rule: {
    kind: 'rule',
    linearize: linearizeBranch,
    linear: { inputs: (params) => branchParams(params).linear, how: 'together' },
    transpose: transposeBranch,
    augment: augmentBranch,
  },
});

function same(a: readonly TensorType[], b: readonly TensorType[]): boolean {
  return a.length === b.length && a.every((type, at) => sameType(type, b[at] as TensorType));
}

/** Branches whose residuals are all there compute their tangents from them; otherwise each computes again what they read, and then them. */
function linearizeBranch(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { branches } = branchParams(ctx.params);
  const active = tangents.slice(1).map((tangent) => tangent !== undefined);
  const { places } = liveOutputs(branches[0] as Program, ctx.live);
  const regions = branches.map((branch) => ctx.regions.linearize(liveOutputs(branch, ctx.live).program, active));
  const live = range(places.length).filter((at) => regions.some(({ results }) => results[at] !== undefined));
  const moving = tangents.filter((tangent) => tangent !== undefined);
  const { fixed, bodies } = keptResiduals(ctx, regions, active, live) ?? recomputed(ctx, regions, active, live);
  const results = ctx.apply(ctx.operation, [ctx.input(0), ...fixed, ...moving], { branches: bodies, linear: range(moving.length, fixed.length + 1) });
  return ctx.outputTypes.map((_, at) => {
    const which = live.indexOf(places.indexOf(at));
    return which < 0 ? undefined : results[which];
  });
}

interface TangentBranches {
  /** What the branches take before the tangents. */
  readonly fixed: readonly Var[];
  readonly bodies: readonly Program[];
}

function keptResiduals(ctx: RuleContext, regions: readonly RegionTangents[], active: readonly boolean[], live: readonly number[]): TangentBranches | undefined {
  const { branches } = branchParams(ctx.params);
  const found = regions.map((region, which) => innerResiduals(region).map((value) => (branches[which] as Program).outputs.indexOf(value)));
  if (found.some((outputs) => outputs.includes(-1))) return undefined;
  const kept = sorted(found.flat());
  const operands = sorted(regions.flatMap(({ residuals }) => residuals.flatMap(({ kind, index }) => (kind === 'input' ? [index] : []))));
  return {
    fixed: [...operands.map((at) => ctx.input(at + 1)), ...kept.map((at) => ctx.output(at))],
    bodies: regions.map((region, which) => keptBody(region, branches[which] as Program, operands, kept, active, live)),
  };
}

function sorted(places: readonly number[]): readonly number[] {
  return [...new Set(places)].sort((a, b) => a - b);
}

function recomputed(ctx: RuleContext, regions: readonly RegionTangents[], active: readonly boolean[], live: readonly number[]): TangentBranches {
  const operands = ctx.inputTypes.slice(1);
  return { fixed: operands.map((_, at) => ctx.input(at + 1)), bodies: regions.map((region) => recomputingBody(region, operands, active, live, (input) => input)) };
}

function transposeBranch(ctx: RuleContext, cotangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const { branches, linear } = branchParams(ctx.params);
  const isLinear = range(ctx.inputTypes.length - 1, 1).map((at) => linear.includes(at));
  const live = cotangents.map((ct) => ct !== undefined);
  const { sums, summed } = runningSums(ctx, linear);
  const given = [...cotangents.filter((ct) => ct !== undefined), ...sums];
  const fixed = ctx.inputTypes.flatMap((_, at) => (at > 0 && linear.includes(at) ? [] : [at]));
  const types = linear.map((at) => ctx.inputTypes[at] as TensorType);
  const bodies = branches.map((branch) => wholeCotangents(ctx.regions.transpose(branch, isLinear, live, summed.slice(1)), types));
  const results = ctx.apply(ctx.operation, [...fixed.map((at) => ctx.input(at)), ...given], { branches: bodies, linear: range(given.length, fixed.length) });
  return ctx.inputTypes.map((_, at) => (linear.includes(at) ? results[linear.indexOf(at)] : undefined));
}

/** Where every element of the batch has its own index, all branches run and each element takes its own. */
function batchBranch(ctx: BatchContext): readonly Var[] {
  const { branches } = branchParams(ctx.params);
  const regions = branches.map((branch) => ctx.region(branch, ctx.batched.slice(1)));
  const wanted = ctx.outputTypes.map((_, at) => ctx.batched[0] === true || regions.some(({ batched }) => batched[at] === true));
  const bodies = regions.map(({ program, batched }) => withBatches(ctx, program, batched, wanted));
  if (ctx.batched[0] !== true) {
    const outputs = ctx.apply(ctx.operation, ctx.inputTypes.map((_, at) => ctx.atom(at)), { ...ctx.params, branches: bodies });
    return outputs.map((output, at) => (wanted[at] === true ? output : ctx.alike(output)));
  }
  const masks = branches.map((_, which) => picks(ctx.input(0), which, branches.length));
  const results = bodies.map((body, which) => (isCareful(branches[which] as Program) ? runWhereChosen(ctx, body, masks[which] as Var<'bool'>) : ctx.apply(ctx.operation, [scalarLiteral('int32', which), ...operandsOf(ctx)], { ...ctx.params, branches: bodies })));
  return ctx.outputTypes.map((_, at) => chooseEach(ctx, masks, results.map((outputs) => outputs[at] as Var)));
}

function operandsOf(ctx: BatchContext): readonly Atom[] {
  return ctx.inputTypes.slice(1).map((_, at) => ctx.atom(at + 1));
}

/** Which elements take a branch: an index beyond either end takes the one there. */
function picks(index: Var, which: number, count: number): Var<'bool'> {
  if (which === 0) return lessEqual(index, 0) as Var<'bool'>;
  return (which === count - 1 ? greaterEqual(index, which) : equal(index, which)) as Var<'bool'>;
}

/** A branch that must see only the elements that chose it: others stand in for those that did not, and where none did it is not run. */
function runWhereChosen(ctx: BatchContext, body: Program, mask: Var<'bool'>): readonly Var[] {
  const places = placesOfRunning(mask, ctx.size);
  const operands = ctx.inputTypes.slice(1).map((_, at) => (ctx.batched[at + 1] === true ? onlyRunning(ctx.input(at + 1), places) : ctx.atom(at + 1)));
  const builder = new Builder();
  for (const { type } of body.inputs) builder.input(type);
  const nothing = builder.build(body.outputs.map(({ type }) => zerosIn(builder, type)));
  const any = convert(reduceMax(mask), 'int32') as Var;
  return ctx.apply(ctx.operation, [any, ...operands], { ...ctx.params, branches: [nothing, body] });
}

function chooseEach(ctx: BatchContext, masks: readonly Var<'bool'>[], results: readonly Var[]): Var {
  const [first] = results as readonly [Var];
  const shape = [ctx.size, ...first.type.shape.slice(1).map(() => 1)];
  return results.reduce((chosen, result, which) => (which === 0 ? chosen : (select(reshape(masks[which] as Var<'bool'>, shape), result, chosen) as Var)), first);
}
