import { add, advance, type Code, doWhile, get, i32, instr, load, loadWord, type Local, set, store, sub } from '../encoder/code.ts';
import { FunctionScope } from '../encoder/function.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { driverSignature } from './nest.ts';
import { bytesWord, tileEntry, tileRecord } from './record.ts';
import { before, type Walk } from './walk.ts';

/** The driver of a tile step: its loops for one tile after the other. What moves from tile to tile is in the header's entries. */
export function addTile(module: ModuleBuilder, walk: Walk): number {
  const scope = new FunctionScope(driverSignature.parameters);
  const [header, scratch] = [scope.parameter(0), scope.parameter(1)];
  const [first, end, left, record, column, entry, word] = scope.locals('i32', 7) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
  const at = (position: number): Code => i32(4 * position);
  const loops = [set(record, get(first)), walk(record, before(record, end), scratch)];
  const notLast = instr('select', at(tileEntry.toLast), at(tileEntry.next), instr('i32.eq', get(left), i32(1)));
  const move = [
    set(column, instr('select', notLast, at(tileEntry.back), get(left))),
    set(entry, add(get(header), i32(4 * tileRecord.entry(0)))),
    doWhile([
      set(word, add(get(header), loadWord(get(entry), tileEntry.word))),
      store('i32.store', get(word), add(load('i32.load', get(word)), load('i32.load', add(get(entry), get(column))))),
      advance(entry, i32(4 * tileEntry.words)),
    ], instr('i32.ne', get(entry), get(first))),
  ];
  return module.addFunction(scope, [
    set(first, add(get(header), loadWord(get(header), tileRecord.headerBytes))),
    set(end, add(get(header), loadWord(get(header), bytesWord))),
    set(left, loadWord(get(header), tileRecord.tiles)),
    doWhile([loops, set(left, sub(get(left), i32(1))), move], get(left)),
  ]);
}
