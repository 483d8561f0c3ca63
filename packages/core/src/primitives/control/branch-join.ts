import type { Atom, JoinedPair, Operation, Params, Program, SharedOperand, Var } from '../../contract.ts';
import { Builder } from '../../program/builder.ts';
import { type BranchParams, branchParams } from './branch-augment.ts';
import { range, replayInto } from './region.ts';

/** Branches that are one of the first and then one of the second, where both take the same one. */
export function joinBranches(operation: Operation, first: Params, second: Params, given: readonly (SharedOperand | undefined)[]): JoinedPair | undefined {
  const [before, after] = [branchParams(first).branches, branchParams(second).branches];
  const [index, ...sources] = given;
  if (index?.kind !== 'input' || index.index !== 0 || before.length !== after.length) return undefined;
  if (sources.some((source) => source?.kind === 'input' && source.index === 0)) return undefined;
  const [one, other] = [before[0] as Program, after[0] as Program];
  const taken = one.inputs.length + 1;
  // Every branch takes all operands but the index.
  const inputs = [...range(taken), ...sources.flatMap((source, at) => (source === undefined ? [taken + at + 1] : []))];
  const params: BranchParams = { branches: before.map((branch, at) => joinedBranch(branch, after[at] as Program, sources)), linear: [] };
  return { operation, params: { ...params }, inputs, outputs: range(one.outputs.length + other.outputs.length) };
}

function joinedBranch(first: Program, second: Program, sources: readonly (SharedOperand | undefined)[]): Program {
  const builder = new Builder();
  const own = first.inputs.map(({ type }) => builder.input(type));
  const further = second.inputs.map(({ type }, at) => (sources[at] === undefined ? builder.input(type) : undefined));
  for (const constraint of [...first.constraints, ...second.constraints]) builder.require(constraint);
  const made = replayInto(builder, first, new Map(first.inputs.map((input, at): [Var, Atom] => [input, own[at] as Var])));
  const given = sources.map((source, at) => (source === undefined ? further[at] : source.kind === 'output' ? made[source.index] : own[source.index - 1]) as Atom);
  const next = replayInto(builder, second, new Map(second.inputs.map((input, at): [Var, Atom] => [input, given[at] as Atom])));
  return builder.build([...made, ...next]);
}
