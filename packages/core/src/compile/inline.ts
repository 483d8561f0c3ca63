import type { Control, Instruction, Program } from '../contract.ts';
import { expand } from './expand.ts';

/** Puts the bodies of calls in their places. */
export function inlineCalls(program: Program): Program {
  // Told by the operation first: most programs have no control at all.
  return program.instructions.some((instruction) => instruction.operation.traits.control !== undefined && bodyOf(instruction) !== undefined) ? expand(program, bodyOf) : program;
}

function bodyOf({ operation, params }: Instruction): Program | undefined {
  const control: Control | undefined = operation.traits.control?.(params);
  return control?.kind === 'call' ? control.body : undefined;
}
