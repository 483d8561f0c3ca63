import { add, advance, type Code, doWhile, get, i32, ifElse, instr, loadWord, type Local, mul, set, storeWord, sub, whileLoop } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';
import { axisRecord } from './record.ts';

/**
 * The body once for every index of the axes in the record (parameter 0 of the scope), in row-major order, moving three
 * pointers: for routines whose rank is data. Counters live in the record; every extent is ≥ 1.
 */
export function odometer(scope: FunctionScope, record: { readonly rank: number; readonly axes: number }, pointers: readonly Local[], body: Code): Code {
  const base = scope.parameter(0);
  const [axis, entry, left, more] = scope.locals('i32', 4) as readonly Local[] as readonly [Local, Local, Local, Local];
  const rank = loadWord(get(base), record.rank);
  const field = (word: number): Code => loadWord(get(entry), word);
  const point = set(entry, add(get(base), add(i32(4 * record.axes), mul(get(axis), i32(4 * axisRecord.words)))));
  const restart = storeWord(get(entry), axisRecord.counter, field(axisRecord.extent));
  const start = [set(axis, i32(0)), whileLoop(instr('i32.lt_u', get(axis), rank), [point, restart, advance(axis, i32(1))])];
  // Steps the innermost axis; where it ends, it starts over and the axis outside it steps.
  const step = [
    set(more, i32(0)),
    set(axis, rank),
    whileLoop(instr('i32.and', instr('i32.ne', get(axis), i32(0)), instr('i32.eqz', get(more))), [
      set(axis, sub(get(axis), i32(1))),
      point,
      pointers.map((pointer, operand) => advance(pointer, field(axisRecord.delta(operand)))),
      set(left, sub(field(axisRecord.counter), i32(1))),
      ifElse(get(left), [storeWord(get(entry), axisRecord.counter, get(left)), set(more, i32(1))], restart),
    ]),
  ];
  return [start, doWhile([body, step], get(more))];
}
