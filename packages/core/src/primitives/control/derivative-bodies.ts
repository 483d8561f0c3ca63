/** Programs that the derivatives of loops, branches and calls run. */
import type { Atom, Program, RegionCotangents, RegionTangents, RuleContext, RuleSite, Var } from '../../contract.ts';
import { Builder } from '../../program/builder.ts';
import type { TensorType } from '../../types/tensor-type.ts';
import { range, replayInto, zerosIn } from './region.ts';
import { residualValue } from './residual-outputs.ts';

/** What the derivative of a loop's body is, once it is known which carries move. */
export interface Moving {
  readonly active: readonly boolean[];
  readonly region: RegionTangents;
}

/** A carry moves when it starts moving or comes to depend on what moves; carries are the inputs from `first` on, and the first outputs. */
export function movingCarries({ regions }: Pick<RuleSite, 'regions'>, body: Program, first: number, carries: number, moving: readonly boolean[]): Moving {
  let active = moving;
  for (;;) {
    const region = regions.linearize(body, active);
    const further = range(carries, first).filter((at) => !active[at] && region.results[at - first] !== undefined);
    if (further.length === 0) return { active, region };
    active = active.map((is, at) => is || further.includes(at));
  }
}

/** The tangents of a body from what it computed before: operands, the outputs `kept` with its residuals, the tangents of active operands. */
export function keptBody(region: RegionTangents, own: Program, operands: readonly number[], kept: readonly number[], active: readonly boolean[], live: readonly number[]): Program {
  const { primal, residuals, tangent, results } = region;
  const builder = new Builder();
  const given = operands.map((at) => builder.input((primal.inputs[at] as Var).type));
  const values = kept.map((at) => builder.input((own.outputs[at] as Atom).type));
  const moving = primal.inputs.flatMap(({ type }, at) => (active[at] === true ? [builder.input(type)] : []));
  const found = residuals.map((residual): Atom => (residual.kind === 'input' ? (given[operands.indexOf(residual.index)] as Var) : (values[kept.indexOf(own.outputs.indexOf(residualValue(region, residual)))] as Var)));
  const outputs = replayInto(builder, tangent, new Map([...found, ...moving].map((value, at) => [tangent.inputs[at] as Var, value])));
  for (const constraint of tangent.constraints) builder.require(constraint);
  return builder.build(live.map((at) => (results[at] === undefined ? zerosIn(builder, (primal.outputs[at] as Atom).type) : (outputs[results[at]] as Atom))));
}

/**
 * A body that takes operands and the tangents of active ones, computes again (through `again`) what the tangents read, and gives
 * those of the outputs `live`, zeros where nothing flows.
 */
export function recomputingBody({ primal, residuals, tangent, results }: RegionTangents, operands: readonly TensorType[], active: readonly boolean[], live: readonly number[], again: (input: Var) => Var): Program {
  const builder = new Builder();
  const inputs = operands.map((type) => builder.input(type));
  const moving = operands.flatMap((type, at) => (active[at] === true ? [builder.input(type)] : []));
  const values = inputs.map(again);
  const made = replayInto(builder, primal, new Map<Var, Atom>(primal.inputs.map((input, at) => [input, values[at] as Var])));
  const outputs = results.length;
  const given: readonly Atom[] = [...residuals.map(({ kind, index }) => (kind === 'input' ? (values[index] as Var) : (made[outputs + index] as Atom))), ...moving];
  const found = replayInto(builder, tangent, new Map(tangent.inputs.map((input, at) => [input, given[at] as Atom])));
  for (const constraint of [...primal.constraints, ...tangent.constraints]) builder.require(constraint);
  return builder.build(live.map((at) => (results[at] === undefined ? zerosIn(builder, (primal.outputs[at] as Atom).type) : (found[results[at]] as Atom))));
}

/** The sums so far of the linear inputs that have one: operands of the transposed operation, and which of all inputs they belong to. */
export function runningSums(ctx: RuleContext, linear: readonly number[]): { readonly sums: readonly Var[]; readonly summed: readonly boolean[] } {
  const found = ctx.inputTypes.map((_, at) => (linear.includes(at) ? ctx.running(at) : undefined));
  return { sums: found.filter((sum) => sum !== undefined), summed: found.map((sum) => sum !== undefined) };
}

/** A transposed body that gives the cotangent of every linear input, of these types: zeros where nothing flows. */
export function wholeCotangents({ program, results }: RegionCotangents, types: readonly TensorType[]): Program {
  const builder = new Builder();
  const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type)]));
  for (const constraint of program.constraints) builder.require(constraint);
  const outputs = replayInto(builder, program, env);
  return builder.build(types.map((type, which) => (results[which] === undefined ? zerosIn(builder, type) : (outputs[results[which]] as Atom))));
}
