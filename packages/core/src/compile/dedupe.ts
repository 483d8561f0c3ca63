import type { Atom, Instruction, Program, Var } from '../contract.ts';
import { isLiteral } from '../program/literal.ts';
import { indexRest, type ProgramIndex } from './program-index.ts';
import { type CompileTarget, createTarget, indexOf } from './target.ts';
import { WordTable } from './word-table.ts';

/** Computes equal instructions (same operation, parameters and operands) once. */
export function dedupe(program: Program, target: CompileTarget = createTarget()): Program {
  const index = indexOf(program, target);
  const equal = findEqual(index);
  if (equal === undefined) return program;
  const { isKept, standsFor } = equal;
  const standIn = (atom: Atom): Atom => (isLiteral(atom) ? atom : (index.numbers.values[standsFor[index.numbers.of(atom)] as number] as Var));
  const instructions: Instruction[] = [];
  for (let at = 0; at < isKept.length; at++) {
    const instruction = index.instructions[at] as Instruction;
    if (isKept[at] === 1) instructions.push(readsDropped(index, at, standsFor) ? { ...instruction, inputs: instruction.inputs.map(standIn) } : instruction);
  }
  const rest = { ...program, instructions, outputs: program.outputs.map(standIn) };
  if (!index.decidesExtents) target.indices?.add(indexRest(rest, index, isKept, standsFor));
  return rest;
}

interface Equal {
  /** Per instruction: 1 if it is the first of its kind. */
  readonly isKept: Uint8Array;
  /** Per value: the equal one of the first instruction that gives it, most often itself. */
  readonly standsFor: Int32Array;
}

/** Undefined where there are none. */
function findEqual({ instructions, operations, inputs, inputStart, firstOutput, producer }: ProgramIndex): Equal | undefined {
  const table = new WordTable(instructions.length);
  // By entry of the table.
  const first = new Int32Array(instructions.length);
  const isKept = new Uint8Array(instructions.length).fill(1);
  const standsFor = new Int32Array(producer.length);
  for (let value = 0; value < standsFor.length; value++) standsFor[value] = value;
  const words: number[] = [];
  let entries = 0;
  for (let at = 0; at < instructions.length; at++) {
    const { operation, inputs: operands } = instructions[at] as Instruction;
    // Every barrier is a value of its own, so that what lies behind it is too.
    if (operation.traits.barrier === true) continue;
    const start = inputStart[at] as number;
    words[0] = operations[at] as number;
    for (let place = 0; place < operands.length; place++) {
      const value = inputs[start + place] as number;
      words[place + 1] = value < 0 ? value : (standsFor[value] as number);
    }
    const entry = table.entryOf(words, operands.length + 1);
    if (entry === entries) first[entries++] = at;
    else {
      isKept[at] = 0;
      const own = firstOutput[at] as number;
      const equal = firstOutput[first[entry] as number] as number;
      for (let output = 0; own + output < (firstOutput[at + 1] as number); output++) standsFor[own + output] = equal + output;
    }
  }
  return isKept.includes(0) ? { isKept, standsFor } : undefined;
}

function readsDropped({ inputs, inputStart }: ProgramIndex, at: number, standsFor: Int32Array): boolean {
  for (let place = inputStart[at] as number; place < (inputStart[at + 1] as number); place++) {
    const value = inputs[place] as number;
    if (value >= 0 && standsFor[value] !== value) return true;
  }
  return false;
}
