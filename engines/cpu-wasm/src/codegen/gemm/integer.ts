import { add, advance, type Code, get, i32, ifElse, load, loadWord, type Local, mul, repeat, set, store } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';

/** Adds (record, lhs, rhs, out) on int32: exact modulo 2^32 in any order, so plain loops do. m, n ≥ 1. */
export function addIntegerProduct(module: ModuleBuilder): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [record, lhs, rhs, out] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const [row, column, depth, a, b, from, to, sum] = scope.locals('i32', 8) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local, Local];
  const word = (position: number): Code => loadWord(get(record), position);
  const dot = repeat(depth, word(words.k), [
    set(sum, add(get(sum), mul(load('i32.load', get(a)), load('i32.load', get(b))))),
    advance(a, word(words.lhsK)),
    advance(b, word(words.rhsK)),
  ]);
  const element = [
    set(sum, i32(0)),
    set(a, get(lhs)),
    set(b, get(from)),
    ifElse(word(words.k), dot),
    store('i32.store', get(to), get(sum)),
    advance(from, word(words.rhsN)),
    advance(to, word(words.outN)),
  ];
  return module.addFunction(scope, repeat(row, word(words.m), [
    set(from, get(rhs)),
    set(to, get(out)),
    repeat(column, word(words.n), element),
    advance(lhs, word(words.lhsM)),
    advance(out, word(words.outM)),
  ]));
}
