import { type Instruction, isLiteral, type Program, type Var } from '@tf/core';
import { type HostValue, interpretProgram } from '@tf/testkit';

/** One instruction as a program: what it reads are its inputs. */
export function single(instruction: Instruction): Program {
  const inputs = [...new Set(instruction.inputs.filter((input): input is Var => !isLiteral(input)))];
  return { inputs, bound: [], instructions: [instruction], outputs: instruction.outputs, constraints: [] };
}

/** What the interpreter says an instruction gives; `operands` is in the order of its inputs, anything for literals. */
export function reference(instruction: Instruction, operands: readonly (HostValue | undefined)[]): readonly HostValue[] {
  const { name, traits } = instruction.operation;
  if (traits.barrier === true) return [operands[0] as HostValue];
  const program = single(instruction);
  const saturates = name === 'erf' || name === 'erfc';
  return interpretProgram(program, program.inputs.map((input) => {
    const operand = operands[instruction.inputs.indexOf(input)] as HostValue;
    return saturates ? clamped(operand) : operand;
  }));
}

/**
 * Operands within ±40, beyond which erf and erfc are constant in every dtype: the interpreter's continued fraction splits
 * x² and meets 0·∞ for arguments from about 1e5 on.
 */
function clamped({ type, data }: HostValue): HostValue {
  const copy = data.slice() as Float64Array;
  copy.forEach((x, at) => void (copy[at] = Math.max(-40, Math.min(40, x))));
  return { type, data: copy };
}

/** What an instruction reads, literals included. */
export function operandsOf(instruction: Instruction, values: ReadonlyMap<Var, HostValue>): readonly HostValue[] {
  return instruction.inputs.map((input) => (isLiteral(input) ? { type: input.type, data: input.data } : (values.get(input) as HostValue)));
}
