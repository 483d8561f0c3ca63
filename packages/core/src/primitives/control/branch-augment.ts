import type { Atom, Augmented, Covered, Narrowed, Operation, Params, Program, RegionTangents, RuleSite, Var } from '../../contract.ts';
import { Builder } from '../../program/builder.ts';
import { sameType, type TensorType } from '../../types/tensor-type.ts';
import { range, replayInto, zerosIn } from './region.ts';
import { type Forms, formsOf, liveOutputs, newestForm, residualValue, withoutOutputs } from './residual-outputs.ts';

export interface BranchParams {
  /** Each takes all inputs but the index. */
  readonly branches: readonly Program[];
  /** The inputs in which the whole is linear. */
  readonly linear: readonly number[];
  readonly forms?: Forms;
}

export function branchParams(params: Params): BranchParams {
  return params as unknown as BranchParams;
}

/** What a branch computed that its tangents read. */
export function innerResiduals(region: RegionTangents): readonly Atom[] {
  return region.residuals.filter(({ kind }) => kind === 'further').map((residual) => residualValue(region, residual));
}

/**
 * Branches give what their tangents read. They have different residuals, so a further output is the residual of its type that the
 * branch taken has next, and zeros where that has none.
 */
export function augmentBranch(site: RuleSite): Augmented | undefined {
  const params = branchParams(site.params);
  const { branches, linear } = params;
  if (site.active.every((is, at) => !is || linear.includes(at))) return undefined;
  const regions = branches.map((branch) => site.regions.linearize(liveOutputs(branch, site.live).program, site.active.slice(1)));
  const missing = regions.map((region, which) => innerResiduals(region).filter((value) => !(branches[which] as Program).outputs.includes(value)));
  if (missing.every((values) => values.length === 0)) return undefined;
  const slots = slotTypes(missing);
  const augmented = branches.map((branch, which) => withSlots({ ...(regions[which] as RegionTangents).primal, outputs: branch.outputs }, missing[which] as readonly Atom[], slots));
  return { operation: site.operation, params: { branches: augmented, linear: [], forms: [...formsOf(params), ...branches, linear] } };
}

/** As many of each type as the branch with the most residuals of it has. */
function slotTypes(missing: readonly (readonly Atom[])[]): readonly TensorType[] {
  const slots: TensorType[] = [];
  for (const values of missing) {
    const left = [...slots];
    for (const { type } of values) {
      const at = left.findIndex((slot) => sameType(slot, type));
      if (at < 0) slots.push(type);
      else left.splice(at, 1);
    }
  }
  return slots;
}

function withSlots(program: Program, values: readonly Atom[], slots: readonly TensorType[]): Program {
  const builder = new Builder();
  const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type)]));
  for (const constraint of program.constraints) builder.require(constraint);
  const outputs = replayInto(builder, { ...program, outputs: [...program.outputs, ...values] }, env);
  const left = outputs.slice(program.outputs.length);
  const filled = slots.map((type) => {
    const at = left.findIndex((value) => sameType(value.type, type));
    return at < 0 ? zerosIn(builder, type) : (left.splice(at, 1)[0] as Atom);
  });
  return builder.build([...outputs.slice(0, program.outputs.length), ...filled]);
}

export function coveredByBranch(operation: Operation, given: Params): Covered | undefined {
  const { branches, forms } = branchParams(given);
  const form = newestForm(forms ?? [], branches.length);
  if (form === undefined) return undefined;
  return { operation, params: { branches: form.programs, linear: form.linear, ...form.before }, outputs: range((form.programs[0] as Program).outputs.length) };
}

/** Without the outputs that nobody reads and the inputs that only these needed. */
export function pruneBranch(operation: Operation, given: Params, live: readonly boolean[], count: number): Narrowed | undefined {
  const { branches, linear } = branchParams(given);
  const outputs = live.flatMap((is, at) => (is ? [at] : []));
  const left = branches.map((branch) => withoutOutputs(branch, outputs));
  const inputs = range(count).filter((at) => at === 0 || left.some(({ reads }, which) => reads.has((branches[which] as Program).inputs[at - 1] as Var)));
  if (inputs.length === count && outputs.length === live.length) return undefined;
  const kept = left.map(({ program }) => ({ ...program, inputs: inputs.slice(1).map((at) => program.inputs[at - 1] as Var) }));
  return { operation, params: { branches: kept, linear: linear.flatMap((at) => (inputs.includes(at) ? [inputs.indexOf(at)] : [])) }, inputs, outputs: live.map((is, at) => (is ? outputs.indexOf(at) : undefined)) };
}
