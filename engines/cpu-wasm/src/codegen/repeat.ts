import { add, advance, type Code, get, i32, load, loadWord, type Local, mul, repeat, set, store, sub, whileLoop } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { driverSignature } from './nest.ts';
import { bytesWord, repeatEntry, repeatRecord } from './record.ts';
import { before, type Walk } from './walk.ts';

/** The driver of a repeated step: its records, then every address one iteration further; in the end all of them back. */
export function addRepeat(module: ModuleBuilder, walk: Walk): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const [header, scratch] = [scope.parameter(0), scope.parameter(1)];
  const [first, end, left, record, entry, word] = scope.locals('i32', 6) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local];
  const next = loadWord(get(entry), repeatEntry.next);
  const move = (moved: (address: Code) => Code): Code => [
    set(entry, add(get(header), i32(4 * repeatRecord.entry(0)))),
    whileLoop(before(entry, first), [
      set(word, add(get(header), loadWord(get(entry), repeatEntry.word))),
      store('i32.store', get(word), moved(load('i32.load', get(word)))),
      advance(entry, i32(4 * repeatEntry.words)),
    ]),
  ];
  return module.addFunction(scope, [
    set(first, add(get(header), loadWord(get(header), repeatRecord.headerBytes))),
    set(end, add(get(header), loadWord(get(header), bytesWord))),
    repeat(left, loadWord(get(header), repeatRecord.count), [set(record, get(first)), walk(record, before(record, end), scratch), move((address) => add(address, next))]),
    move((address) => sub(address, mul(next, loadWord(get(header), repeatRecord.count)))),
  ]);
}
