/** From a micro tile to the part of the result that it holds: edges, and results whose rows are not contiguous. */
import { advance, type Code, get, i32, ifElse, instr, load, type Local, repeat, set, store } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import type { Blocking } from './blocking.ts';

/** Adds (tile, out, rows ≥ 1, columns ≥ 1, outRow, outColumn, first): out = tile if `first`, else out += tile. */
export function addScatter(module: ModuleBuilder, { type, bytes, nr }: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [tile, out, rows, columns, outRow, outColumn, first] = scope.parameters as readonly [Local, Local, Local, Local, Local, Local, Local];
  const [from, to, rowCounter, columnCounter] = scope.locals('i32', 4) as readonly [Local, Local, Local, Local];
  const value = load(`${type}.load`, get(from));
  const write = (element: Code): Code => store(`${type}.store`, get(to), element);
  const element = ifElse(get(first), write(value), write(instr(`${type}.add`, load(`${type}.load`, get(to)), value)));
  return module.addFunction(scope, repeat(rowCounter, get(rows), [
    set(from, get(tile)),
    set(to, get(out)),
    repeat(columnCounter, get(columns), [element, advance(from, i32(bytes)), advance(to, get(outColumn))]),
    advance(tile, i32(nr * bytes)),
    advance(out, get(outRow)),
  ]));
}
