import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { ValueMap } from '../program/numbered-map.ts';

/**
 * Rebuilds a program with some values replaced by others. `replace` sees each instruction with its inputs already
 * replaced and names what stands for its outputs, or undefined to keep it. What nothing changes stays the same object.
 */
export function rewrite(program: Program, replace: (instruction: Instruction, inputs: readonly Atom[]) => readonly Atom[] | undefined): Program {
  const stands = new ValueMap<Atom>();
  let replaced = 0;
  const now = (atom: Atom): Atom => stands.get(atom) ?? atom;
  const instructions: Instruction[] = [];
  for (const instruction of program.instructions) {
    const inputs = replaced === 0 || instruction.inputs.every((input) => now(input) === input) ? instruction.inputs : instruction.inputs.map(now);
    const found = replace(instruction, inputs);
    if (found === undefined) instructions.push(inputs === instruction.inputs ? instruction : { ...instruction, inputs });
    else {
      replaced++;
      instruction.outputs.forEach((output: Var, at) => stands.set(output, found[at] as Atom));
    }
  }
  return replaced === 0 ? program : { ...program, instructions, outputs: program.outputs.map(now) };
}
