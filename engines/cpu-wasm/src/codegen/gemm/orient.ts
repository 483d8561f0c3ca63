/**
 * (lhs·rhs)ᵀ = rhsᵀ·lhsᵀ: a contraction may be read either way round. The products commute and the order of sums depends on
 * sizes only, so the bits are the same.
 */
import { advance, type Code, doWhile, get, i32, ifElse, instr, loadWord, type Local, set, storeWord, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { axisRecord, contractRecord as words } from '../record.ts';
import type { Blocking } from './blocking.ts';

/** Per word of the turned record, the word it comes from. */
const turned: readonly (readonly [number, number])[] = [
  [words.m, words.n], [words.n, words.m], [words.k, words.k],
  [words.lhs, words.rhs], [words.lhsM, words.rhsN], [words.lhsK, words.rhsK],
  [words.rhs, words.lhs], [words.rhsK, words.lhsK], [words.rhsN, words.lhsM],
  [words.out, words.out], [words.outM, words.outN], [words.outN, words.outM],
  [words.workspace, words.workspace], [words.rank, words.rank],
];
const turnedAxis: readonly (readonly [number, number])[] = [
  [axisRecord.extent, axisRecord.extent], [axisRecord.delta(0), axisRecord.delta(1)], [axisRecord.delta(1), axisRecord.delta(0)], [axisRecord.delta(2), axisRecord.delta(2)],
];

/** Adds (record, scratch): writes the turned record. */
export function addTurn(module: ModuleBuilder): number {
  const scope = new FunctionScope(['i32', 'i32']);
  const [record, scratch] = scope.parameters as readonly Local[] as readonly [Local, Local];
  const axes = scope.local('i32');
  const copy = (pairs: readonly (readonly [number, number])[], first: number): Code => pairs.map(([to, from]) => storeWord(get(scratch), first + to, loadWord(get(record), first + from)));
  const next = (pointer: Local): Code => advance(pointer, i32(4 * axisRecord.words));
  return module.addFunction(scope, [
    copy(turned, 0),
    set(axes, loadWord(get(record), words.rank)),
    ifElse(get(axes), doWhile([copy(turnedAxis, words.axes), next(record), next(scratch), set(axes, sub(get(axes), i32(1)))], get(axes))),
  ]);
}

/** Whether the other way round is better: a single row becomes a single column, rows of the result become contiguous. */
export function shouldTurn(blocking: Blocking, record: Local): Code {
  const bytes = blocking.bytes * blocking.parts;
  const word = (position: number): Code => loadWord(get(record), position);
  const is = (position: number, value: number): Code => instr('i32.eq', word(position), i32(value));
  const isOne = (position: number): Code => is(position, 1);
  const areColumnsContiguous = instr('i32.and', is(words.outM, bytes), instr('i32.ne', word(words.outN), i32(bytes)));
  return instr('i32.and', instr('i32.eqz', isOne(words.n)), instr('i32.or', isOne(words.m), areColumnsContiguous));
}
