/** The contraction of one dtype as a module: a loop over batch positions around the product of two matrices. */
import { call, get, loadWord, set } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import { type MemoryLimits, ModuleBuilder } from '../../encoder/module.ts';
import { driverSignature } from '../nest.ts';
import { odometer } from '../odometer.ts';
import { contractRecord as words } from '../record.ts';
import { blockings, workspaceOf } from './blocking.ts';
import type { NumericDType } from '../storage.ts';
import { addIntegerProduct } from './integer.ts';
import { addProduct } from './product.ts';

/** The workspace that any contraction may use, in bytes. */
export const contractWorkspaceBytes: number = Math.max(workspaceOf(blockings.float32).bytes, workspaceOf(blockings.float64).bytes);

/** Exports `contract`, a driver: (record, scratch). */
export function contractModule(dtype: NumericDType, memory: MemoryLimits): Uint8Array {
  const module = new ModuleBuilder(memory);
  const product = dtype === 'int32' ? addIntegerProduct(module) : addProduct(module, blockings[dtype]);
  module.exportFunction('contract', addBatchLoop(module, product));
  return module.encode();
}

function addBatchLoop(module: ModuleBuilder, product: number): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const record = scope.parameter(0);
  const pointers = scope.locals('i32', 3);
  return module.addFunction(scope, [
    pointers.map((pointer, i) => set(pointer, loadWord(get(record), [words.lhs, words.rhs, words.out][i]!))),
    odometer(scope, words, pointers, call(product, get(record), ...pointers.map(get))),
  ]);
}
