/** Gathers and scatters: one routine per element size or dtype, of any rank. An index that names no row ends in a trap. */
import type { Combine, DType } from '@tf/core';
import { add, advance, type Code, get, i32, ifElse, instr, load, loadWord, type Local, mul, repeat, set, store, storeWord } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import type { Opcode } from '../encoder/opcodes.ts';
import { driverSignature } from './nest.ts';
import { odometer } from './odometer.ts';
import { indexedRecord as words } from './record.ts';
import { requireNumeric, type Storage, storageOf } from './storage.ts';

const copies: { readonly [bytes: number]: readonly [Opcode, Opcode] } = { 1: ['i32.load8_u', 'i32.store8'], 4: ['i32.load', 'i32.store'], 8: ['i64.load', 'i64.store'], 16: ['v128.load', 'v128.store'] };

/** other = indexed[row], for elements of some size. */
export function addGather(module: ModuleBuilder, dtype: DType): number {
  const [loadElement, storeElement] = copies[storageOf(dtype).bytes]!;
  return addIndexed(module, (row, other) => store(storeElement, other, load(loadElement, row)));
}

/** indexed[row] becomes what it and other are combined to. */
export function addScatter(module: ModuleBuilder, dtype: DType, combine: Combine): number {
  if (combine === 'set') {
    const [loadElement, storeElement] = copies[storageOf(dtype).bytes]!;
    return addIndexed(module, (row, other) => store(storeElement, row, load(loadElement, other)));
  }
  if (combine !== 'add') {
    const storage = storageOf(dtype);
    return addIndexed(module, (row, other) => store(storage.store, row, extremum(storage, combine, load(storage.load, row), load(storage.load, other))));
  }
  const { lanes, laneBytes, ...storage } = storageOf(requireNumeric(dtype, 'scatter'));
  return addIndexed(module, (row, other) => Array.from({ length: lanes }, (_, lane) => {
    const at = lane * laneBytes;
    return store(storage.store, row, instr(`${storage.value}.add`, load(storage.load, row, at), load(storage.load, other, at)), at);
  }));
}

/** NaN wins, −0 is below 0; booleans are 0 and 1. */
function extremum({ value }: Storage, combine: 'max' | 'min', a: Code, b: Code): Code {
  if (value === 'f32' || value === 'f64') return instr(`${value}.${combine}`, a, b);
  return instr('select', a, b, instr(combine === 'max' ? `${value}.gt_s` : `${value}.lt_s`, a, b));
}

function addIndexed(module: ModuleBuilder, element: (row: Code, other: Code) => Code): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const record = scope.parameter(0);
  const pointers = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const [indices, indexed, other] = pointers;
  const [counter, index, row] = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  const isNegative = instr('i32.lt_s', get(index), i32(0));
  const inner = repeat(counter, word(words.innerExtent), [
    set(index, load('i32.load', get(indices))),
    ifElse(isNegative, advance(index, word(words.rows))),
    ifElse(instr('i32.ge_u', get(index), word(words.rows)), refuse(record, load('i32.load', get(indices)))),
    set(row, add(get(indexed), mul(get(index), word(words.rowStride)))),
    element(get(row), get(other)),
    pointers.map((pointer, operand) => advance(pointer, word(words.innerStride(operand)))),
  ]);
  return module.addFunction(scope, [
    pointers.map((pointer, operand) => set(pointer, word(words.address(operand)))),
    odometer(scope, words, pointers, inner),
  ]);
}

function refuse(record: Local, index: Code): Code {
  return [storeWord(get(record), words.badIndex, index), storeWord(get(record), words.isBad, i32(1)), instr('unreachable')];
}
