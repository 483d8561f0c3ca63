import { add, advance, type Code, forLoop, get, i32, ifElse, instr, least, load, type Local, mul, repeat, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { accumulate, foldLanes, zeroVector } from './arithmetic.ts';
import { type Blocking, vectorSum } from './blocking.ts';

/** Rows at a time: eight running sums hide the latency of an addition. */
const rowsOf = ({ type }: Blocking): 4 | 8 => (type === 'f32' ? 8 : 4);

/**
 * Adds (matrix, rowStride, vector, depth, rows ≥ 1, sums, tail): sums[r] = Σₖ matrix[r, k]·vector[k], where rows are
 * contiguous. A group's missing rows repeat its last one, so `sums` needs room for a whole number of groups. The last
 * depth % 4 elements are copied to `tail`, followed by zeros: nothing beyond a row is read.
 */
export function addRowSums(module: ModuleBuilder, blocking: Blocking): number {
  return new RowEmitter(module, blocking).add();
}

class RowEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  readonly #rows: readonly Local[];
  /** Per row, its lanes. */
  readonly #lanes: readonly (readonly Local[])[];
  readonly #factor: readonly Local[];
  readonly #at: Local = this.#scope.local('i32');
  readonly #whole: Local = this.#scope.local('i32');
  readonly #left: Local = this.#scope.local('i32');

  constructor(module: ModuleBuilder, blocking: Blocking) {
    this.#module = module;
    this.#blocking = blocking;
    const vectors = vectorSum.lanes / blocking.lanes;
    this.#rows = this.#scope.locals('i32', rowsOf(blocking));
    this.#lanes = this.#rows.map(() => this.#scope.locals('v128', vectors));
    this.#factor = this.#scope.locals('v128', vectors);
  }

  get #groupBytes(): number {
    return vectorSum.lanes * this.#blocking.bytes;
  }

  add(): number {
    const [matrix, rowStride, vector, depth, rows, sums] = this.#scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local];
    const { type, bytes } = this.#blocking;
    const row = this.#scope.local('i32');
    const last = sub(sub(get(rows), i32(1)), get(row));
    const point = this.#rows.map((pointer, i) => [
      set(pointer, last),
      set(pointer, least(get(pointer), i32(i))),
      set(pointer, add(get(matrix), mul(get(pointer), get(rowStride)))),
    ]);
    const whole = forLoop(this.#at, get(this.#whole), this.#groupBytes, this.#multiply((i, offset) => load('v128.load', add(get(this.#rows[i]!), get(this.#at)), offset), (offset) => load('v128.load', add(get(vector), get(this.#at)), offset)));
    return this.#module.addFunction(this.#scope, [
      set(this.#left, instr('i32.and', get(depth), i32(vectorSum.lanes - 1))),
      set(this.#whole, mul(sub(get(depth), get(this.#left)), i32(bytes))),
      forLoop(row, get(rows), this.#rows.length, [
        point,
        this.#lanes.flat().map((lane) => set(lane, zeroVector)),
        whole,
        ifElse(get(this.#left), this.#tail()),
        this.#lanes.map((lanes, i) => store(`${type}.store`, get(sums), foldLanes(this.#blocking, lanes), i * bytes)),
        advance(sums, i32(this.#rows.length * bytes)),
        advance(matrix, mul(get(rowStride), i32(this.#rows.length))),
      ]),
    ]);
  }

  #multiply(matrix: (row: number, offset: number) => Code, vector: (offset: number) => Code): Code {
    return [
      this.#factor.map((factor, v) => set(factor, vector(16 * v))),
      this.#lanes.map((lanes, i) => lanes.map((lane, v) => accumulate(this.#blocking, lane, matrix(i, 16 * v), get(this.#factor[v]!)))),
    ];
  }

  /** The vector's tail comes first, then one for each row. */
  #tail(): Code {
    const { type, bytes } = this.#blocking;
    const [vector, tail] = [this.#scope.parameter(2), this.#scope.parameter(6)];
    const [counter, from, to] = this.#scope.locals('i32', 3) as readonly Local[] as readonly [Local, Local, Local];
    const sources = [vector, ...this.#rows];
    const clear = Array.from({ length: (sources.length * this.#groupBytes) / 16 }, (_, i) => store('v128.store', get(tail), zeroVector, 16 * i));
    const copy = sources.map((source, i) => store(`${type}.store`, get(to), load(`${type}.load`, add(get(source), get(from))), i * this.#groupBytes));
    return [
      clear,
      set(from, get(this.#whole)),
      set(to, get(tail)),
      repeat(counter, get(this.#left), [copy, advance(from, i32(bytes)), advance(to, i32(bytes))]),
      this.#multiply((i, offset) => load('v128.load', get(tail), (i + 1) * this.#groupBytes + offset), (offset) => load('v128.load', get(tail), offset)),
    ];
  }
}
