/**
 * The code of a plan: one driver per distinct routine and `run(table, scratch)`, which walks the step table. Everything
 * numeric is in the table, so plans that need the same routines share the module.
 */
import { type Combine, type DType, type LoopKernel, type ScanKernel } from '@tf/core';
import { type Code, copyMemory, get, loadWord } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import { type MemoryLimits, ModuleBuilder, type PlaceData } from '../encoder/module.ts';
import { addElementwise } from './elementwise.ts';
import { addBranch } from './branch.ts';
import { addGather, addScatter } from './indexed.ts';
import { addIota } from './iota.ts';
import type { AddInnerLoop } from './inner.ts';
import type { EncodeLoop } from './loop-cache.ts';
import { driverSignature } from './nest.ts';
import { copyRecord } from './record.ts';
import { addReduction, foldRoutinesOf } from './reduction.ts';
import { addRepeat } from './repeat.ts';
import { addScan } from './scan.ts';
import { addSort } from './sort.ts';
import { addTile } from './tile.ts';
import { addRun, walker } from './walk.ts';
import { addWhile } from './while.ts';

/** What a step calls. `text` identifies it: equal texts, equal code. */
export type Routine =
  | { readonly kind: 'loop'; readonly text: string; readonly kernel: LoopKernel; readonly ahead: readonly number[] }
  | { readonly kind: 'scan'; readonly text: string; readonly kernel: ScanKernel }
  | { readonly kind: 'tile' | 'repeat' | 'while' | 'branch' | 'call'; readonly text: string }
  | { readonly kind: 'contract' | 'sort' | 'iota' | 'gather'; readonly text: string; readonly dtype: DType }
  | { readonly kind: 'scatter'; readonly text: string; readonly dtype: DType; readonly combine: Combine };

/** The name under which a module imports the contraction of a dtype. */
export const contractImport = (dtype: DType): string => `contract_${dtype}`;

/** The name under which a module imports the engine's way to kernels of execution modules, which is a function of JavaScript. */
export const callImport = 'call';

/** The name under which it imports, likewise, the way to the other threads. */
export const splitImport = 'split';

/** Routine i is element `builtins.count + i` of the function table. */
export function planModule(routines: readonly Routine[], memory: MemoryLimits, placeData: PlaceData, encodeLoop: EncodeLoop): Uint8Array {
  const module = new ModuleBuilder(memory, placeData);
  const imported = new Map<Routine, number>();
  const split = module.importFunction(splitImport, driverSignature);
  for (const routine of routines) {
    if (routine.kind === 'contract') imported.set(routine, module.importFunction(contractImport(routine.dtype), driverSignature));
    else if (routine.kind === 'call') imported.set(routine, module.importFunction(callImport, driverSignature));
  }
  const nothing = module.addFunction(new FunctionScope(driverSignature.parameters), []);
  const copy = addCopy(module);
  const walk = walker(module);
  const folds = foldRoutinesOf(module);
  const drivers = routines.map((routine) => {
    switch (routine.kind) {
      case 'contract':
      case 'call':
        return imported.get(routine)!;
      case 'sort':
        return addSort(module, routine.dtype);
      case 'iota':
        return addIota(module, routine.dtype);
      case 'gather':
        return addGather(module, routine.dtype);
      case 'scatter':
        return addScatter(module, routine.dtype, routine.combine);
      case 'scan':
        return addScan(module, routine.kernel);
      case 'tile':
        return addTile(module, walk);
      case 'repeat':
        return addRepeat(module, walk);
      case 'while':
        return addWhile(module, walk);
      case 'branch':
        return addBranch(module, walk);
      case 'loop': {
        const { kernel, ahead, text } = routine;
        const addInner: AddInnerLoop = (inner) => module.addEncoded(encodeLoop(text, inner));
        return kernel.reduce === undefined ? addElementwise(module, kernel, ahead, addInner) : addReduction(module, kernel, folds, ahead, addInner);
      }
    }
  });
  module.setElements([nothing, copy, split, ...drivers]);
  module.exportFunction('run', addRun(module, walk));
  return module.encode();
}

function addCopy(module: ModuleBuilder): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const word = (position: number): Code => loadWord(get(scope.parameter(0)), position);
  return module.addFunction(scope, copyMemory(word(copyRecord.to), word(copyRecord.from), word(copyRecord.bytes)));
}
