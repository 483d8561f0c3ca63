/** Vectors between memory and variables: elements side by side, apart, or the same for all lanes. */
import type { DType, KernelAccess, ScalarType } from '@tf/core';
import { add, type Code, get, instr, load, loadLane, type Local, set, shuffle, store, storeLane } from '../encoder/code.ts';
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

function bitsOf(dtype: DType): Bits {
  return (8 * storageOf(dtype).bytes) as Bits;
}

/** One lane of the elements. */
export function loadVector(place: VectorPlace, lane: 0 | 1, lanes: Lanes, temporary: Temporaries): Code {
  const { dtype, inner } = place.access;
  if (storageOf(dtype).lanes === 2) return loadLaneOf(place, lane, lanes, temporary);
  const bits = bitsOf(dtype);
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

/** Stores the values of an element's lanes, of type `type`. */
export function storeVector(place: VectorPlace, type: ScalarType, values: readonly Code[], lanes: Lanes, temporary: Temporaries): Code {
  const { dtype, inner } = place.access;
  const [value, imaginary] = values as readonly [Code, Code?];
  if (imaginary !== undefined) return storeBothLanes(place, value, imaginary, lanes, temporary);
  const bits = bitsOf(dtype);
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

// ---------------------------------------------------------------- elements of two lanes

/**
 * Complex elements lie as re, im, re, im. A kernel's vectors hold one lane each: elements are loaded as they lie, two to four
 * of them in one or two vectors, and shuffled apart; stores shuffle them together.
 */
function loadLaneOf(place: VectorPlace, lane: 0 | 1, lanes: Lanes, temporary: Temporaries): Code {
  const { dtype, inner } = place.access;
  const { laneBytes } = storageOf(dtype);
  if (inner === 'broadcast') return load(laneBytes === 4 ? 'v128.load32_splat' : 'v128.load64_splat', get(place.pointer), place.offset + lane * laneBytes);
  const [low, high] = [temporary('v128', 0), temporary('v128', 1)];
  const vectors = loadElements(place, lanes, temporary, [low, high]);
  return [vectors, everySecond(low, lanes === 4 || laneBytes === 8 ? high : low, laneBytes, lane)];
}

/** Both lanes into variables, except where all elements are the same. */
export function loadBothLanes(place: VectorPlace, lanes: Lanes, [re, im]: readonly [Local, Local], temporary: Temporaries): Code | undefined {
  const { dtype, inner } = place.access;
  if (inner === 'broadcast') return undefined;
  const { laneBytes } = storageOf(dtype);
  const [low, high] = [temporary('v128', 0), temporary('v128', 1)];
  const second = lanes === 4 || laneBytes === 8 ? high : low;
  return [loadElements(place, lanes, temporary, [low, high]), set(re, everySecond(low, second, laneBytes, 0)), set(im, everySecond(low, second, laneBytes, 1))];
}

/** Elements as they lie, in one variable where they fit into it. */
function loadElements(place: VectorPlace, lanes: Lanes, temporary: Temporaries, [low, high]: readonly [Local, Local]): Code {
  const { access: { dtype, inner }, pointer, offset, stride } = place;
  const { bytes } = storageOf(dtype);
  const targets = bytes * lanes === 16 ? [low] : [low, high];
  if (inner === 'contiguous') return targets.map((target, i) => set(target, load('v128.load', get(pointer), offset + 16 * i)));
  const address = temporary('i32', 0);
  const next = set(address, add(get(address), stride));
  const loads = targets.map((target, i) => {
    const advanced = i === 0 ? [] : next;
    if (bytes === 16) return [advanced, set(target, load('v128.load', get(address), offset))];
    return [advanced, set(target, load('v128.load64_zero', get(address), offset)), next, set(target, loadLane('v128.load64_lane', get(address), get(target), 1, offset))];
  });
  return [set(address, get(pointer)), loads];
}

/** Of a's elements, then b's, the ones in every second place. */
function everySecond(a: Local, b: Local, bytes: number, first: 0 | 1): Code {
  const places = Array.from({ length: 16 / bytes }, (_, i) => 2 * i + first);
  return shuffle(get(a), get(b), places.flatMap((place) => Array.from({ length: bytes }, (_, byte) => place * bytes + byte)));
}

/** a[from], b[from], a[from + 1], b[from + 1], … */
function inTurn(a: Local, b: Local, bytes: number, from: number): Code {
  const places = Array.from({ length: 16 / bytes }, (_, i) => from + Math.floor(i / 2) + (i % 2) * (16 / bytes));
  return shuffle(get(a), get(b), places.flatMap((place) => Array.from({ length: bytes }, (_, byte) => place * bytes + byte)));
}

function storeBothLanes({ access: { dtype, inner }, pointer, offset, stride }: VectorPlace, re: Code, im: Code, lanes: Lanes, temporary: Temporaries): Code {
  const { bytes, laneBytes } = storageOf(dtype);
  const [a, b, address] = [temporary('v128', 0), temporary('v128', 1), temporary('i32', 0)];
  const halves = [0, 1].slice(0, (bytes * lanes) / 16).map((half) => inTurn(a, b, laneBytes, (half * 8) / laneBytes));
  const values = [re, set(b, im), set(a, [])];
  if (inner === 'contiguous') return [values, halves.map((half, i) => store('v128.store', get(pointer), half, offset + 16 * i))];
  const next = set(address, add(get(address), stride));
  const scatter = halves.map((half, i) => {
    const advanced = i === 0 ? [] : next;
    if (bytes === 16) return [advanced, store('v128.store', get(address), half, offset)];
    const stored = temporary('v128', i === 0 ? 2 : 0);
    return [advanced, set(stored, half), [0, 1].map((lane) => [lane === 0 ? [] : next, storeLane('v128.store64_lane', get(address), get(stored), lane, offset)])];
  });
  return [values, set(address, get(pointer)), scatter];
}
