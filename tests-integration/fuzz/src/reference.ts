import { type Dim, type Instruction, isLiteral, type Program, renameExtents, type Var } from '@tf/core';
import { type HostValue, interpretProgram } from '@tf/testkit';

/** Sizes that a run decided, by symbol. */
export type Sizes = ReadonlyMap<string, Dim>;

const none: Sizes = new Map();

/** The symbol that an instruction introduces, if it does. */
export function symbolOf({ operation, params }: Instruction): string | undefined {
  const symbol = operation.traits.extent?.(params).symbol;
  return symbol === undefined || typeof symbol === 'number' ? undefined : symbol.text;
}

/** What the run of a program decided. */
export function sizesOf({ instructions }: Program, values: ReadonlyMap<Var, HostValue>): Sizes {
  return new Map(instructions.flatMap((instruction): readonly (readonly [string, number])[] => {
    const symbol = symbolOf(instruction);
    return symbol === undefined ? [] : [[symbol, Number((values.get(instruction.outputs[0] as Var) as HostValue).data[0])]];
  }));
}

/** One instruction as a program: what it reads are its inputs, and extents that were decided before are numbers. */
export function single(instruction: Instruction, sizes: Sizes = none): Program {
  const inputs = variablesOf(instruction);
  const program: Program = { inputs, bound: [], instructions: [instruction], outputs: instruction.outputs, constraints: [] };
  const own = symbolOf(instruction);
  return renameExtents(program, own === undefined || !sizes.has(own) ? sizes : new Map([...sizes].filter(([symbol]) => symbol !== own)));
}

/** What an instruction reads, each once. */
export function variablesOf(instruction: Instruction): readonly Var[] {
  return [...new Set(instruction.inputs.filter((input): input is Var => !isLiteral(input)))];
}

/**
 * What the interpreter says an instruction gives; `operands` is in the order of its inputs, anything for literals. Running values have
 * one order, so every rounding of theirs is fixed.
 */
export function reference(instruction: Instruction, operands: readonly (HostValue | undefined)[], sizes: Sizes = none, arithmetic: 'wide' | 'exact' = instruction.operation.traits.scan === undefined ? 'wide' : 'exact'): readonly HostValue[] {
  return interpretProgram(single(instruction, sizes), variablesOf(instruction).map((input) => operands[instruction.inputs.indexOf(input)] as HostValue), { arithmetic });
}

/** A program that ran, and its values. */
export interface Visit {
  readonly program: Program;
  readonly values: ReadonlyMap<Var, HostValue>;
}

/** A program with its values, and every run of a program inside it: an iteration or a branch at a time, as the interpreter runs them. */
export function visitsOf(program: Program, values: ReadonlyMap<Var, HostValue>): readonly Visit[] {
  const inside: Visit[] = [];
  for (const instruction of program.instructions) {
    if (instruction.operation.traits.control === undefined) continue;
    interpretProgram(single(instruction, sizesOf(program, values)), variablesOf(instruction).map((input) => values.get(input) as HostValue), { watch: (region, own) => void inside.push({ program: region, values: own }) });
  }
  return [...inside, { program, values }];
}

/** What an instruction reads, literals included. */
export function operandsOf(instruction: Instruction, values: ReadonlyMap<Var, HostValue>): readonly HostValue[] {
  return instruction.inputs.map((input) => (isLiteral(input) ? { type: input.type, data: input.data } : (values.get(input) as HostValue)));
}
