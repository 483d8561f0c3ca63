import { type AdContext, type Instruction, isInexact, isLiteral, isTfError, requestFor, type RuleRequest } from '@tf/core';

/** How one operation is recorded for one choice of tracked inputs. */
export interface Recipe {
  /** Never given twice in a runtime: traces are compared by these numbers. */
  readonly id: number;
  /** The operation, its parameters and types, as an instruction to copy. */
  readonly instruction: Instruction;
  /** The inputs that are tracked, in order. */
  readonly active: readonly number[];
  /** How many outputs the caller sees, the first ones. */
  readonly own: number;
  /** What reverse reads: input i as i, output j as −1 − j. Literals are in the instruction. */
  readonly residuals: readonly number[];
  /** Which outputs carry a tangent. */
  readonly tracks: readonly boolean[];
}

/**
 * The residuals are those of the reverse derivative with all floating outputs live (contracts.md §4). Of an augmented operation only
 * the first `own` outputs are; a second derivative goes through the others, and may run it again from its inputs.
 */
export function createRecipe(context: AdContext, id: number, instruction: Instruction, active: readonly number[], own: number = instruction.outputs.length): Recipe {
  const tracks = instruction.outputs.map((output) => isInexact(output.type.dtype));
  const request = requestFor(instruction, instruction.inputs.map((_, index) => active.includes(index)), tracks.map((is, at) => is && at < own));
  const read = residualsOf(context, request);
  const inputs = own === tracks.length ? [] : [...instruction.inputs.keys()].filter((index) => !read.includes(index));
  const residuals = [...read, ...inputs].filter((residual) => residual < 0 || !isLiteral(instruction.inputs[residual] as Instruction['inputs'][number]));
  return { id, instruction, active, own, residuals, tracks };
}

function residualsOf(context: AdContext, request: RuleRequest): readonly number[] {
  try {
    const residuals = context.local('reverse', request).inputs.filter(({ kind }) => kind !== 'tangent');
    return residuals.map(({ kind, index }) => (kind === 'input' ? index : -1 - index));
  } catch (error) {
    // An operation without a derivative still runs; whoever asks for one gets this error then. It may have one in fewer
    // inputs, so everything is kept.
    if (isTfError(error, 'UnsupportedRuleError') || isTfError(error, 'UnregisteredFamilyError')) return [...request.inputTypes.keys(), ...request.outputTypes.map((_, index) => -1 - index)];
    throw error;
  }
}
