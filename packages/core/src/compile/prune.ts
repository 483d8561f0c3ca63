import type { Program } from '../contract.ts';
import { liveInstructions } from '../program/walk.ts';
import type { ProgramIndex } from './program-index.ts';
import { type CompileTarget, createTarget, indexOf } from './target.ts';

/** Drops instructions whose outputs nobody needs. */
export function prune(program: Program, target: CompileTarget = createTarget()): Program {
  if (everythingIsRead(indexOf(program, target))) return program;
  const instructions = liveInstructions(program);
  return instructions.length === program.instructions.length ? program : { ...program, instructions };
}

/** Whether somebody reads each instruction: the last one that nobody needs, nobody would read. */
function everythingIsRead({ instructions, firstOutput, readerStart, isOutput }: ProgramIndex): boolean {
  for (let at = 0; at < instructions.length; at++) {
    let value = firstOutput[at] as number;
    const end = firstOutput[at + 1] as number;
    while (value < end && isOutput[value] === 0 && readerStart[value] === readerStart[value + 1]) value++;
    if (value === end) return false;
  }
  return true;
}
