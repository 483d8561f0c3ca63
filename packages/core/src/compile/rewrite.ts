import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { ValueMap } from '../program/numbered-map.ts';

/**
 * Rebuilds a program with some values replaced by others. `replace` sees each instruction with its inputs already
 * replaced and names what stands for its outputs, or undefined to keep it. What nothing changes stays the same object.
 */
export function rewrite(program: Program, replace: (instruction: Instruction, inputs: readonly Atom[]) => readonly Atom[] | undefined): Program {
  const stands = new ValueMap<Atom>();
  // Made at the first replacement: most often there is none.
  let instructions: Instruction[] | undefined;
  for (let at = 0; at < program.instructions.length; at++) {
    const instruction = program.instructions[at] as Instruction;
    const inputs = instructions === undefined ? instruction.inputs : standing(instruction.inputs, stands);
    const found = replace(instruction, inputs);
    if (found === undefined) instructions?.push(inputs === instruction.inputs ? instruction : { ...instruction, inputs });
    else {
      instructions ??= program.instructions.slice(0, at);
      instruction.outputs.forEach((output: Var, place) => stands.set(output, found[place] as Atom));
    }
  }
  return instructions === undefined ? program : { ...program, instructions, outputs: standing(program.outputs, stands) };
}

/** What stands for these; the same list where nothing does. */
function standing(atoms: readonly Atom[], stands: ValueMap<Atom>): readonly Atom[] {
  let changed: Atom[] | undefined;
  for (let at = 0; at < atoms.length; at++) {
    const now = stands.get(atoms[at] as Atom);
    if (now !== undefined) (changed ??= atoms.slice())[at] = now;
  }
  return changed ?? atoms;
}
