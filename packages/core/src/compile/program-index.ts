import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { symbolIntroducedBy, visitSymbols } from '../program/introduced.ts';
import { isLiteral } from '../program/literal.ts';
import { Codes } from './codes.ts';
import { ValueNumbers } from './value-numbers.ts';

/**
 * A program by numbers: values and instructions as indices, so that passes over 100 000s of instructions walk arrays.
 * Instruction i reads the values `inputs[inputStart[i] … inputStart[i + 1])`, its operands and then what decides extents that it
 * mentions; a literal is −1 − its code. Value v is read
 * by the instructions `readers[readerStart[v] … readerStart[v + 1])` (one that reads it twice stands there twice).
 */
export interface ProgramIndex {
  readonly program: Program;
  readonly instructions: readonly Instruction[];
  readonly numbers: ValueNumbers;
  readonly codes: Codes;
  /** Per instruction: the code of its operation with its parameters. */
  readonly operations: Int32Array;
  /** Per value: the code of its type. */
  readonly types: Int32Array;
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
  /** Whether a run decides extents: then instructions read what decides them, too. */
  readonly decidesExtents: boolean;
}

/** The indices of the programs of one compile, each made once. */
export class ProgramIndices {
  readonly codes: Codes = new Codes();
  readonly #known = new WeakMap<Program, ProgramIndex>();

  of(program: Program): ProgramIndex {
    let index = this.#known.get(program);
    if (index === undefined) this.#known.set(program, (index = indexProgram(program, this.codes)));
    return index;
  }

  /** Takes in an index that was made of another one. */
  add(index: ProgramIndex): void {
    this.#known.set(index.program, index);
  }
}

/** Programs whose indices share `codes` have one number for one thing. */
export function indexProgram(program: Program, codes: Codes = new Codes()): ProgramIndex {
  const { instructions } = program;
  const reads = extentReads(instructions);
  const extents = reads && instructions.map(reads);
  const values: Var[] = [...program.inputs];
  for (const { variable } of program.bound) values.push(variable);
  const operations = new Int32Array(instructions.length);
  const firstOutput = new Int32Array(instructions.length + 1);
  const inputStart = new Int32Array(instructions.length + 1);
  for (let at = 0; at < instructions.length; at++) {
    const instruction = instructions[at] as Instruction;
    const { outputs } = instruction;
    operations[at] = codes.operations.of(instruction);
    firstOutput[at] = values.length;
    for (let place = 0; place < outputs.length; place++) values.push(outputs[place] as Var);
    inputStart[at + 1] = (inputStart[at] as number) + instruction.inputs.length + (extents?.[at]?.length ?? 0);
  }
  firstOutput[instructions.length] = values.length;
  const numbers = new ValueNumbers(values);
  const inputs = new Int32Array(inputStart[instructions.length] as number);
  const producer = new Int32Array(values.length).fill(-1);
  for (let at = 0; at < instructions.length; at++) {
    const { inputs: operands } = instructions[at] as Instruction;
    for (let value = firstOutput[at] as number; value < (firstOutput[at + 1] as number); value++) producer[value] = at;
    let place = inputStart[at] as number;
    for (let own = 0; own < operands.length; own++) {
      const input = operands[own] as Atom;
      inputs[place++] = isLiteral(input) ? -1 - codes.literals.of(input) : numbers.of(input);
    }
    if (extents !== undefined) for (const input of extents[at] as readonly Var[]) inputs[place++] = numbers.of(input);
  }
  const types = new Int32Array(values.length);
  for (let value = 0; value < values.length; value++) types[value] = codes.types.of((values[value] as Var).type);
  return { program, instructions, numbers, codes, operations, types, inputStart, inputs, firstOutput, producer, isOutput: outputsOf(program, numbers), decidesExtents: extents !== undefined, ...readersOf(inputStart, inputs, values.length) };
}

/**
 * The index of `program`, which has the instructions of the old index that `isKept` says, with the values that `standsFor` gives in the places
 * of old operands. Nothing is looked up anew. Not where a run decides extents: who decides which may change.
 */
export function indexRest(program: Program, old: ProgramIndex, isKept: Uint8Array, standsFor: Int32Array): ProgramIndex {
  const { instructions } = program;
  const operations = new Int32Array(instructions.length);
  const firstOutput = new Int32Array(instructions.length + 1);
  const inputStart = new Int32Array(instructions.length + 1);
  const inputs = new Int32Array(old.inputs.length);
  const values: Var[] = [];
  const producer = new Int32Array(old.producer.length).fill(-1);
  const types = new Int32Array(old.producer.length);
  const newNumber = new Int32Array(old.producer.length);
  const keep = (value: number): void => {
    newNumber[value] = values.length;
    types[values.length] = old.types[value] as number;
    values.push(old.numbers.values[value] as Var);
  };
  for (let value = 0; value < (old.firstOutput[0] as number); value++) keep(value);
  let [at, place] = [0, 0];
  for (let from = 0; from < isKept.length; from++) {
    if (isKept[from] === 0) continue;
    operations[at] = old.operations[from] as number;
    firstOutput[at] = values.length;
    for (let value = old.firstOutput[from] as number; value < (old.firstOutput[from + 1] as number); value++) {
      producer[values.length] = at;
      keep(value);
    }
    for (let own = old.inputStart[from] as number; own < (old.inputStart[from + 1] as number); own++) {
      const value = old.inputs[own] as number;
      inputs[place++] = value < 0 ? value : (newNumber[standsFor[value] as number] as number);
    }
    inputStart[++at] = place;
  }
  firstOutput[at] = values.length;
  const numbers = new ValueNumbers(values);
  const ofValues = { types: types.subarray(0, values.length), producer: producer.subarray(0, values.length), isOutput: outputsOf(program, numbers) };
  const read = inputs.subarray(0, place);
  return { program, instructions, numbers, codes: old.codes, operations, inputStart, inputs: read, firstOutput, ...ofValues, decidesExtents: false, ...readersOf(inputStart, read, values.length) };
}

function outputsOf({ outputs }: Program, numbers: ValueNumbers): Uint8Array {
  const isOutput = new Uint8Array(numbers.values.length);
  for (const output of outputs) if (!isLiteral(output)) isOutput[numbers.of(output)] = 1;
  return isOutput;
}

/** The values that decide extents which an instruction of these mentions; undefined where no run decides any. */
export function extentReads(instructions: readonly Instruction[]): ((instruction: Instruction) => readonly Var[]) | undefined {
  const decidedBy = new Map<string, Var>();
  for (const instruction of instructions) {
    const own = symbolIntroducedBy(instruction);
    if (own !== undefined) decidedBy.set(own, instruction.outputs[0] as Var);
  }
  if (decidedBy.size === 0) return undefined;
  return (instruction) => {
    const needed = new Set<Var>();
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
