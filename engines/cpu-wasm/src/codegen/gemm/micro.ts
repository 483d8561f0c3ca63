/** The micro kernels: a tile of some rows by one or two vectors, summed over one block of k. */
import { add, advance, type Code, get, i32, ifElse, load, type Local, repeat, set, store } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { accumulate, addVectors, splatOf } from './arithmetic.ts';
import type { Blocking } from './blocking.ts';

/** Kernels by rows (2, 4, … mr) and vectors (1, 2) of their tile. */
export class MicroKernels {
  readonly heights: readonly number[];
  readonly #byShape = new Map<string, number>();

  /** Direct kernels read operands where they lie, the others packed panels. */
  constructor(module: ModuleBuilder, blocking: Blocking, direct: boolean) {
    this.heights = Array.from({ length: blocking.mr / 2 }, (_, i) => 2 * i + 2);
    for (const height of this.heights) {
      for (const vectors of [1, 2]) this.#byShape.set(`${height}×${vectors}`, addMicroKernel(module, blocking, { height, vectors, direct }));
    }
  }

  of(height: number, vectors: number): number {
    return this.#byShape.get(`${height}×${vectors}`)!;
  }
}

interface TileShape {
  readonly height: number;
  readonly vectors: number;
  readonly direct: boolean;
}

/**
 * Packed: (depth ≥ 1, lhs, rhs, out, outRow, first). Direct: (depth ≥ 1, lhs, rhs, out, outRow, first, lhsRow, lhsDepth,
 * rhsDepth). out = Σₖ lhs·rhs if `first`, else out += it; a row of `out` is contiguous, strides are bytes. Each element is
 * 0 + a₀·b₀ + a₁·b₁ + …
 *
 * One value of k per round: V8 of Node 20 keeps such a tile in registers, and spills it once the loop is unrolled.
 */
function addMicroKernel(module: ModuleBuilder, blocking: Blocking, shape: TileShape): number {
  const scope = new FunctionScope(Array.from({ length: shape.direct ? 9 : 6 }, () => 'i32' as const));
  const depth = scope.parameter(0);
  const tile = new MicroTile(scope, blocking, shape);
  const [start, step] = shape.direct ? tile.direct() : tile.packed();
  return module.addFunction(scope, [start, repeat(depth, get(depth), step), tile.finish()]);
}

class MicroTile {
  readonly #scope: FunctionScope;
  readonly #blocking: Blocking;
  readonly #shape: TileShape;
  readonly #sums: readonly Local[];
  readonly #columns: readonly Local[];
  readonly #row: Local;

  constructor(scope: FunctionScope, blocking: Blocking, shape: TileShape) {
    this.#scope = scope;
    this.#blocking = blocking;
    this.#shape = shape;
    this.#sums = scope.locals('v128', shape.vectors * shape.height);
    this.#columns = scope.locals('v128', shape.vectors);
    this.#row = scope.local('v128');
  }

  packed(): readonly [Code, Code] {
    const { bytes, mr, nr } = this.#blocking;
    const [, lhs, rhs] = this.#scope.parameters as readonly [Local, Local, Local];
    const step = [this.#multiply((row) => [get(lhs), row * bytes], rhs), advance(lhs, i32(mr * bytes)), advance(rhs, i32(nr * bytes))];
    return [[], step];
  }

  direct(): readonly [Code, Code] {
    const [, lhs, rhs] = this.#scope.parameters as readonly [Local, Local, Local];
    const [lhsRow, lhsDepth, rhsDepth] = this.#scope.parameters.slice(6) as readonly Local[] as readonly [Local, Local, Local];
    const rows = [lhs, ...this.#scope.locals('i32', this.#shape.height - 1)];
    const start = rows.slice(1).map((row, i) => set(row, add(get(rows[i]!), get(lhsRow))));
    const step = [this.#multiply((row) => [get(rows[row]!), 0], rhs), rows.map((row) => advance(row, get(lhsDepth))), advance(rhs, get(rhsDepth))];
    return [start, step];
  }

  /** sums += row · columns for one value of k. */
  #multiply(rowAt: (row: number) => readonly [Code, number], rhs: Local): Code {
    const { height, vectors } = this.#shape;
    const columns = this.#columns.map((column, j) => set(column, load('v128.load', get(rhs), 16 * j)));
    const rows = Array.from({ length: height }, (_, i) => [
      set(this.#row, load(splatOf(this.#blocking), ...rowAt(i))),
      this.#columns.map((column, j) => accumulate(this.#blocking, this.#sums[vectors * i + j]!, get(this.#row), get(column))),
    ]);
    return [columns, rows];
  }

  finish(): Code {
    const { height, vectors } = this.#shape;
    const [out, outRow, first] = this.#scope.parameters.slice(3) as readonly Local[] as readonly [Local, Local, Local];
    const rows = (value: (sum: Local, offset: number) => Code): Code =>
      Array.from({ length: height }, (_, i) => [
        this.#columns.map((_, j) => store('v128.store', get(out), value(this.#sums[vectors * i + j]!, 16 * j), 16 * j)),
        i + 1 < height ? set(out, add(get(out), get(outRow))) : [],
      ]);
    return ifElse(
      get(first),
      rows((sum) => get(sum)),
      rows((sum, offset) => addVectors(this.#blocking, load('v128.load', get(out), offset), get(sum))),
    );
  }
}
