/**
 * Instruction sequences as nested byte lists: an expression contains its operands, so code reads like the formula that it
 * computes. Branch depths appear in this file only; what callers nest never branches outwards.
 */
import { float32, float64, signed, signedBig, unsigned } from './leb.ts';
import { type Opcode, opcodeBytes } from './opcodes.ts';

export type Code = number | Uint8Array | readonly Code[];

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** A parameter or local variable of one function. */
export interface Local {
  readonly index: number;
  readonly type: ValueType;
}

/** The operands' code, then the instruction. */
export function instr(opcode: Opcode, ...operands: readonly Code[]): Code {
  return [...operands, opcodeBytes(opcode)];
}

// ---------------------------------------------------------------- constants and variables

export const i32 = (value: number): Code => [0x41, signed(value)];
export const i64 = (value: bigint): Code => [0x42, signedBig(value)];
export const f32 = (value: number): Code => [0x43, float32(value)];
export const f64 = (value: number): Code => [0x44, float64(value)];

export const get = (local: Local): Code => [0x20, unsigned(local.index)];
export const set = (local: Local, value: Code): Code => [value, 0x21, unsigned(local.index)];
/** Stores the value on top of the stack and leaves it there. */
export const tee = (local: Local): Code => [0x22, unsigned(local.index)];
export const setGlobal = (index: number, value: Code): Code => [value, 0x24, unsigned(index)];

export const call = (functionIndex: number, ...operands: readonly Code[]): Code => [...operands, 0x10, unsigned(functionIndex)];
/** Calls entry `element` of table 0. */
export const callIndirect = (typeIndex: number, element: Code, ...operands: readonly Code[]): Code => [...operands, element, 0x11, unsigned(typeIndex), 0];

// ---------------------------------------------------------------- integer arithmetic, as drivers need it

export const add = (a: Code, b: Code): Code => instr('i32.add', a, b);
export const sub = (a: Code, b: Code): Code => instr('i32.sub', a, b);
export const mul = (a: Code, b: Code): Code => instr('i32.mul', a, b);
export const advance = (local: Local, by: Code): Code => set(local, add(get(local), by));

/** The smaller of two unsigned values; both operands are evaluated twice, so they must be plain reads. */
export const least = (a: Code, b: Code): Code => instr('select', a, b, instr('i32.lt_u', a, b));

// ---------------------------------------------------------------- memory

/** Bytes an access touches: its natural alignment, given to the engine as a hint. */
const accessBytes = (opcode: Opcode): number => {
  const bits = /(?:load|store)(\d+)/.exec(opcode);
  if (bits !== null) return Number(bits[1]) / 8;
  return opcode.startsWith('v128') ? 16 : opcode.startsWith('i32') || opcode.startsWith('f32') ? 4 : 8;
};

const memoryArgument = (opcode: Opcode, offset: number): Code => [Math.log2(accessBytes(opcode)), unsigned(offset)];

export function load(opcode: Opcode, address: Code, offset = 0): Code {
  return [address, opcodeBytes(opcode), memoryArgument(opcode, offset)];
}

export function store(opcode: Opcode, address: Code, value: Code, offset = 0): Code {
  return [address, value, opcodeBytes(opcode), memoryArgument(opcode, offset)];
}

export const loadWord = (address: Code, word: number): Code => load('i32.load', address, 4 * word);
export const storeWord = (address: Code, word: number, value: Code): Code => store('i32.store', address, value, 4 * word);

/** Copies bytes within memory 0; the ranges may overlap. */
export const copyMemory = (to: Code, from: Code, bytes: Code): Code => [instr('memory.copy', to, from, bytes), 0, 0];

/** The size of memory 0 in pages of 64 KiB. */
export const memoryPages: Code = [0x3f, 0];

/** Sets bytes within memory 0. */
export const fillMemory = (to: Code, byte: Code, bytes: Code): Code => [instr('memory.fill', to, byte, bytes), 0];

// ---------------------------------------------------------------- vectors

/** Lane `lane` of a vector. */
export const extractLane = (opcode: Opcode, vector: Code, lane: number): Code => [vector, opcodeBytes(opcode), lane];
/** The vector with `value` in lane `lane`. */
export const replaceLane = (opcode: Opcode, vector: Code, lane: number, value: Code): Code => [vector, value, opcodeBytes(opcode), lane];

/** The vector with the value at the address in lane `lane`. */
export function loadLane(opcode: Opcode, address: Code, vector: Code, lane: number, offset = 0): Code {
  return [address, vector, opcodeBytes(opcode), memoryArgument(opcode, offset), lane];
}

export function storeLane(opcode: Opcode, address: Code, vector: Code, lane: number, offset = 0): Code {
  return [address, vector, opcodeBytes(opcode), memoryArgument(opcode, offset), lane];
}

export const v128 = (bytes: Uint8Array | readonly number[]): Code => [opcodeBytes('v128.const'), bytes];
/** Sixteen bytes picked from the thirty-two of two vectors. */
export const shuffle = (a: Code, b: Code, picked: readonly number[]): Code => [a, b, opcodeBytes('i8x16.shuffle'), picked];

// ---------------------------------------------------------------- control

const empty = 0x40;
const block = (body: Code): Code => [0x02, empty, body, 0x0b];
const loopBlock = (body: Code): Code => [0x03, empty, body, 0x0b];
const branch = (depth: number): Code => [0x0c, depth];
const branchIf = (depth: number, condition: Code): Code => [condition, 0x0d, depth];

export function ifElse(condition: Code, yes: Code, no: Code = []): Code {
  return [condition, 0x04, empty, yes, Array.isArray(no) && no.length === 0 ? [] : [0x05, no], 0x0b];
}

/** The body runs at least once, and again while the condition holds. */
export function doWhile(body: Code, condition: Code): Code {
  return loopBlock([body, branchIf(0, condition)]);
}

export function whileLoop(condition: Code, body: Code): Code {
  return block(loopBlock([branchIf(1, instr('i32.eqz', condition)), body, branch(0)]));
}

/** `for (index = 0; index < limit; index += step)`, unsigned. */
export function forLoop(index: Local, limit: Code, step: number, body: Code): Code {
  return [set(index, i32(0)), whileLoop(instr('i32.lt_u', get(index), limit), [body, advance(index, i32(step))])];
}

/** Runs the body `count` ≥ 1 times, counting `counter` down. */
export function repeat(counter: Local, count: Code, body: Code): Code {
  return [set(counter, count), doWhile(body, [set(counter, sub(get(counter), i32(1))), get(counter)])];
}
