import { type AdContext, type Instruction, isInexact, isTfError, type RuleRequest, type TensorType } from '@tf/core';

/** How one operation is recorded for one choice of tracked inputs. */
export interface Recipe {
  /** Never given twice in a runtime: traces are compared by these numbers. */
  readonly id: number;
  /** The operation, its parameters and types, as an instruction to copy. */
  readonly instruction: Instruction;
  /** The inputs that are tracked, in order. */
  readonly active: readonly number[];
  /** What reverse reads: input i as i, output j as −1 − j. */
  readonly residuals: readonly number[];
  /** Which outputs carry a tangent. */
  readonly tracks: readonly boolean[];
}

/** The residuals are those of the reverse derivative with all floating outputs live (contracts.md §4). */
export function createRecipe(context: AdContext, id: number, instruction: Instruction, active: readonly number[]): Recipe {
  const tracks = instruction.outputs.map((output) => isInexact(output.type.dtype));
  const mask = instruction.inputs.map((_, index) => active.includes(index));
  const types = (values: readonly { readonly type: TensorType }[]): readonly TensorType[] => values.map((value) => value.type);
  const { operation, params } = instruction;
  const request: RuleRequest = { operation, params, inputTypes: types(instruction.inputs), outputTypes: types(instruction.outputs), active: mask, live: tracks };
  return { id, instruction, active, residuals: residualsOf(context, request), tracks };
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
