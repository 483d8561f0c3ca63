import { type Instruction, isLiteral, type Program, type Var } from '@tf/core';
import { type HostValue, interpretProgram } from '@tf/testkit';

/** One instruction as a program: what it reads are its inputs. */
export function single(instruction: Instruction): Program {
  const inputs = [...new Set(instruction.inputs.filter((input): input is Var => !isLiteral(input)))];
  return { inputs, bound: [], instructions: [instruction], outputs: instruction.outputs, constraints: [] };
}

/**
 * What the interpreter says an instruction gives; `operands` is in the order of its inputs, anything for literals. Running values have
 * one order, so every rounding of theirs is fixed.
 */
export function reference(instruction: Instruction, operands: readonly (HostValue | undefined)[], arithmetic: 'wide' | 'exact' = instruction.operation.traits.scan === undefined ? 'wide' : 'exact'): readonly HostValue[] {
  const program = single(instruction);
  return interpretProgram(program, program.inputs.map((input) => operands[instruction.inputs.indexOf(input)] as HostValue), { arithmetic });
}

/** What an instruction reads, literals included. */
export function operandsOf(instruction: Instruction, values: ReadonlyMap<Var, HostValue>): readonly HostValue[] {
  return instruction.inputs.map((input) => (isLiteral(input) ? { type: input.type, data: input.data } : (values.get(input) as HostValue)));
}
