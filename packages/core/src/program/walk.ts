import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { invariant } from '../errors.ts';
import { symbolIntroducedBy, visitSymbols } from './introduced.ts';
import { isLiteral } from './literal.ts';
import { ValueSet } from './numbered-map.ts';

/** What values stand for. */
export interface ValueEnv<V> {
  get(variable: Var): V | undefined;
  set(variable: Var, value: V): unknown;
}

/**
 * Carries out a program's instructions in order through `emit`, starting from `env` (its inputs and bound inputs must be
 * set), and gives the values of its outputs. Every interpreter, transform and front end replays programs through this.
 */
export function replayProgram<V>(program: Program, env: ValueEnv<V>, literal: (atom: Atom & { literal: true }) => V, emit: (instruction: Instruction, inputs: readonly V[]) => readonly V[]): readonly V[] {
  const value = (atom: Atom): V => (isLiteral(atom) ? literal(atom) : lookUp(env, atom));
  const { instructions } = program;
  for (let at = 0; at < instructions.length; at++) {
    const instruction = instructions[at] as Instruction;
    const outputs = emit(instruction, instruction.inputs.map(value));
    for (let index = 0; index < instruction.outputs.length; index++) env.set(instruction.outputs[index] as Var, outputs[index] as V);
  }
  return program.outputs.map(value);
}

export function lookUp<V>(env: Pick<ValueEnv<V>, 'get'>, variable: Var): V {
  const value = env.get(variable);
  // The text is made where it is needed only: this runs for every operand.
  if (value === undefined) invariant(false, `%${variable.id} is used before it is defined`);
  return value;
}

/** The instructions that the outputs need, in order: those that give the values they read, and define the extents they have. */
export function liveInstructions(program: Program): readonly Instruction[] {
  const needed = new ValueSet(program.outputs);
  const symbols = new Set<string>();
  const symbolic = program.instructions.some(({ operation }) => operation.traits.extent !== undefined);
  const kept: Instruction[] = [];
  for (let at = program.instructions.length - 1; at >= 0; at--) {
    const instruction = program.instructions[at] as Instruction;
    const introduced = symbolic ? symbolIntroducedBy(instruction) : undefined;
    if (!needed.hasAny(instruction.outputs) && (introduced === undefined || !symbols.has(introduced))) continue;
    kept.push(instruction);
    needed.addAll(instruction.inputs);
    if (symbolic) visitSymbols(instruction, (symbol) => void symbols.add(symbol));
  }
  return kept.reverse();
}
