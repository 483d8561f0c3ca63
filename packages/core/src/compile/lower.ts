import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { loweredProgram, wrongLowering } from '../program/lowering.ts';
import { operationKey } from '../program/operation-key.ts';
import { paramsKey } from '../program/print.ts';
import { dedupe } from './dedupe.ts';
import { expand } from './expand.ts';
import { forwardIdentities } from './identity.ts';
import { inlineCalls } from './inline.ts';
import { type CompileTarget, createTarget, kernelCall, type Target } from './target.ts';

/** Lowerings of lowerings beyond which there is no end to be expected: a recursion that halves a size is done long before. */
const MAXIMUM_DEPTH = 64;

/** Puts what operations are lowered to in their places, where the target has no kernel for them. */
export function lower(program: Program, target: CompileTarget = createTarget()): Program {
  if (!program.instructions.some((instruction) => isLowered(instruction, target))) return program;
  return dedupe(forwardIdentities(expand(program, (instruction) => lowered(instruction, target, []))), target);
}

function isLowered(instruction: Instruction, target: Target): boolean {
  return instruction.operation.lower !== undefined && kernelCall(instruction, target) === undefined && target.carries?.(instruction) !== true;
}

/** Nothing in it is left to lower. `path` leads from an instruction of the program to this one. */
function lowered(instruction: Instruction, target: Target, path: readonly string[]): Program | undefined {
  if (!isLowered(instruction, target)) return undefined;
  const { operation, params, inputs } = instruction;
  const key = `${operationKey(operation)}{${paramsKey(params)}}(${inputs.map((input: Atom | Var) => input.type.key).join()})`;
  const known = target.lowered.get(key);
  if (known !== undefined) return known;
  const further = [...path, key];
  if (path.includes(key)) throw wrongLowering(operation, `leads back to itself: ${further.slice(path.indexOf(key)).join(' → ')}. Lower to core's operations or to smaller ones`);
  if (path.length >= MAXIMUM_DEPTH) throw wrongLowering(operation, `goes on after ${MAXIMUM_DEPTH} operations: ${further.slice(0, 3).join(' → ')} → …. Lower to core's operations or to smaller ones`);
  const body = inlineCalls(loweredProgram(instruction) as Program);
  const program = expand(body, (inner) => lowered(inner, target, further));
  target.lowered.set(key, program);
  return program;
}
