import type { Atom, Instruction, Program, Var } from '../contract.ts';

/**
 * Rebuilds a program with some values replaced by others. `replace` sees each instruction with its inputs already
 * replaced and names what stands for its outputs, or undefined to keep it.
 */
export function rewrite(program: Program, replace: (instruction: Instruction, inputs: readonly Atom[]) => readonly Atom[] | undefined): Program {
  const stands = new Map<Atom, Atom>();
  const now = (atom: Atom): Atom => stands.get(atom) ?? atom;
  const instructions: Instruction[] = [];
  for (const instruction of program.instructions) {
    const inputs = instruction.inputs.map(now);
    const found = replace(instruction, inputs);
    if (found === undefined) instructions.push(inputs.every((input, at) => input === instruction.inputs[at]) ? instruction : { ...instruction, inputs });
    else instruction.outputs.forEach((output: Var, at) => stands.set(output, found[at] as Atom));
  }
  return { ...program, instructions, outputs: program.outputs.map(now) };
}
