import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { symbolIntroducedBy, visitSymbols } from '../program/introduced.ts';
import { isLiteral } from '../program/literal.ts';
import { ValueMap } from '../program/numbered-map.ts';

/**
 * A program by numbers: values and instructions as indices, so that passes over 100 000s of instructions walk arrays.
 * Instruction i reads the values `inputs[inputStart[i] … inputStart[i + 1])`, its operands and then what decides extents that it
 * mentions, where −1 stands for a literal; value v is read
 * by the instructions `readers[readerStart[v] … readerStart[v + 1])` (one that reads it twice stands there twice).
 */
export interface ProgramIndex {
  readonly instructions: readonly Instruction[];
  readonly inputStart: Int32Array;
  readonly inputs: Int32Array;
  /** Instruction i gives the values `firstOutput[i] … firstOutput[i + 1]`. */
  readonly firstOutput: Int32Array;
  /** Per value: the instruction that gives it, or −1. */
  readonly producer: Int32Array;
  readonly readerStart: Int32Array;
  readonly readers: Int32Array;
  /** Per value: 1 if the program gives it out. */
  readonly isOutput: Uint8Array;
}

export function indexProgram(program: Program): ProgramIndex {
  const { instructions } = program;
  const numbers = new ValueMap<number>();
  let count = 0;
  for (const input of program.inputs) numbers.set(input, count++);
  for (const { variable } of program.bound) numbers.set(variable, count++);
  const reads = extentReads(instructions);
  const extents = reads && instructions.map(reads);
  const firstOutput = new Int32Array(instructions.length + 1);
  const inputStart = new Int32Array(instructions.length + 1);
  for (let at = 0; at < instructions.length; at++) {
    const { inputs, outputs } = instructions[at] as Instruction;
    firstOutput[at] = count;
    for (let place = 0; place < outputs.length; place++) numbers.set(outputs[place] as Var, count++);
    inputStart[at + 1] = (inputStart[at] as number) + inputs.length + (extents?.[at]?.length ?? 0);
  }
  firstOutput[instructions.length] = count;
  const inputs = new Int32Array(inputStart[instructions.length] as number).fill(-1);
  const producer = new Int32Array(count).fill(-1);
  for (let at = 0; at < instructions.length; at++) {
    const { inputs: operands } = instructions[at] as Instruction;
    for (let value = firstOutput[at] as number; value < (firstOutput[at + 1] as number); value++) producer[value] = at;
    let place = inputStart[at] as number;
    for (let own = 0; own < operands.length; own++) {
      const input = operands[own] as Atom;
      inputs[place++] = isLiteral(input) ? -1 : (numbers.get(input) as number);
    }
    if (extents !== undefined) for (const input of extents[at] as readonly Atom[]) inputs[place++] = numbers.get(input) as number;
  }
  const isOutput = new Uint8Array(count);
  for (const output of program.outputs) if (!isLiteral(output)) isOutput[numbers.get(output) as number] = 1;
  return { instructions, inputStart, inputs, firstOutput, producer, isOutput, ...readersOf(inputStart, inputs, count) };
}

/** The values that decide extents which an instruction of these mentions; undefined where no run decides any. */
export function extentReads(instructions: readonly Instruction[]): ((instruction: Instruction) => readonly Atom[]) | undefined {
  const decidedBy = new Map<string, Atom>();
  for (const instruction of instructions) {
    const own = symbolIntroducedBy(instruction);
    if (own !== undefined) decidedBy.set(own, instruction.outputs[0] as Atom);
  }
  if (decidedBy.size === 0) return undefined;
  return (instruction) => {
    const needed = new Set<Atom>();
    visitSymbols(instruction, (symbol) => {
      const value = decidedBy.get(symbol);
      if (value !== undefined && value !== instruction.outputs[0]) needed.add(value);
    });
    return [...needed];
  };
}

function readersOf(inputStart: Int32Array, inputs: Int32Array, values: number): { readonly readerStart: Int32Array; readonly readers: Int32Array } {
  const readerStart = new Int32Array(values + 1);
  for (let place = 0; place < inputs.length; place++) {
    const value = inputs[place] as number;
    if (value >= 0) readerStart[value + 1]!++;
  }
  for (let value = 0; value < values; value++) readerStart[value + 1]! += readerStart[value] as number;
  const readers = new Int32Array(readerStart[values] as number);
  const next = readerStart.slice();
  for (let at = 0; at + 1 < inputStart.length; at++) {
    for (let place = inputStart[at] as number; place < (inputStart[at + 1] as number); place++) {
      const value = inputs[place] as number;
      if (value >= 0) readers[next[value]!++] = at;
    }
  }
  return { readerStart, readers };
}
