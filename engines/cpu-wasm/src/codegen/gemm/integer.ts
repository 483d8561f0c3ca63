import { advance, type Code, get, i32, i64, ifElse, instr, load, loadWord, type Local, repeat, set, store } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';

/** Adds (record, lhs, rhs, out) on integers: exact modulo 2^32 or 2^64 in any order, so plain loops do. m, n ≥ 1. */
export function addIntegerProduct(module: ModuleBuilder, type: 'i32' | 'i64'): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [record, lhs, rhs, out] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const [row, column, depth, a, b, from, to] = scope.locals('i32', 7) as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
  const sum = scope.local(type);
  const word = (position: number): Code => loadWord(get(record), position);
  const dot = repeat(depth, word(words.k), [
    set(sum, instr(`${type}.add`, get(sum), instr(`${type}.mul`, load(`${type}.load`, get(a)), load(`${type}.load`, get(b))))),
    advance(a, word(words.lhsK)),
    advance(b, word(words.rhsK)),
  ]);
  const element = [
    set(sum, type === 'i64' ? i64(0n) : i32(0)),
    set(a, get(lhs)),
    set(b, get(from)),
    ifElse(word(words.k), dot),
    store(`${type}.store`, get(to), get(sum)),
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
