import type { Program } from '../contract.ts';
import { liveInstructions } from '../program/walk.ts';

/** Drops instructions whose outputs nobody needs. */
export function prune(program: Program): Program {
  const instructions = liveInstructions(program);
  return instructions.length === program.instructions.length ? program : { ...program, instructions };
}
