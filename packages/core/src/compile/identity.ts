import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { authored } from '../program/authored.ts';
import { paramsKey } from '../program/print.ts';
import { sameType } from '../types/tensor-type.ts';
import { rewrite } from './rewrite.ts';

/**
 * Uses the input of an identity instead of its output, and the value that was rearranged and then rearranged back (`traits.undo`) instead
 * of what that gives. Differentiation has run by now; only it needs them.
 */
export function forwardIdentities(program: Program): Program {
  if (!program.instructions.some(({ operation: { traits } }) => traits.identity === true || traits.undo !== undefined)) return program;
  const rearranged = new Map<Atom, Instruction>();
  return rewrite(program, (instruction, inputs) => {
    const { operation, outputs } = instruction;
    if (operation.traits.identity === true) return inputs;
    if (operation.traits.undo === undefined) return undefined;
    const before = rearranged.get(inputs[0] as Atom);
    if (before !== undefined && isUndone(before, instruction)) return before.inputs;
    rearranged.set(outputs[0] as Var, { ...instruction, inputs });
    return undefined;
  });
}

function isUndone({ operation, params, inputs: [x] }: Instruction, by: Instruction): boolean {
  if (by.operation !== operation || !sameType((x as Atom).type, (by.outputs[0] as Var).type)) return false;
  const undo = authored(operation, 'traits', () => operation.traits.undo?.(params, (x as Atom).type));
  return undo !== undefined && paramsKey(undo) === paramsKey(by.params);
}
