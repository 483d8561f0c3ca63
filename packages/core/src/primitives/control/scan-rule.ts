/**
 * Derivatives of a scan cₜ₊₁, yₜ = f(k, cₜ, xₜ). Its tangents follow the linear scan
 *
 *     dcₜ₊₁, dyₜ = ∂f(rₜ)·(dk, dcₜ, dxₜ)
 *
 * whose coefficients rₜ, residuals of f, another scan stacks. The adjoint runs over the same stacks from the last slice to the first,
 *
 *     ctₜ, … = ∂f(rₜ)ᵀ·(ctₜ₊₁, dyₜ),
 *
 * and adds up the cotangents of constants on the way (Griewank and Walther, Evaluating Derivatives, 2nd ed., ch. 3 and 12).
 */
import type { Atom, Program, RegionTangents, RuleContext, Var } from '../../contract.ts';
import { Builder } from '../../program/builder.ts';
import type { TensorType } from '../../types/tensor-type.ts';
import { movingCarries } from './derivative-bodies.ts';
import { range, replayInto, zerosIn } from './region.ts';
import { liveOutputs, residualValue } from './residual-outputs.ts';
import { stackedResiduals, stackOfValue } from './scan-augment.ts';
import { placesOf, type ScanParams, scanParams, type ScanPlaces, sliceOf } from './scan-params.ts';

/** Where a tangent's body finds a residual: among the constants or the stacks of the scan. */
interface Residual {
  readonly value: Var;
  readonly isStack: boolean;
}

export function linearizeScan(ctx: RuleContext, tangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const params = scanParams(ctx.params);
  const places = placesOf(params, ctx.inputTypes.length);
  const { program, places: from } = liveOutputs(params.body, ctx.live, params.carries);
  const { active, region } = movingCarries(ctx, program, params.constants, params.carries, tangents.map((tangent) => tangent !== undefined));
  const residuals = residualsOf(ctx, params, places, region);
  const among = (positions: readonly number[]): readonly number[] => positions.filter((at) => active[at]);
  const [constants, carries, stacks] = [among(places.constants), among(places.carries), among(places.stacks)];
  const [fixed, stacked] = [residuals.filter(({ isStack }) => !isStack), residuals.filter(({ isStack }) => isStack)];
  const slices = from.filter((at, which) => at >= params.carries && region.results[which] !== undefined);
  const body = tangentBody(ctx, params, { region, residuals, active, constants, carries, stacks, slices, from });
  const tangent = (at: number): Var => tangents[at] ?? ctx.zeros(ctx.inputTypes[at] as TensorType);
  const inputs = [...fixed.map(({ value }) => value), ...constants.map(tangent), ...carries.map(tangent), ...stacked.map(({ value }) => value), ...stacks.map(tangent)];
  const first = { constants: fixed.length, carries: fixed.length + constants.length, stacks: fixed.length + constants.length + carries.length + stacked.length };
  const linear = [...range(constants.length, first.constants), ...range(carries.length, first.carries), ...range(stacks.length, first.stacks)];
  const results = ctx.apply(ctx.operation, inputs, { body, constants: first.carries, carries: carries.length, length: params.length, reverse: params.reverse, linear });
  return ctx.outputTypes.map((_, at) => {
    const which = at < params.carries ? carries.indexOf(places.carries[at] as number) : carries.length + slices.indexOf(at);
    return which < 0 || (at >= params.carries && which < carries.length) ? undefined : results[which];
  });
}

/** Residuals that are inputs stay what they are; carries and intermediate values are stacked: by the scan itself, or by one of their own. */
function residualsOf(ctx: RuleContext, params: ScanParams, places: ScanPlaces, region: RegionTangents): readonly Residual[] {
  const { primal, residuals } = region;
  const missing = stackedResiduals(params, region).filter((value) => stackOfValue(params, value) === undefined);
  const body: Program = { ...primal, outputs: [...primal.outputs.slice(0, params.carries), ...missing] };
  const { forms: _, ...rest } = params;
  const made = missing.length === 0 ? [] : ctx.apply(ctx.operation, ctx.inputTypes.map((_type, at) => ctx.input(at)), { ...rest, body, linear: [] }).slice(params.carries);
  return residuals.map((residual): Residual => {
    const { kind, index } = residual;
    if (kind === 'input' && !places.carries.includes(index)) return { value: ctx.input(index), isStack: places.stacks.includes(index) };
    const value = residualValue(region, residual);
    const own = stackOfValue(params, value);
    return { value: own === undefined ? (made[missing.indexOf(value)] as Var) : ctx.output(own), isStack: true };
  });
}

interface TangentParts {
  readonly region: RegionTangents;
  readonly residuals: readonly Residual[];
  readonly active: readonly boolean[];
  readonly constants: readonly number[];
  readonly carries: readonly number[];
  readonly stacks: readonly number[];
  /** Outputs of the scan, other than carries, that have a tangent. */
  readonly slices: readonly number[];
  /** Which output of the scan each output of the region is. */
  readonly from: readonly number[];
}

/** The tangent program with its inputs in a scan's order: residuals and tangents that are constants, carries, slices. */
function tangentBody(ctx: RuleContext, params: ScanParams, { region, residuals, active, constants, carries, stacks, slices, from }: TangentParts): Program {
  const builder = new Builder();
  const { tangent, results } = region;
  const env = new Map<Var, Atom>();
  const residual = (at: number): void => void env.set(tangent.inputs[at] as Var, builder.input((tangent.inputs[at] as Var).type));
  const order = active.flatMap((is, at) => (is ? [at] : []));
  const moving = (position: number): void => residual(residuals.length + order.indexOf(position));
  residuals.forEach(({ isStack }, at) => (isStack ? undefined : residual(at)));
  constants.forEach(moving);
  carries.forEach(moving);
  residuals.forEach(({ isStack }, at) => (isStack ? residual(at) : undefined));
  stacks.forEach(moving);
  for (const constraint of tangent.constraints) builder.require(constraint);
  const outputs = replayInto(builder, tangent, env);
  const result = (at: number, type: TensorType): Atom => {
    const found = results[at];
    return found === undefined ? zerosIn(builder, type) : (outputs[found] as Atom);
  };
  return builder.build([
    ...carries.map((position) => result(position - params.constants, ctx.inputTypes[position] as TensorType)),
    ...slices.map((at) => result(from.indexOf(at), sliceOf(ctx.outputTypes[at] as TensorType))),
  ]);
}

export function transposeScan(ctx: RuleContext, cotangents: readonly (Var | undefined)[]): readonly (Var | undefined)[] {
  const params = scanParams(ctx.params);
  const places = placesOf(params, ctx.inputTypes.length);
  const isLinear = ctx.inputTypes.map((_, at) => params.linear.includes(at));
  const live = ctx.outputTypes.map((_, at) => at < params.carries || cotangents[at] !== undefined);
  const slices = range(ctx.outputTypes.length - params.carries, params.carries).filter((at) => live[at]);
  const fixed = places.constants.filter((at) => !isLinear[at]);
  const summed = places.constants.filter((at) => isLinear[at]);
  const [given, moving] = [places.stacks.filter((at) => !isLinear[at]), places.stacks.filter((at) => isLinear[at])];
  const body = cotangentBody(ctx, params, { places, isLinear, live, fixed, summed, given, moving, slices });
  const carried = [...range(params.carries).map((at) => cotangents[at] ?? ctx.zeros(ctx.outputTypes[at] as TensorType)), ...summed.map((at) => ctx.running(at) ?? ctx.zeros(ctx.inputTypes[at] as TensorType))];
  const inputs = [...fixed.map((at) => ctx.input(at)), ...carried, ...given.map((at) => ctx.input(at)), ...slices.map((at) => cotangents[at] as Var)];
  const linear = [...range(carried.length, fixed.length), ...range(slices.length, fixed.length + carried.length + given.length)];
  const results = ctx.apply(ctx.operation, inputs, { body, constants: fixed.length, carries: carried.length, length: params.length, reverse: !params.reverse, linear });
  return ctx.inputTypes.map((_, at) => {
    if (!isLinear[at]) return undefined;
    if (places.carries.includes(at)) return results[at - params.constants];
    return summed.includes(at) ? results[params.carries + summed.indexOf(at)] : results[carried.length + moving.indexOf(at)];
  });
}

interface CotangentParts {
  readonly places: ScanPlaces;
  readonly isLinear: readonly boolean[];
  readonly live: readonly boolean[];
  /** Constants that are coefficients, and those whose cotangents are summed. */
  readonly fixed: readonly number[];
  readonly summed: readonly number[];
  /** Stacks of coefficients, and those that have cotangents. */
  readonly given: readonly number[];
  readonly moving: readonly number[];
  readonly slices: readonly number[];
}

/** Inputs: coefficients, cotangents of the carries, sums so far, slices of coefficients, cotangents of the results' slices. */
function cotangentBody(ctx: RuleContext, params: ScanParams, { places, isLinear, live, fixed, summed, given, moving, slices }: CotangentParts): Program {
  const { program, results } = ctx.regions.transpose(params.body, isLinear, live, isLinear.map((_, at) => summed.includes(at)));
  const builder = new Builder();
  const typeOf = (at: number): TensorType => (places.stacks.includes(at) ? sliceOf(ctx.inputTypes[at] as TensorType) : (ctx.inputTypes[at] as TensorType));
  const coefficients = fixed.map((at) => builder.input(typeOf(at)));
  const carried = range(params.carries).map((at) => builder.input(ctx.outputTypes[at] as TensorType));
  const sums = summed.map((at) => builder.input(typeOf(at)));
  const slicesGiven = given.map((at) => builder.input(typeOf(at)));
  const cotangents = slices.map((at) => builder.input(sliceOf(ctx.outputTypes[at] as TensorType)));
  // The transposed program takes what is not linear in the order of the body's inputs, cotangents in that of its outputs, then sums.
  const values = [...coefficients, ...slicesGiven, ...carried, ...cotangents, ...sums];
  const env = new Map<Var, Atom>(program.inputs.map((input, at) => [input, values[at] as Var]));
  for (const constraint of program.constraints) builder.require(constraint);
  const outputs = replayInto(builder, program, env);
  const linear = isLinear.flatMap((is, at) => (is ? [at] : []));
  const cotangent = (at: number): Atom | undefined => {
    const found = results[linear.indexOf(at)];
    return found === undefined ? undefined : (outputs[found] as Atom);
  };
  const orZeros = (at: number): Atom => cotangent(at) ?? zerosIn(builder, typeOf(at));
  return builder.build([
    ...places.carries.map(orZeros),
    ...summed.map(orZeros),
    ...moving.map(orZeros),
  ]);
}

