import { type AdContext, type Instruction, isInexact, isLiteral, isTfError, requestFor, type RuleRequest } from '@tf/core';

/** How one operation is recorded for one choice of tracked inputs. */
export interface Recipe {
  /** Never given twice in a runtime: traces are compared by these numbers. */
  readonly id: number;
  /** The operation, its parameters and types, as an instruction to copy. */
  readonly instruction: Instruction;
  /** The inputs that are tracked, in order. */
  readonly active: readonly number[];
  /** What reverse reads: input i as i, output j as −1 − j. Literals are in the instruction. */
  readonly residuals: readonly number[];
  /** Which outputs carry a tangent. */
  readonly tracks: readonly boolean[];
}

/** The residuals are those of the reverse derivative with all floating outputs live (contracts.md §4). */
export function createRecipe(context: AdContext, id: number, instruction: Instruction, active: readonly number[]): Recipe {
  const tracks = instruction.outputs.map((output) => isInexact(output.type.dtype));
  const request = requestFor(instruction, instruction.inputs.map((_, index) => active.includes(index)), tracks);
  const residuals = residualsOf(context, request).filter((residual) => residual < 0 || !isLiteral(instruction.inputs[residual] as Instruction['inputs'][number]));
  return { id, instruction, active, residuals, tracks };
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
