/** The product of two vectors: sixteen lanes, so that additions need not wait for each other (`dotSum`). */
import { add, advance, call, type Code, forLoop, get, i32, ifElse, instr, least, load, loadWord, type Local, mul, repeat, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { accumulate, foldLanes, zeroVector } from './arithmetic.ts';
import { type Blocking, dotSum } from './blocking.ts';

/** Bytes of the workspace: each side's block where it is strided, each side's tail. */
const workspace = { lhs: 0, rhs: 32768, tails: 65536 } as const;

/** Adds (record, lhs, rhs, out) for one batch position where m = n = 1; k ≥ 1. `gather` copies elements side by side. */
export function addDot(module: ModuleBuilder, blocking: Blocking, gather: number): number {
  return new DotEmitter(module, blocking, gather).add();
}

class DotEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #gather: number;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  readonly #record: Local = this.#scope.parameter(0);
  readonly #lanes: readonly Local[];
  readonly #a: Local = this.#scope.local('i32');
  readonly #b: Local = this.#scope.local('i32');
  readonly #depth: Local = this.#scope.local('i32');

  constructor(module: ModuleBuilder, blocking: Blocking, gather: number) {
    this.#module = module;
    this.#blocking = blocking;
    this.#gather = gather;
    this.#lanes = this.#scope.locals('v128', dotSum.lanes / blocking.lanes);
  }

  get #groupBytes(): number {
    return dotSum.lanes * this.#blocking.bytes;
  }

  add(): number {
    const { type } = this.#blocking;
    const block = this.#scope.local('i32');
    const total = this.#scope.local(type);
    const out = this.#scope.parameter(3);
    const depth = this.#word(words.k);
    return this.#module.addFunction(this.#scope, forLoop(block, depth, dotSum.span, [
      set(this.#depth, sub(depth, get(block))),
      set(this.#depth, least(get(this.#depth), i32(dotSum.span))),
      this.#place(this.#a, 1, block, words.lhsK, workspace.lhs),
      this.#place(this.#b, 2, block, words.rhsK, workspace.rhs),
      this.#sum(),
      set(total, foldLanes(this.#blocking, this.#lanes)),
      ifElse(get(block), set(total, instr(`${type}.add`, load(`${type}.load`, get(out)), get(total)))),
      store(`${type}.store`, get(out), get(total)),
    ]));
  }

  #word(position: number): Code {
    return loadWord(get(this.#record), position);
  }

  #place(pointer: Local, operand: number, block: Local, strideWord: number, at: number): Code {
    const [stride, copy] = [this.#word(strideWord), add(this.#word(words.workspace), i32(at))];
    return [
      set(pointer, add(get(this.#scope.parameter(operand)), mul(get(block), stride))),
      ifElse(instr('i32.ne', stride, i32(this.#blocking.bytes)), [call(this.#gather, copy, get(pointer), get(this.#depth), stride), set(pointer, copy)]),
    ];
  }

  #sum(): Code {
    const [counter, left] = this.#scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
    return [
      this.#lanes.map((lane) => set(lane, zeroVector)),
      set(left, instr('i32.and', get(this.#depth), i32(dotSum.lanes - 1))),
      set(counter, instr('i32.shr_u', get(this.#depth), i32(Math.log2(dotSum.lanes)))),
      ifElse(get(counter), repeat(counter, get(counter), this.#group())),
      ifElse(get(left), this.#tail(left)),
    ];
  }

  #group(): Code {
    return [
      this.#lanes.map((lane, v) => accumulate(this.#blocking, lane, load('v128.load', get(this.#a), 16 * v), load('v128.load', get(this.#b), 16 * v))),
      advance(this.#a, i32(this.#groupBytes)),
      advance(this.#b, i32(this.#groupBytes)),
    ];
  }

  /** The last elements, copied and followed by zeros: nothing beyond a vector is read. */
  #tail(left: Local): Code {
    const { bytes } = this.#blocking;
    const tails = this.#scope.local('i32');
    const copy = (to: Code, from: Local): Code => [call(this.#gather, to, get(from), get(left), i32(bytes)), set(from, to)];
    return [
      set(tails, add(this.#word(words.workspace), i32(workspace.tails))),
      Array.from({ length: (2 * this.#groupBytes) / 16 }, (_, i) => store('v128.store', get(tails), zeroVector, 16 * i)),
      copy(get(tails), this.#a),
      copy(add(get(tails), i32(this.#groupBytes)), this.#b),
      this.#group(),
    ];
  }
}
