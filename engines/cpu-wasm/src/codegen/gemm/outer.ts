/** Products of a column and a row, k = 1: bound by writing the result, so it is written row by row. */
import { add, advance, type Code, forLoop, get, i32, instr, least, load, loadWord, type Local, mul, repeat, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { accumulate, splatOf, zeroVector } from './arithmetic.ts';
import type { Blocking } from './blocking.ts';

/** Adds (record, lhs, rhs, out) for one batch position that {@link isOuter}. The last vector of a row may overlap the one before. */
export function addOuterProduct(module: ModuleBuilder, blocking: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [record, lhs, rhs, out] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const [row, position, at, bytes, last] = scope.locals('i32', 5) as readonly Local[] as readonly [Local, Local, Local, Local, Local];
  const [factor, sum] = scope.locals('v128', 2) as readonly Local[] as readonly [Local, Local];
  const word = (index: number): Code => loadWord(get(record), index);
  return module.addFunction(scope, [
    set(bytes, mul(word(words.n), i32(blocking.bytes))),
    set(last, sub(get(bytes), i32(16))),
    repeat(row, word(words.m), [
      set(factor, load(splatOf(blocking), get(lhs))),
      forLoop(position, get(bytes), 16, [
        set(at, least(get(position), get(last))),
        set(sum, zeroVector),
        accumulate(blocking, sum, get(factor), load('v128.load', add(get(rhs), get(at)))),
        store('v128.store', add(get(out), get(at)), get(sum)),
      ]),
      advance(lhs, word(words.lhsM)),
      advance(out, word(words.outM)),
    ]),
  ]);
}

/** Whether k = 1, and rows of both sides are contiguous and at least a vector long. */
export function isOuter({ bytes, lanes }: Blocking, word: (position: number) => Code): Code {
  const is = (position: number, value: number): Code => instr('i32.eq', word(position), i32(value));
  const areContiguous = instr('i32.and', is(words.rhsN, bytes), is(words.outN, bytes));
  return instr('i32.and', is(words.k, 1), instr('i32.and', areContiguous, instr('i32.ge_u', word(words.n), i32(lanes))));
}
