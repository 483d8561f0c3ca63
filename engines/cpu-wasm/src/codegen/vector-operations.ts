/**
 * One node of the loop language over vectors, its operands on the stack. A vector has `lanes` elements: four of 32 bits, or two,
 * of 64 bits, as soon as one node of the kernel is as wide. What has 32 bits then lies in the low half; the rest of such a
 * vector has no meaning. A boolean is a mask, all ones or zero, as wide as the kernel's lanes: a byte where all is boolean.
 *
 * Every instruction gives the bits of its scalar namesake (WebAssembly core 2.0, §4.3), lane by lane. What has no vector form is
 * computed one lane after the other, within the vector loop.
 */
import { type DType, invariant, type ScalarExpr, type ScalarType } from '@tf/core';
import { type Code, extractLane, get, i32, instr, loadLane, type Local, mul, replaceLane, set, shuffle, v128 } from '../encoder/code.ts';
import { type Opcode, opcodes } from '../encoder/opcodes.ts';
import type { Temporaries } from './emitter.ts';
import { constantCode, operationCode, tableBytes } from './scalar-operations.ts';

export type Lanes = 2 | 4 | 16;

type Operation = Exclude<ScalarExpr, { readonly op: 'argument' | 'constant' | 'lookup' | 'call' | 'select' }>;

/** How many elements the vectors have; `stored` are the dtypes of the results. */
export function lanesOf(types: readonly ScalarType[], stored: readonly DType[]): Lanes {
  if (types.every((type) => type === 'bool') && stored.every((dtype) => dtype === 'bool')) return 16;
  return types.some((type) => type === 'f64' || type === 'i64') ? 2 : 4;
}

type Numeric = Exclude<ScalarType, 'bool'>;

const nothing: Code = [];
const zero: Code = v128(new Array<number>(16).fill(0));

const shapes = { f32: 'f32x4', f64: 'f64x2', i32: 'i32x4', i64: 'i64x2' } as const;

function named(name: string): Code {
  invariant(Object.hasOwn(opcodes, name), `cpu-wasm: there is no instruction ${name}`);
  return instr(name as Opcode);
}

function splat(type: Numeric, value: Code): Code {
  return [value, named(`${shapes[type]}.splat`)];
}

/** The sixteen bytes of a vector that holds the constant in every lane. */
export function constantBytes(type: ScalarType, value: number | bigint): Uint8Array {
  const bytes = type === 'bool' ? tableBytes('i32', [value === 0 ? 0 : -1]) : tableBytes(type, [value]);
  const vector = new Uint8Array(16);
  for (let at = 0; at < 16; at += bytes.length) vector.set(bytes, at);
  return vector;
}

export function operationVector(expr: ScalarExpr, lanes: Lanes, temporary: Temporaries): Code {
  invariant(expr.op !== 'argument' && expr.op !== 'constant' && expr.op !== 'lookup' && expr.op !== 'call' && expr.op !== 'select', `cpu-wasm: ${expr.op} is no operation`);
  const [first, second] = expr.args;
  switch (expr.op) {
    case 'convert':
      return convertVector(expr, first.type, lanes, temporary);
    case 'bitcast':
      return [];
    case 'shl':
    case 'shrS':
    case 'shrU':
      return shiftVector(expr, expr.op, second!, lanes, temporary);
    case 'eq': case 'ne': case 'lt': case 'le': case 'gt': case 'ge':
      return first.type === 'bool' ? booleanComparisons[expr.op] : comparison(expr.op, first.type, lanes);
    default:
      return arithmetic(expr.op, first.type, temporary);
  }
}

/** Whether a shift's count is written into its instruction rather than taken from the stack. */
export function hasConstantCount(expr: ScalarExpr): boolean {
  return (expr.op === 'shl' || expr.op === 'shrS' || expr.op === 'shrU') && expr.args[1].op === 'constant';
}

// ---------------------------------------------------------------- arithmetic and bits

const bitNames: { readonly [op: string]: Opcode } = { and: 'v128.and', or: 'v128.or', xor: 'v128.xor', not: 'v128.not' };

function arithmetic(op: string, type: ScalarType, temporary: Temporaries): Code {
  const bit = bitNames[op];
  if (bit !== undefined) return instr(bit);
  if (op === 'copysign') return copysign(type as 'f32' | 'f64');
  if (op !== 'min' && op !== 'max') return named(`${shapes[type as 'f32']}.${op}`);
  if (type === 'f32' || type === 'f64') return named(`${shapes[type]}.${op}`);
  return type === 'i32' ? named(`i32x4.${op}_s`) : wideExtreme(op, temporary);
}

/** There is no minimum of 64-bit integers: compare and pick. */
function wideExtreme(op: 'min' | 'max', temporary: Temporaries): Code {
  const [a, b] = [temporary('v128', 0), temporary('v128', 1)];
  return [set(b, []), set(a, []), instr('v128.bitselect', get(a), get(b), instr(op === 'min' ? 'i64x2.lt_s' : 'i64x2.gt_s', get(a), get(b)))];
}

/** Magnitude, sign → the sign's bit from the second. */
function copysign(type: 'f32' | 'f64'): Code {
  const sign = v128(Array.from({ length: 16 }, (_, i) => (i % (type === 'f32' ? 4 : 8) === (type === 'f32' ? 3 : 7) ? 0x7f : 0xff)));
  return [sign, instr('v128.bitselect')];
}

const shifts = { shl: 'shl', shrS: 'shr_s', shrU: 'shr_u' } as const;

function shiftVector(expr: Operation, op: keyof typeof shifts, count: ScalarExpr, lanes: Lanes, temporary: Temporaries): Code {
  if (count.op !== 'constant') return laneByLane(expr, lanes, temporary);
  return [i32(Number(BigInt(count.value) & 63n)), named(`${shapes[expr.type as 'i32' | 'i64']}.${shifts[op]}`)];
}

// ---------------------------------------------------------------- comparisons

function comparison(op: string, type: ScalarType, lanes: Lanes): Code {
  const isInteger = type === 'i32' || type === 'i64';
  const name = isInteger && op !== 'eq' && op !== 'ne' ? `${op}_s` : op;
  return [named(`${shapes[type as 'f32']}.${name}`), isNarrow(type, lanes) ? widenMask : []];
}

/** The mask of the 32-bit integers that are greater than a number. */
export function exceeds(vector: Local, limit: number, lanes: Lanes): Code {
  return [get(vector), v128(constantBytes('i32', limit)), comparison('gt', 'i32', lanes)];
}

const complement = instr('v128.not');

/** Of masks a and b, false below true: a < b is b ∧ ¬a. */
const booleanComparisons: { readonly [op in 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge']: Code } = {
  eq: [instr('v128.xor'), complement],
  ne: instr('v128.xor'),
  gt: instr('v128.andnot'),
  le: [instr('v128.andnot'), complement],
  ge: [complement, instr('v128.or')],
  lt: [complement, instr('v128.or'), complement],
};

/** The mask on the stack, as wide as elements of the type. */
export function maskFor(type: ScalarType, lanes: Lanes, temporary: Temporaries): Code {
  return isNarrow(type, lanes) ? compact(temporary) : nothing;
}

/** Whether elements of the type take half a lane. */
function isNarrow(type: ScalarType, lanes: Lanes): boolean {
  return lanes === 2 && (type === 'f32' || type === 'i32');
}

const widenMask = instr('i64x2.extend_low_i32x4_s');

/** The low words of both 64-bit lanes side by side: masks for 32-bit elements, and how a 64-bit integer wraps to 32 bits. */
function compact(temporary: Temporaries): Code {
  const x = temporary('v128', 0);
  return [set(x, []), shuffle(get(x), get(x), [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11])];
}

// ---------------------------------------------------------------- conversions

/** By operand type, then result type; null where it goes lane by lane. */
const conversions: { readonly [From in Numeric]: { readonly [To in Numeric]: Code | null } } = {
  i32: { i32: nothing, i64: instr('i64x2.extend_low_i32x4_s'), f32: instr('f32x4.convert_i32x4_s'), f64: instr('f64x2.convert_low_i32x4_s') },
  i64: { i32: null, i64: nothing, f32: null, f64: null },
  f32: { i32: instr('i32x4.trunc_sat_f32x4_s'), i64: null, f32: nothing, f64: instr('f64x2.promote_low_f32x4') },
  f64: { i32: instr('i32x4.trunc_sat_f64x2_s_zero'), i64: null, f32: instr('f32x4.demote_f64x2_zero'), f64: nothing },
};

function convertVector(expr: Operation, from: ScalarType, lanes: Lanes, temporary: Temporaries): Code {
  const to = expr.type;
  if (from === to) return nothing;
  if (from === 'bool') return booleanTo(to as Numeric, lanes, temporary);
  if (to === 'bool') return [zero, comparison('ne', from, lanes)];
  if (from === 'i64' && to === 'i32') return compact(temporary);
  return conversions[from][to] ?? laneByLane(expr, lanes, temporary);
}

/** A mask as 0 or 1: the bits of 1 where it is set. */
export function booleanTo(to: Numeric, lanes: Lanes, temporary: Temporaries): Code {
  const narrowed = isNarrow(to, lanes) ? compact(temporary) : nothing;
  if (to === 'i32' || to === 'i64') return [narrowed, named(`${shapes[to]}.neg`)];
  return [narrowed, splat(to, constantCode(to, 1)), instr('v128.and')];
}

// ---------------------------------------------------------------- lane by lane

/** The scalar operation on each lane of the numeric operands on the stack. */
function laneByLane(expr: Operation, lanes: Lanes, temporary: Temporaries): Code {
  const operands = expr.args.map((_, i) => temporary('v128', i as 0 | 1));
  const lane = (index: number): Code => [
    operands.map((operand, i) => laneOf(expr.args[i]!.type as Numeric, operand, index)),
    operationCode(expr, temporary),
  ];
  return [[...operands].reverse().map((operand) => set(operand, [])), assemble(expr.type as Numeric, lanes, lane)];
}

function laneOf(type: Numeric, vector: Local, index: number): Code {
  return extractLane(`${shapes[type]}.extract_lane`, get(vector), index);
}

function assemble(type: Numeric, lanes: Lanes, lane: (index: number) => Code): Code {
  let vector = splat(type, lane(0));
  for (let i = 1; i < lanes; i++) vector = replaceLane(`${shapes[type]}.replace_lane`, vector, i, lane(i));
  return vector;
}

/** The values of a table at the i32 vector on the stack, whose lanes are first brought into 0 … length − 1. */
export function lookupVector(type: ScalarType, length: number, address: number, lanes: Lanes, temporary: Temporaries): Code {
  const index = temporary('v128', 0);
  const bytes = type === 'i64' || type === 'f64' ? 8 : 4;
  const last = instr('i32x4.splat', i32(length - 1));
  const entry = (lane: number): Code => mul(laneOf('i32', index, lane), i32(bytes));
  const clamp = [zero, instr('i32x4.max_s'), last, instr('i32x4.min_s')];
  let vector: Code = zero;
  for (let i = 0; i < lanes; i++) vector = loadLane(bytes === 8 ? 'v128.load64_lane' : 'v128.load32_lane', entry(i), vector, i, address);
  return [clamp, set(index, []), vector];
}
