import { add, get, i32, load, loadWord, type Local, set, whileLoop } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { driverSignature } from './nest.ts';
import { bytesWord, whileRecord } from './record.ts';
import { before, type Walk } from './walk.ts';

/** The driver of a while step: the condition's records end where those of its steps begin. */
export function addWhile(module: ModuleBuilder, walk: Walk): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const [header, scratch] = [scope.parameter(0), scope.parameter(1)];
  const [record, conditionEnd, end] = scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
  const first = set(record, add(get(header), i32(4 * whileRecord.words)));
  const holds = load('i32.load8_u', loadWord(get(header), whileRecord.holds));
  return module.addFunction(scope, [
    set(conditionEnd, add(get(header), loadWord(get(header), whileRecord.conditionEnd))),
    set(end, add(get(header), loadWord(get(header), bytesWord))),
    whileLoop([first, walk(record, before(record, conditionEnd), scratch), holds], walk(record, before(record, end), scratch)),
  ]);
}
