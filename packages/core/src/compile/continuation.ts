import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { isLiteral } from '../program/literal.ts';

/**
 * Which input of a region an output goes on from: it is that input but for the places that were changed since, so that it is best
 * computed where the input lies. Undefined for an output that is computed anew.
 */
export function continuedInput(region: Program, output: number): number | undefined {
  const makers = new Map<Atom, Instruction>(region.instructions.flatMap((instruction) => instruction.outputs.map((made): [Atom, Instruction] => [made, instruction])));
  let value: Atom | undefined = region.outputs[output];
  for (let maker = value && makers.get(value); maker !== undefined; maker = value && makers.get(value)) value = continuedBy(maker, value as Var);
  const at = value === undefined || isLiteral(value) ? -1 : region.inputs.indexOf(value);
  return at < 0 ? undefined : at;
}

function continuedBy({ operation: { traits }, params, inputs, outputs }: Instruction, value: Var): Atom | undefined {
  if (traits.scatter !== undefined || traits.boxAdd !== undefined || traits.undo !== undefined || traits.identity === true) return inputs[0];
  const control = traits.control?.(params);
  const which = outputs.indexOf(value);
  if (control?.kind === 'scan') return which < control.carries ? inputs[control.constants + which] : undefined;
  if (control?.kind === 'while') return inputs[control.conditionConstants + control.bodyConstants + which];
  if (control?.kind !== 'branch') return undefined;
  const at = continuedByAny(control.branches, which);
  return at === undefined ? undefined : inputs[at + 1];
}

/** The input that the output of at least one of some branches goes on from, and that of no branch from another. */
export function continuedByAny(branches: readonly Program[], output: number): number | undefined {
  const found = new Set(branches.map((branch) => continuedInput(branch, output)).filter((at) => at !== undefined));
  const [at] = found;
  return found.size === 1 ? at : undefined;
}
