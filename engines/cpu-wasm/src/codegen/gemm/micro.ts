/** The micro kernel: a tile of four rows by two vectors, summed over one block of k. */
import { add, advance, type Code, doWhile, get, i32, ifElse, instr, load, type Local, set, store, sub } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import type { Blocking } from './blocking.ts';

const UNROLL = 4;

/**
 * Adds (depth ≥ 1, lhs, rhs, out, outRow, first): out = Σₖ lhs·rhs if `first`, else out += it. Panels are packed; a row of
 * `out` is contiguous and rows are `outRow` bytes apart. Each element is 0 + a₀·b₀ + a₁·b₁ + …, every operation rounded.
 */
export function addMicroKernel(module: ModuleBuilder, blocking: Blocking): number {
  const scope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  const [depth, lhs, rhs] = scope.parameters as readonly [Local, Local, Local];
  const tile = new MicroTile(scope, blocking);
  const block = (steps: number): Code => [
    Array.from({ length: steps }, (_, k) => tile.step(lhs, rhs, k)),
    advance(lhs, i32(steps * blocking.mr * blocking.bytes)),
    advance(rhs, i32(steps * blocking.nr * blocking.bytes)),
    set(depth, sub(get(depth), i32(steps))),
  ];
  const enough = instr('i32.ge_u', get(depth), i32(UNROLL));
  return module.addFunction(scope, [
    ifElse(enough, doWhile(block(UNROLL), enough)),
    ifElse(get(depth), doWhile(block(1), get(depth))),
    tile.finish(),
  ]);
}

class MicroTile {
  readonly #scope: FunctionScope;
  readonly #blocking: Blocking;
  readonly #sums: readonly Local[];
  readonly #columns: readonly Local[];
  readonly #row: Local;

  constructor(scope: FunctionScope, blocking: Blocking) {
    this.#scope = scope;
    this.#blocking = blocking;
    this.#sums = scope.locals('v128', 2 * blocking.mr);
    this.#columns = scope.locals('v128', 2);
    this.#row = scope.local('v128');
  }

  get #shape(): 'f32x4' | 'f64x2' {
    return this.#blocking.type === 'f32' ? 'f32x4' : 'f64x2';
  }

  #add(a: Code, b: Code): Code {
    return instr(`${this.#shape}.add`, a, b);
  }

  /** One value of k, the `k`-th from the pointers: sums += row · columns, product and sum rounded apart. */
  step(lhs: Local, rhs: Local, k: number): Code {
    const { type, bytes, mr, nr } = this.#blocking;
    const splat = type === 'f32' ? 'v128.load32_splat' : 'v128.load64_splat';
    const columns = this.#columns.map((column, j) => set(column, load('v128.load', get(rhs), k * nr * bytes + 16 * j)));
    const rows = Array.from({ length: mr }, (_, i) => [
      set(this.#row, load(splat, get(lhs), (k * mr + i) * bytes)),
      this.#columns.map((column, j) => {
        const sum = this.#sums[2 * i + j]!;
        return set(sum, this.#add(get(sum), instr(`${this.#shape}.mul`, get(this.#row), get(column))));
      }),
    ]);
    return [columns, rows];
  }

  finish(): Code {
    const [out, outRow, first] = this.#scope.parameters.slice(3) as readonly Local[] as readonly [Local, Local, Local];
    const rows = (value: (sum: Local, offset: number) => Code): Code =>
      Array.from({ length: this.#blocking.mr }, (_, i) => [
        [0, 1].map((j) => store('v128.store', get(out), value(this.#sums[2 * i + j]!, 16 * j), 16 * j)),
        i + 1 < this.#blocking.mr ? set(out, add(get(out), get(outRow))) : [],
      ]);
    return ifElse(
      get(first),
      rows((sum) => get(sum)),
      rows((sum, offset) => this.#add(load('v128.load', get(out), offset), get(sum))),
    );
  }
}
