/** The product of two complex vectors: sums of four or eight lanes, so that additions need not wait for each other. */
import { add, advance, call, type Code, extractLane, forLoop, get, i32, ifElse, instr, least, load, loadWord, type Local, mul, repeat, set, shuffle, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { contractRecord as words } from '../record.ts';
import { accumulate, addVectors, shapeOf, zeroScalar, zeroVector } from './arithmetic.ts';
import type { Blocking } from './blocking.ts';

/** Vectors of elements at a time, and elements that are summed from 0 before their sum is added to the result. */
const VECTORS = 4;
const SPAN = 1024;
/** Bytes of the workspace: each side's block where it is strided, each side's tail. */
const workspace = { lhs: 0, rhs: 16384, tails: 32768 } as const;

/** Adds (record, lhs, rhs, out) for one element of one batch position where n = 1; k ≥ 1. */
export function addComplexDot(module: ModuleBuilder, blocking: Blocking): number {
  return new ComplexDotEmitter(module, blocking).add();
}

class ComplexDotEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  readonly #record: Local = this.#scope.parameter(0);
  /** Per vector: a·re b and a·im b, with a = (re, im, …) as it lies. */
  readonly #byRe: readonly Local[] = this.#scope.locals('v128', VECTORS);
  readonly #byIm: readonly Local[] = this.#scope.locals('v128', VECTORS);
  readonly #left: Local = this.#scope.local('v128');
  readonly #right: Local = this.#scope.local('v128');
  readonly #a: Local = this.#scope.local('i32');
  readonly #b: Local = this.#scope.local('i32');
  readonly #depth: Local = this.#scope.local('i32');

  constructor(module: ModuleBuilder, blocking: Blocking) {
    this.#module = module;
    this.#blocking = blocking;
  }

  get #elementBytes(): number {
    return 2 * this.#blocking.bytes;
  }

  /** Elements of a group. */
  get #group(): number {
    return (16 * VECTORS) / this.#elementBytes;
  }

  add(): number {
    const block = this.#scope.local('i32');
    const depth = this.#word(words.k);
    const gather = addElementGather(this.#module, this.#elementBytes);
    return this.#module.addFunction(this.#scope, forLoop(block, depth, SPAN, [
      set(this.#depth, sub(depth, get(block))),
      set(this.#depth, least(get(this.#depth), i32(SPAN))),
      this.#place(gather, this.#a, 1, block, words.lhsK, workspace.lhs),
      this.#place(gather, this.#b, 2, block, words.rhsK, workspace.rhs),
      [...this.#byRe, ...this.#byIm].map((sum) => set(sum, zeroVector)),
      this.#sum(gather),
      this.#finish(block),
    ]));
  }

  #word(position: number): Code {
    return loadWord(get(this.#record), position);
  }

  #place(gather: number, pointer: Local, operand: number, block: Local, strideWord: number, at: number): Code {
    const [stride, copy] = [this.#word(strideWord), add(this.#word(words.workspace), i32(at))];
    const copied = [call(gather, copy, get(pointer), get(this.#depth), stride), set(pointer, copy)];
    return [
      set(pointer, add(get(this.#scope.parameter(operand)), mul(get(block), stride))),
      ifElse(instr('i32.ne', stride, i32(this.#elementBytes)), copied),
    ];
  }

  #sum(gather: number): Code {
    const [counter, left, tails] = this.#scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
    const groupBytes = 16 * VECTORS;
    const copy = (to: Code, from: Local): Code => [call(gather, to, get(from), get(left), i32(this.#elementBytes)), set(from, to)];
    // The last elements, copied and followed by zeros: nothing beyond a vector is read.
    const tail = [
      set(tails, add(this.#word(words.workspace), i32(workspace.tails))),
      Array.from({ length: (2 * groupBytes) / 16 }, (_, i) => store('v128.store', get(tails), zeroVector, 16 * i)),
      copy(get(tails), this.#a),
      copy(add(get(tails), i32(groupBytes)), this.#b),
      this.#multiply(),
    ];
    return [
      set(left, instr('i32.and', get(this.#depth), i32(this.#group - 1))),
      set(counter, instr('i32.shr_u', get(this.#depth), i32(Math.log2(this.#group)))),
      ifElse(get(counter), repeat(counter, get(counter), [this.#multiply(), advance(this.#a, i32(groupBytes)), advance(this.#b, i32(groupBytes))])),
      ifElse(get(left), tail),
    ];
  }

  /** One group. */
  #multiply(): Code {
    return this.#byRe.map((byRe, i) => [
      set(this.#left, load('v128.load', get(this.#a), 16 * i)),
      set(this.#right, load('v128.load', get(this.#b), 16 * i)),
      accumulate(this.#blocking, byRe, get(this.#left), this.#doubled(0)),
      accumulate(this.#blocking, this.#byIm[i]!, get(this.#left), this.#doubled(1)),
    ]);
  }

  /** One part of each element of the right side in both places. */
  #doubled(part: 0 | 1): Code {
    const { bytes, lanes } = this.#blocking;
    const places = Array.from({ length: lanes }, (_, place) => place - (place % 2) + part);
    return shuffle(get(this.#right), get(this.#right), places.flatMap((place) => Array.from({ length: bytes }, (_, byte) => place * bytes + byte)));
  }

  /** The lanes, the upper half onto the lower until one is left, plus 0: a fused product of zeros that pad can leave −0. */
  #finish(block: Local): Code {
    const { type, bytes, lanes } = this.#blocking;
    const out = this.#scope.parameter(3);
    const total = this.#scope.locals(type, 2);
    const fold = (sums: readonly Local[]): Code => [2, 1].map((half) => sums.slice(0, half).map((sum, i) => set(sum, addVectors(this.#blocking, get(sum), get(sums[i + half]!)))));
    const lane = (sums: readonly Local[], part: number): Code => {
      const extract = (at: number): Code => extractLane(`${shapeOf(this.#blocking)}.extract_lane`, get(sums[0]!), at);
      return instr(`${type}.add`, lanes === 2 ? extract(part) : instr(`${type}.add`, extract(part), extract(part + 2)), zeroScalar(this.#blocking));
    };
    const present = (part: number): Code => load(`${type}.load`, get(out), part * bytes);
    return [
      fold(this.#byRe),
      fold(this.#byIm),
      set(total[0]!, instr(`${type}.sub`, lane(this.#byRe, 0), lane(this.#byIm, 1))),
      set(total[1]!, instr(`${type}.add`, lane(this.#byRe, 1), lane(this.#byIm, 0))),
      ifElse(get(block), total.map((part, i) => set(part, instr(`${type}.add`, present(i), get(part))))),
      total.map((part, i) => store(`${type}.store`, get(out), get(part), i * bytes)),
    ];
  }
}

/** Adds (to, from, count ≥ 1, stride): copies elements side by side. */
function addElementGather(module: ModuleBuilder, bytes: number): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32']);
  const [to, from, count, stride] = scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local];
  const copy = bytes === 8 ? store('i64.store', get(to), load('i64.load', get(from))) : store('v128.store', get(to), load('v128.load', get(from)));
  return module.addFunction(scope, repeat(count, get(count), [copy, advance(to, i32(bytes)), advance(from, get(stride))]));
}
