import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import { replayProgram } from '../program/walk.ts';

/**
 * Puts programs in the places of instructions: `bodyOf` says which, or undefined for an instruction that stays. It is asked
 * about the instructions of bodies too.
 */
export function expand(program: Program, bodyOf: (instruction: Instruction) => Program | undefined): Program {
  const builder = new Builder();
  const env = new Map<Var, Atom>();
  for (const input of program.inputs) env.set(input, builder.input(input.type, input.name));
  for (const { variable, value } of program.bound) env.set(variable, builder.bind(variable.type, value));
  for (const constraint of program.constraints) builder.require(constraint);
  const emit = (instruction: Instruction, inputs: readonly Atom[]): readonly Atom[] => {
    const body = bodyOf(instruction);
    if (body === undefined) return builder.replay(instruction, inputs);
    return replayProgram<Atom>(body, new Map(body.inputs.map((input, at) => [input, inputs[at] as Atom])), (atom) => atom, emit);
  };
  return builder.build(replayProgram<Atom>(program, env, (atom) => atom, emit));
}
