import { add, advance, type Code, forLoop, get, i32, ifElse, instr, least, load, type Local, repeat, set, store, sub, whileLoop } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import { accumulate, addVectors, splatOf, zeroVector } from './arithmetic.ts';
import { type Blocking, stripBytes, vectorSum } from './blocking.ts';

/**
 * Adds (matrix, columnStride, vector, depth, rows, sums, lanes): sums[r] = Σₖ matrix[r, k]·vector[k], where columns are
 * contiguous and at least a vector long. Lane j of all rows is an array at lanes + j·stripBytes that stays in L1, and
 * columns stream past it, four at a time. The last vector of a column may overlap the one before: arrays of lanes are
 * indexed by vector, so no product is counted twice.
 */
export function addColumnSums(module: ModuleBuilder, blocking: Blocking): number {
  return new ColumnEmitter(module, blocking).add();
}

class ColumnEmitter {
  readonly #module: ModuleBuilder;
  readonly #blocking: Blocking;
  readonly #scope: FunctionScope = new FunctionScope(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
  /** Byte position among the vectors of a lane array, and in a column. */
  readonly #slot: Local = this.#scope.local('i32');
  readonly #at: Local = this.#scope.local('i32');
  readonly #bytes: Local = this.#scope.local('i32');
  readonly #last: Local = this.#scope.local('i32');

  constructor(module: ModuleBuilder, blocking: Blocking) {
    this.#module = module;
    this.#blocking = blocking;
  }

  add(): number {
    const [, , , , rows, sums, lanes] = this.#scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
    const lane = (j: number): Code => load('v128.load', add(get(lanes), get(this.#slot)), j * stripBytes);
    const sum = addVectors(this.#blocking, addVectors(this.#blocking, addVectors(this.#blocking, lane(0), lane(2)), addVectors(this.#blocking, lane(1), lane(3))), zeroVector);
    return this.#module.addFunction(this.#scope, [
      set(this.#bytes, instr('i32.mul', get(rows), i32(this.#blocking.bytes))),
      set(this.#last, sub(get(this.#bytes), i32(16))),
      this.#overVectors(Array.from({ length: vectorSum.lanes }, (_, j) => store('v128.store', add(get(lanes), get(this.#slot)), zeroVector, j * stripBytes))),
      this.#groups(),
      this.#singles(),
      this.#overVectors(store('v128.store', add(get(sums), get(this.#at)), sum)),
    ]);
  }

  #overVectors(body: Code): Code {
    return forLoop(this.#slot, get(this.#bytes), 16, [set(this.#at, least(get(this.#slot), get(this.#last))), body]);
  }

  /** Four columns, one into each lane. */
  #groups(): Code {
    const [matrix, columnStride, vector, depth, , , lanes] = this.#scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
    const { bytes } = this.#blocking;
    const columns = [matrix, ...this.#scope.locals('i32', vectorSum.lanes - 1)];
    const factors = this.#scope.locals('v128', vectorSum.lanes);
    const sum = this.#scope.local('v128');
    const lanesAt = this.#scope.local('i32');
    const step = columns.map((column, j) => [
      set(sum, load('v128.load', get(lanesAt), j * stripBytes)),
      accumulate(this.#blocking, sum, load('v128.load', add(get(column), get(this.#at))), get(factors[j]!)),
      store('v128.store', get(lanesAt), get(sum), j * stripBytes),
    ]);
    return whileLoop(instr('i32.ge_u', get(depth), i32(vectorSum.lanes)), [
      columns.slice(1).map((column, j) => set(column, add(get(columns[j]!), get(columnStride)))),
      factors.map((factor, j) => set(factor, load(splatOf(this.#blocking), get(vector), j * bytes))),
      this.#overVectors([set(lanesAt, add(get(lanes), get(this.#slot))), step]),
      set(matrix, add(get(columns.at(-1)!), get(columnStride))),
      advance(vector, i32(vectorSum.lanes * bytes)),
      set(depth, sub(get(depth), i32(vectorSum.lanes))),
    ]);
  }

  #singles(): Code {
    const [matrix, columnStride, vector, depth, , , lanes] = this.#scope.parameters as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local, Local];
    const [lane, lanesAt] = this.#scope.locals('i32', 2) as readonly Local[] as readonly [Local, Local];
    const [factor, sum] = this.#scope.locals('v128', 2) as readonly Local[] as readonly [Local, Local];
    const one = [
      set(factor, load(splatOf(this.#blocking), get(vector))),
      this.#overVectors([
        set(lanesAt, add(get(lane), get(this.#slot))),
        set(sum, load('v128.load', get(lanesAt))),
        accumulate(this.#blocking, sum, load('v128.load', add(get(matrix), get(this.#at))), get(factor)),
        store('v128.store', get(lanesAt), get(sum)),
      ]),
      advance(matrix, get(columnStride)),
      advance(vector, i32(this.#blocking.bytes)),
      advance(lane, i32(stripBytes)),
    ];
    return [set(lane, get(lanes)), ifElse(get(depth), repeat(depth, get(depth), one))];
  }
}
