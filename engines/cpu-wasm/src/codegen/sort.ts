/**
 * Stable sorting of lines of elements. Each element becomes an unsigned integer that orders as it does (a *key*), beside its index:
 * one record. Short lines are sorted by insertion, others by radix, byte after byte from the lowest, where what counts is one pass over
 * all bytes (Knuth, The Art of Computer Programming 3, §5.2.5); a byte that all keys share takes no pass.
 */
import type { DType } from '@tf/core';
import { add, advance, call, type Code, doWhile, fillMemory, get, i32, i64, ifElse, instr, least, load, loadWord, type Local, mul, set, store, sub, whileLoop } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { CHUNK } from './inner.ts';
import { driverSignature } from './nest.ts';
import { odometer } from './odometer.ts';
import { sortRecord as words } from './record.ts';
import { type Storage, storageOf } from './storage.ts';

/** Lines of at most this many elements are sorted by insertion. */
const SHORT = 40;
/** Bytes of one byte's counters. */
const COUNTERS = 1024;

/** How keys lie: with 32 bits above their index in one word of 64, or with 64 bits before it. */
interface Form {
  readonly storage: Storage;
  readonly dtype: DType;
  readonly isWide: boolean;
  readonly recordBytes: 8 | 16;
  /** Bits below the key in its word. */
  readonly shift: 0 | 32;
  /** Bytes of a key. */
  readonly digits: 4 | 8;
}

function formOf(dtype: DType): Form {
  const storage = storageOf(dtype);
  const isWide = storage.laneBytes === 8;
  return { storage, dtype, isWide, recordBytes: isWide ? 16 : 8, shift: isWide ? 0 : 32, digits: isWide ? 8 : 4 };
}

interface Routines {
  readonly read: number;
  readonly insert: number;
  readonly count: number;
  readonly scatter: number;
  readonly write: number;
}

/** Adds the driver: every line after the other. */
export function addSort(module: ModuleBuilder, dtype: DType): number {
  const form = formOf(dtype);
  const routines: Routines = { read: addRead(module, form), insert: addInsert(module, form), count: addCount(module, form), scatter: addScatterPass(module, form), write: addWrite(module, form) };
  const line = addLine(module, form, routines);
  const scope = new FunctionScope(driverSignature.parameters);
  const [record, scratch] = [scope.parameter(0), scope.parameter(1)];
  const pointers = scope.locals('i32', 3);
  return module.addFunction(scope, [
    pointers.map((pointer, operand) => set(pointer, loadWord(get(record), words.address(operand)))),
    odometer(scope, words, pointers, call(line, get(record), get(scratch), ...pointers.map(get))),
  ]);
}

/** The body for pieces of `count` elements, so that V8 exchanges what they call; `done` says how many came before. */
function inPieces(scope: FunctionScope, count: Code, body: (done: Local, piece: Local) => Code): Code {
  const [done, piece] = [scope.local('i32'), scope.local('i32')];
  return [set(done, i32(0)), doWhile([
    set(piece, sub(count, get(done))),
    set(piece, least(get(piece), i32(4 * CHUNK))),
    body(done, piece),
    advance(done, get(piece)),
  ], instr('i32.lt_u', get(done), count))];
}

/** (record, scratch, elements, sorted, indices): one line. */
function addLine(module: ModuleBuilder, form: Form, routines: Routines): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32']);
  const [record, scratch, elements, sorted, indices] = scope.parameters as readonly [Local, Local, Local, Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  const [count, from, to, other] = scope.locals('i32', 4) as readonly Local[] as readonly [Local, Local, Local, Local];
  const at = (base: Local, index: Code): Code => add(get(base), mul(index, i32(form.recordBytes)));
  const strided = (base: Local, index: Code, operand: number): Code => add(get(base), mul(index, word(words.stride(operand))));
  const passes = Array.from({ length: form.digits }, (_, digit) => {
    const counters = add(get(scratch), i32(digit * COUNTERS));
    const bits = i32(form.shift + 8 * digit);
    return ifElse(instr('i32.ne', loadWord(add(counters, mul(digitOf(get(from), bits), i32(4))), 0), get(count)), [
      prefixSums(scope, counters),
      inPieces(scope, get(count), (done, piece) => call(routines.scatter, at(from, get(done)), get(piece), get(to), counters, bits)),
      set(other, get(from)), set(from, get(to)), set(to, get(other)),
    ]);
  });
  const radix = [
    fillMemory(get(scratch), i32(0), i32(form.digits * COUNTERS)),
    inPieces(scope, get(count), (done, piece) => call(routines.count, at(from, get(done)), get(piece), get(scratch))),
    passes,
  ];
  return module.addFunction(scope, [
    set(count, word(words.count)),
    set(from, word(words.workspace)),
    set(to, at(from, get(count))),
    inPieces(scope, get(count), (done, piece) => call(routines.read, strided(elements, get(done), 0), word(words.stride(0)), get(done), at(from, get(done)), get(piece), word(words.flip))),
    ifElse(instr('i32.le_u', get(count), i32(SHORT)), call(routines.insert, get(from), get(count)), radix),
    inPieces(scope, get(count), (done, piece) => call(routines.write, at(from, get(done)), get(piece), get(elements), word(words.stride(0)), strided(sorted, get(done), 1), word(words.stride(1)), strided(indices, get(done), 2), word(words.stride(2)))),
  ]);
}

/** The byte of a record's key above `bits`. */
function digitOf(record: Code, bits: Code): Code {
  return instr('i32.and', instr('i32.wrap_i64', instr('i64.shr_u', load('i64.load', record), instr('i64.extend_i32_u', bits))), i32(255));
}

/** Counters become the places where records of each digit begin. */
function prefixSums(scope: FunctionScope, counters: Code): Code {
  const [cursor, end, sum, own] = scope.locals('i32', 4) as readonly Local[] as readonly [Local, Local, Local, Local];
  return [
    set(cursor, counters), set(end, add(get(cursor), i32(COUNTERS))), set(sum, i32(0)),
    doWhile([
      set(own, load('i32.load', get(cursor))),
      store('i32.store', get(cursor), get(sum)),
      advance(sum, get(own)),
      advance(cursor, i32(4)),
    ], instr('i32.ne', get(cursor), get(end))),
  ];
}

// ---------------------------------------------------------------- keys

/** (elements, stride, index of the first, records, count ≥ 1, flip): elements become records. */
function addRead(module: ModuleBuilder, form: Form): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [element, stride, index, record, count, flip] = scope.parameters as readonly [Local, Local, Local, Local, Local, Local];
  const value = scope.local(form.storage.value);
  const key = keyOf(form, value);
  const extended = instr('i64.extend_i32_u', get(index));
  const narrow = instr('i64.or', instr('i64.shl', instr('i64.extend_i32_u', instr('i32.xor', key, get(flip))), i64(32n)), extended);
  const stored = form.isWide
    ? [store('i64.store', get(record), instr('i64.xor', key, instr('i64.extend_i32_s', get(flip)))), store('i64.store', get(record), extended, 8)]
    : store('i64.store', get(record), narrow);
  return module.addFunction(scope, doWhile([
    set(value, load(form.storage.load, get(element))),
    stored,
    advance(element, get(stride)),
    advance(record, i32(form.recordBytes)),
    advance(index, i32(1)),
    set(count, sub(get(count), i32(1))),
  ], get(count)));
}

/**
 * An unsigned integer that orders as the value does. Integers have their sign turned. The bits of a float order by magnitude, so
 * negative ones have all bits turned, others the sign; adding 0 makes −0 the same as 0; NaN is above all.
 */
function keyOf({ storage, dtype }: Form, value: Local): Code {
  const x = get(value);
  switch (storage.value) {
    case 'i32':
      return dtype === 'bool' ? x : instr('i32.xor', x, i32(-(2 ** 31)));
    case 'i64':
      return instr('i64.xor', x, i64(-(2n ** 63n)));
    case 'f32': {
      const bits = instr('i32.reinterpret_f32', instr('f32.add', x, [0x43, 0, 0, 0, 0]));
      const turned = instr('i32.xor', bits, instr('i32.or', instr('i32.shr_s', bits, i32(31)), i32(-(2 ** 31))));
      return instr('select', i32(-1), turned, instr('f32.ne', x, x));
    }
    case 'f64': {
      const bits = instr('i64.reinterpret_f64', instr('f64.add', x, [0x44, 0, 0, 0, 0, 0, 0, 0, 0]));
      const turned = instr('i64.xor', bits, instr('i64.or', instr('i64.shr_s', bits, i64(63n)), i64(-(2n ** 63n))));
      return instr('select', i64(-1n), turned, instr('f64.ne', x, x));
    }
  }
}

/** (records, count, elements, stride, sorted, stride, indices, stride): the elements in the order of the records. */
function addWrite(module: ModuleBuilder, { storage, isWide, recordBytes }: Form): number {
  const scope = new FunctionScope(new Array<'i32'>(8).fill('i32'));
  const [record, count, elements, stride, sorted, sortedStride, indices, indicesStride] = scope.parameters as readonly [Local, Local, Local, Local, Local, Local, Local, Local];
  const index = scope.local('i32');
  return module.addFunction(scope, doWhile([
    set(index, load('i32.load', get(record), isWide ? 8 : 0)),
    store('i32.store', get(indices), get(index)),
    store(storage.store, get(sorted), load(storage.load, add(get(elements), mul(get(index), get(stride))))),
    advance(record, i32(recordBytes)),
    advance(sorted, get(sortedStride)),
    advance(indices, get(indicesStride)),
    set(count, sub(get(count), i32(1))),
  ], get(count)));
}

// ---------------------------------------------------------------- order

/** A record at hand: its word, and the one behind it where keys are wide. */
interface Held {
  readonly scope: FunctionScope;
  readonly key: Local;
  readonly index: Local;
}

function held(scope: FunctionScope): Held {
  return { scope, key: scope.local('i64'), index: scope.local('i64') };
}

function take({ isWide }: Form, { key, index }: Held, from: Code): Code {
  return [set(key, load('i64.load', from)), isWide ? set(index, load('i64.load', from, 8)) : []];
}

function put({ isWide }: Form, { key, index }: Held, to: Code): Code {
  return [store('i64.store', to, get(key)), isWide ? store('i64.store', to, get(index), 8) : []];
}

/** (records, count ≥ 1): each goes back over all that are larger. Narrow keys carry their index, so equal ones do not move either. */
function addInsert(module: ModuleBuilder, form: Form): number {
  const scope = new FunctionScope(['i32', 'i32']);
  const [records, count] = scope.parameters as readonly [Local, Local];
  const [next, end, hole] = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const [own, before] = [held(scope), held(scope)];
  const size = i32(form.recordBytes);
  const isLarger = instr('i64.gt_u', load('i64.load', sub(get(hole), size)), get(own.key));
  const goesOn = scope.local('i32');
  // Where the hole is at the front there is no record before it: the look there is left out.
  const look = [set(goesOn, i32(0)), ifElse(instr('i32.ne', get(hole), get(records)), set(goesOn, isLarger))];
  return module.addFunction(scope, [
    set(next, add(get(records), size)),
    set(end, add(get(records), mul(get(count), size))),
    whileLoop(instr('i32.lt_u', get(next), get(end)), [
      take(form, own, get(next)),
      set(hole, get(next)),
      look,
      whileLoop(get(goesOn), [take(form, before, sub(get(hole), size)), put(form, before, get(hole)), set(hole, sub(get(hole), size)), look]),
      put(form, own, get(hole)),
      advance(next, size),
    ]),
  ]);
}

/** (records, count ≥ 1, counters): how often each byte of the keys has each value. */
function addCount(module: ModuleBuilder, form: Form): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32']);
  const [record, count, counters] = scope.parameters as readonly [Local, Local, Local];
  const [key, place] = [scope.local('i64'), scope.local('i32')];
  const digits = Array.from({ length: form.digits }, (_, digit) => {
    const value = instr('i32.and', instr('i32.wrap_i64', instr('i64.shr_u', get(key), i64(BigInt(form.shift + 8 * digit)))), i32(255));
    return [
      set(place, add(get(counters), mul(value, i32(4)))),
      store('i32.store', get(place), add(load('i32.load', get(place), digit * COUNTERS), i32(1)), digit * COUNTERS),
    ];
  });
  return module.addFunction(scope, doWhile([
    set(key, load('i64.load', get(record))),
    digits,
    advance(record, i32(form.recordBytes)),
    set(count, sub(get(count), i32(1))),
  ], get(count)));
}

/** (records, count ≥ 1, to, counters, bits): each record to the next place of its digit. */
function addScatterPass(module: ModuleBuilder, form: Form): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32']);
  const [record, count, to, counters, bits] = scope.parameters as readonly [Local, Local, Local, Local, Local];
  const [place, at, shift] = [scope.local('i32'), scope.local('i32'), scope.local('i64')];
  const own = held(scope);
  return module.addFunction(scope, [
    set(shift, instr('i64.extend_i32_u', get(bits))),
    doWhile([
      take(form, own, get(record)),
      set(place, add(get(counters), mul(instr('i32.and', instr('i32.wrap_i64', instr('i64.shr_u', get(own.key), get(shift))), i32(255)), i32(4)))),
      set(at, load('i32.load', get(place))),
      store('i32.store', get(place), add(get(at), i32(1))),
      put(form, own, add(get(to), mul(get(at), i32(form.recordBytes)))),
      advance(record, i32(form.recordBytes)),
      set(count, sub(get(count), i32(1))),
    ], get(count)),
  ]);
}
