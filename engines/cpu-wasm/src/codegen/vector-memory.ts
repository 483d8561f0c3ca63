/** Vectors between memory and variables: elements side by side, apart, or the same for all lanes. */
import type { DType, KernelAccess, ScalarType } from '@tf/core';
import { add, type Code, get, instr, load, loadLane, type Local, set, store, storeLane } from '../encoder/code.ts';
import type { Opcode } from '../encoder/opcodes.ts';
import type { Temporaries } from './emitter.ts';
import { storageOf } from './storage.ts';
import { booleanTo, type Lanes } from './vector-operations.ts';

/** Where the elements of a vector lie. */
export interface VectorPlace {
  readonly access: KernelAccess;
  readonly pointer: Local;
  /** Bytes beyond the pointer. */
  readonly offset: number;
  /** Bytes between elements, of a strided operand. */
  readonly stride: Code;
}

type Bits = 8 | 32 | 64;

export function loadVector(place: VectorPlace, lanes: Lanes, temporary: Temporaries): Code {
  const { dtype, inner } = place.access;
  const bits = (8 * storageOf(dtype).bytes) as Bits;
  const vector = inner === 'contiguous' ? loadTogether(place, bits, lanes) : inner === 'broadcast' ? load(`v128.load${bits}_splat`, get(place.pointer), place.offset) : gather(place, bits, lanes, temporary);
  return dtype === 'bool' ? [vector, bytesToMasks(lanes)] : vector;
}

function loadTogether({ pointer, offset }: VectorPlace, bits: Bits, lanes: Lanes): Code {
  const opcodes: { readonly [bits: number]: Opcode } = { 16: 'v128.load16_splat', 32: 'v128.load32_zero', 64: 'v128.load64_zero', 128: 'v128.load' };
  return load(opcodes[bits * lanes]!, get(pointer), offset);
}

function gather({ pointer, offset, stride }: VectorPlace, bits: Bits, lanes: Lanes, temporary: Temporaries): Code {
  const address = temporary('i32', 0);
  const first = load(bits === 8 ? 'v128.load8_splat' : `v128.load${bits}_zero`, get(pointer), offset);
  let vector: Code = [set(address, get(pointer)), first];
  for (let lane = 1; lane < lanes; lane++) {
    // The vector waits on the stack while the address moves on, so it is put aside.
    const waiting = temporary('v128', 0);
    vector = [set(waiting, vector), loadLane(`v128.load${bits}_lane`, [set(address, add(get(address), stride)), get(address)], get(waiting), lane, offset)];
  }
  return vector;
}

/** Of `lanes` bytes 0 or 1 the masks: −byte, with its sign extended. */
function bytesToMasks(lanes: Lanes): Code {
  if (lanes === 16) return instr('i8x16.neg');
  const extended = [instr('i8x16.neg'), instr('i16x8.extend_low_i8x16_s'), instr('i32x4.extend_low_i16x8_s')];
  return lanes === 4 ? extended : [extended, instr('i64x2.extend_low_i32x4_s')];
}

/** Stores the value of a root of type `type`. */
export function storeVector(place: VectorPlace, type: ScalarType, value: Code, lanes: Lanes, temporary: Temporaries): Code {
  const { dtype, inner } = place.access;
  const bits = (8 * storageOf(dtype).bytes) as Bits;
  const stored = [value, type === 'bool' ? booleanStored(dtype, lanes, temporary) : []];
  if (inner === 'contiguous') return storeTogether(place, bits * lanes, stored);
  const [vector, address] = [temporary('v128', 0), temporary('i32', 0)];
  const scatter = Array.from({ length: lanes }, (_, lane) => [
    lane === 0 ? set(address, get(place.pointer)) : set(address, add(get(address), place.stride)),
    storeLane(`v128.store${bits}_lane`, get(address), get(vector), lane, place.offset),
  ]);
  return [set(vector, stored), scatter];
}

function storeTogether({ pointer, offset }: VectorPlace, bits: number, value: Code): Code {
  if (bits === 128) return store('v128.store', get(pointer), value, offset);
  const opcodes: { readonly [bits: number]: Opcode } = { 16: 'v128.store16_lane', 32: 'v128.store32_lane', 64: 'v128.store64_lane' };
  return storeLane(opcodes[bits]!, get(pointer), value, 0, offset);
}

/** Masks as the dtype holds booleans: bytes, or words where a reduction keeps them on the way. */
function booleanStored(dtype: DType, lanes: Lanes, temporary: Temporaries): Code {
  if (lanes === 16) return instr('i8x16.neg');
  const words = booleanTo('i32', lanes, temporary);
  if (dtype !== 'bool') return words;
  const x = temporary('v128', 0);
  const halves = [set(x, words), instr('i16x8.narrow_i32x4_s', get(x), get(x))];
  return [set(x, halves), instr('i8x16.narrow_i16x8_s', get(x), get(x))];
}
