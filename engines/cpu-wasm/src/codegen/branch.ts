import { add, get, i32, instr, least, load, loadWord, type Local, mul, set } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { driverSignature } from './nest.ts';
import { branchRecord } from './record.ts';
import { before, type Walk } from './walk.ts';

/** The driver of a branch step: the records between two of the header's offsets. */
export function addBranch(module: ModuleBuilder, walk: Walk): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const [header, scratch] = [scope.parameter(0), scope.parameter(1)];
  const [index, last, bounds, record, end] = scope.locals('i32', 5) as readonly Local[] as readonly [Local, Local, Local, Local, Local];
  const notNegative = instr('select', i32(0), get(index), instr('i32.lt_s', get(index), i32(0)));
  return module.addFunction(scope, [
    set(index, load('i32.load', loadWord(get(header), branchRecord.index))),
    set(index, notNegative),
    set(last, loadWord(get(header), branchRecord.last)),
    set(bounds, add(get(header), mul(i32(4), least(get(index), get(last))))),
    set(record, add(get(header), loadWord(get(bounds), branchRecord.begin(0)))),
    set(end, add(get(header), loadWord(get(bounds), branchRecord.begin(1)))),
    walk(record, before(record, end), scratch),
  ]);
}
