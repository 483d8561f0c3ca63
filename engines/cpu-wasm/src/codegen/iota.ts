/** Indices as values: one routine per dtype. */
import type { DType } from '@tf/core';
import { add, advance, type Code, get, i32, instr, loadWord, repeat, set, store } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { driverSignature } from './nest.ts';
import { iotaRecord } from './record.ts';
import { requireNumeric, storageOf } from './storage.ts';

/** out[i] = i. */
export function addIota(module: ModuleBuilder, dtype: DType): number {
  const storage = storageOf(requireNumeric(dtype, 'iota'));
  const scope = new FunctionScope(driverSignature.parameters);
  const word = (position: number): Code => loadWord(get(scope.parameter(0)), position);
  const [out, counter, index] = [scope.local('i32'), scope.local('i32'), scope.local('i32')];
  return module.addFunction(scope, [
    set(out, word(iotaRecord.out)),
    set(index, i32(0)),
    repeat(counter, word(iotaRecord.elements), [
      store(storage.store, get(out), converted(storage.value, get(index))),
      advance(out, i32(storage.bytes)),
      set(index, add(get(index), i32(1))),
    ]),
  ]);
}

function converted(to: 'i32' | 'i64' | 'f32' | 'f64', index: Code): Code {
  switch (to) {
    case 'i32':
      return index;
    case 'i64':
      return instr('i64.extend_i32_u', index);
    case 'f32':
      return instr('f32.convert_i32_s', index);
    case 'f64':
      return instr('f64.convert_i32_s', index);
  }
}
