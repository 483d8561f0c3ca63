import type { Program } from '../contract.ts';
import { rewrite } from './rewrite.ts';

/** Uses the input of an identity instead of its output. Differentiation has run by now; only it needs them. */
export function forwardIdentities(program: Program): Program {
  return rewrite(program, (instruction, inputs) => (instruction.operation.traits.identity === true ? inputs : undefined));
}
