/**
 * Packing: a block of an operand of any strides becomes panels of `width` rows (or columns), each stored k after k. A
 * panel's missing rows repeat its last one: their products land in parts of the micro tile that nobody reads, so nothing
 * outside an operand is read and nothing of the padding reaches a result.
 */
import { add, advance, type Code, get, i32, ifElse, instr, least, load, type Local, mul, repeat, set, store, sub, whileLoop } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import type { Blocking } from './blocking.ts';

/** Adds (to, from, lanes, depth, laneStride, depthStride): `lanes` rows or columns of `depth` ≥ 1 elements. */
export function addPack(module: ModuleBuilder, { type, bytes }: Blocking, width: 4 | 6 | 8): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [to, from, lanes, depth, laneStride, depthStride] = scope.parameters as readonly [Local, Local, Local, Local, Local, Local];
  const pointers = scope.locals('i32', width);
  const [last, counter] = scope.locals('i32', 2) as readonly [Local, Local];

  const point = pointers.map((pointer, j) => [
    set(pointer, least(get(last), i32(j))),
    set(pointer, add(get(from), mul(get(pointer), get(laneStride)))),
  ]);
  const gather = pointers.map((pointer, j) => [
    store(`${type}.store`, get(to), load(`${type}.load`, get(pointer)), j * bytes),
    advance(pointer, get(depthStride)),
  ]);
  const whole = Math.floor((width * bytes) / 16);
  const vectors = [
    Array.from({ length: whole }, (_, i) => store('v128.store', get(to), load('v128.load', get(pointers[0]!), 16 * i), 16 * i)),
    width * bytes > 16 * whole ? store('i64.store', get(to), load('i64.load', get(pointers[0]!), 16 * whole), 16 * whole) : [],
  ];
  const next = advance(to, i32(width * bytes));
  const isContiguous = instr('i32.and', instr('i32.eq', get(laneStride), i32(bytes)), instr('i32.ge_u', get(lanes), i32(width)));
  const panel: Code = [
    set(last, sub(get(lanes), i32(1))),
    point,
    ifElse(
      isContiguous,
      repeat(counter, get(depth), [vectors, advance(pointers[0]!, get(depthStride)), next]),
      repeat(counter, get(depth), [gather, next]),
    ),
    advance(from, mul(get(laneStride), i32(width))),
    set(lanes, sub(get(lanes), least(get(lanes), i32(width)))),
  ];
  return module.addFunction(scope, whileLoop(get(lanes), panel));
}
