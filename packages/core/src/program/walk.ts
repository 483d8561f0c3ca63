import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { invariant } from '../errors.ts';
import { symbolIntroducedBy, visitSymbols } from './introduced.ts';
import { isLiteral } from './literal.ts';

/**
 * Carries out a program's instructions in order through `emit`, starting from `env` (its inputs and bound inputs must be
 * set), and gives the values of its outputs. Every interpreter, transform and front end replays programs through this.
 */
export function replayProgram<V>(program: Program, env: Map<Var, V>, literal: (atom: Atom & { literal: true }) => V, emit: (instruction: Instruction, inputs: readonly V[]) => readonly V[]): readonly V[] {
  const value = (atom: Atom): V => (isLiteral(atom) ? literal(atom) : lookUp(env, atom));
  for (const instruction of program.instructions) {
    const outputs = emit(instruction, instruction.inputs.map(value));
    instruction.outputs.forEach((output, index) => env.set(output, outputs[index] as V));
  }
  return program.outputs.map(value);
}

export function lookUp<V>(env: ReadonlyMap<Var, V>, variable: Var): V {
  const value = env.get(variable);
  invariant(value !== undefined, `%${variable.id} is used before it is defined`);
  return value;
}

/** The instructions that the outputs need, in order: those that give the values they read, and define the extents they have. */
export function liveInstructions(program: Program): readonly Instruction[] {
  const needed = new Set<Atom | string>(program.outputs);
  const symbolic = program.instructions.some(({ operation }) => operation.traits.extent !== undefined);
  const kept: Instruction[] = [];
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const instruction = program.instructions[at] as Instruction;
    const introduced = symbolic ? symbolIntroducedBy(instruction) : undefined;
    if (!instruction.outputs.some((output) => needed.has(output)) && (introduced === undefined || !needed.has(introduced))) continue;
    kept.push(instruction);
    for (const input of instruction.inputs) needed.add(input);
    if (symbolic) visitSymbols(instruction, (symbol) => void needed.add(symbol));
  }
  return kept.reverse();
}
