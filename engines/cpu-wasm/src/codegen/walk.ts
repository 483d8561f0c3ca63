import { advance, callIndirect, type Code, get, i32, instr, loadWord, type Local, setGlobal, whileLoop } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { driverSignature } from './nest.ts';
import { builtins, bytesWord, functionWord } from './record.ts';

/** Runs one record after the other, from `record` on, while the condition holds. */
export type Walk = (record: Local, condition: Code, scratch: Local) => Code;

/** The exported global `step` holds the record being run, of nested ones the innermost: after a trap it tells which step it was. */
export function walker(module: ModuleBuilder): Walk {
  const step = module.addGlobal('step');
  const type = module.typeIndex(driverSignature);
  return (record, condition, scratch) => whileLoop(condition, [
    setGlobal(step, get(record)),
    callIndirect(type, loadWord(get(record), functionWord), get(record), get(scratch)),
    advance(record, loadWord(get(record), bytesWord)),
  ]);
}

/** Whether a walk is not yet at its end. */
export const before = (record: Local, end: Local): Code => instr('i32.ne', get(record), get(end));

/** The whole table. */
export function addRun(module: ModuleBuilder, walk: Walk): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const [table, scratch] = [scope.parameter(0), scope.parameter(1)];
  return module.addFunction(scope, walk(table, instr('i32.ne', loadWord(get(table), functionWord), i32(builtins.end)), scratch));
}
