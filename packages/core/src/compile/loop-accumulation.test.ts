import { describe, expect, it } from 'vitest';
import type { Atom, Plan, Program, Step, Var } from '../contract.ts';
import { getAt, maxAt, minAt, setAt } from '../compositions/at.ts';
import { dynamicSlice, dynamicUpdateSlice } from '../compositions/dynamic-slice.ts';
import { add, mul } from '../primitives/arithmetic.ts';
import { less } from '../primitives/compare.ts';
import { checkpoint } from '../primitives/control/checkpoint.ts';
import { cond } from '../primitives/control/cond.ts';
import { fori } from '../primitives/control/scan.ts';
import { whileLoop } from '../primitives/control/while.ts';
import { createCatalog } from '../primitives/extension.ts';
import { take } from '../primitives/indexing.ts';
import { reshape, transpose } from '../primitives/movement.ts';
import { sum } from '../primitives/reduce.ts';
import { slice } from '../primitives/slicing.ts';
import { sin } from '../primitives/special.ts';
import { Builder } from '../program/builder.ts';
import { zeros } from '../tensor/create.ts';
import { AdContext } from '../transform/context.ts';
import type { Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { compileProgram } from './compile.ts';
import { innerSteps } from './inner-steps.ts';

const context = new AdContext({ catalog: createCatalog() });

function planOfGradient(size: number, f: (x: Var) => unknown): Plan {
  const builder = new Builder();
  const program: Program = builder.build([sum(f(builder.input(tensorType('float64', [size]))) as Operand) as Atom]);
  return compileProgram(context.pullback({ program, wrt: [0], live: [true] }).program, { check: true, tile: false });
}

function visited(step: Step): number {
  if ('elements' in step) return step.elements as number;
  return 'extents' in step ? (step.extents as readonly number[]).reduce((a, b) => a * b, 1) : 0;
}

/** The most elements that one iteration of any loop visits, those of loops inside it apart. */
function perIteration(steps: readonly Step[], inside = false): number {
  return steps.reduce((total, step) => {
    const inner = perIteration(innerSteps(step), inside || step.kind === 'repeat' || step.kind === 'while');
    return total + inner + (inside ? visited(step) : 0);
  }, 0);
}

type T = Operand;
const first = (x: Var): T => mul(getAt(x, [0]) as T, 0) as T;
const matrix = (x: Var, columns: number): T => reshape(x, [-1, columns]) as T;
const loops: { readonly [name: string]: (x: Var) => unknown } = {
  'one element of a constant': (x) => fori(50, (i, c: T) => add(c, mul(getAt(x, [i]) as T, getAt(x, [i]) as T)) as T, first(x)),
  'one element of a matrix': (x) => fori(50, (i, c: T) => add(c, sin(getAt(matrix(x, 4), [i, 1]) as T)) as T, first(x)),
  'two elements of one view': (x) => fori(50, (i, c: T) => {
    const flat = reshape(x, [-1, 4, 2]) as T;
    return add(c, mul(sin(sum(take(flat, i, 0) as T)), sin(sum(take(flat, add(i, 1), 0) as T)))) as T;
  }, first(x)),
  'a slice of a constant': (x) => fori(50, (i, c: T) => add(c, sin(sum(dynamicSlice(x, [i], [3]) as T))) as T, first(x)),
  'a corner of a matrix': (x) => fori(50, (i, c: T) => add(c, sin(sum(dynamicSlice(matrix(x, 64), [i, i], [2, 2]) as T))) as T, first(x)),
  'a box in the middle': (x) => fori(50, (i, c: T) => add(c, sin(sum(dynamicSlice(reshape(x, [2, -1, 2]) as T, [1, i, 0], [1, 2, 1]) as T))) as T, first(x)),
  'a column': (x) => fori(50, (i, c: T) => add(c, sin(sum(take(transpose(matrix(x, 4)) as T, i, 1) as T))) as T, first(x)),
  'a fixed slice of a constant': (x) => fori(50, (_, c: T) => add(sin(c), sum(slice(x, [2], [5]))) as T, first(x)),
  'a loop inside a loop': (x) => fori(10, (i, c: T) => fori(5, (j, d: T) => add(d, sin(getAt(x, [add(i, j)]) as T)) as T, c), first(x)),
  'a checkpoint in a loop': (x) => fori(50, (i, c: T) => checkpoint((d: T) => add(d, sin(getAt(x, [i]) as T)) as T)(c), first(x)),
  'checkpoints every few iterations': (x) => fori(50, (i, c: T) => add(c, sin(getAt(x, [i]) as T)) as T, first(x), { checkpointEvery: 8 }),
  'one branch of a loop': (x) => fori(50, (i, c: T) => cond(less(i, 30), (d: T) => add(d, sin(getAt(x, [i]) as T)) as T, (d: T) => mul(d, 1.5) as T, c), first(x)),
  'one element of a carry': (x) => fori(50, (i, c: T) => setAt(c, [add(i, 1)], sin(getAt(c, [i]) as T)) as T, mul(x, 1) as T),
  'the larger of one element of a carry and another': (x) => fori(50, (i, c: T) => maxAt(c, [add(i, 1)], sin(getAt(c, [i]) as T)) as T, mul(x, 1) as T),
  'the smaller of one element of a matrix that is carried and another': (x) => fori(50, (i, c: T) => minAt(c, [i, 1], sin(getAt(c, [i, 0]) as T)) as T, mul(matrix(x, 4), 1) as T),
  'a slice of a carry': (x) => fori(50, (i, c: T) => dynamicUpdateSlice(c, sin(dynamicSlice(c, [i], [2]) as T) as T, [add(i, 1)]) as T, mul(x, 1) as T),
  'a carry of a bounded while': (x) => whileLoop(([i]: readonly [T, T]) => less(i, 40), ([i, c]: readonly [T, T]): readonly [T, T] => [add(i, 1) as T, setAt(c, [add(i, 1) as Operand<never, 'int32'>], sin(getAt(c, [i as Operand<never, 'int32'>]) as T)) as T], [zeros([], { dtype: 'int32' }), mul(x, 1)] as unknown as readonly [T, T], { maxSteps: 50 })[1],
};

describe('the gradient of a loop that reads or writes a few elements', () => {
  it.each(Object.keys(loops))('visits as many in an iteration whatever the size: %s', (name) => {
    const f = loops[name] as (x: Var) => unknown;
    const [small, large] = [1024, 8192].map((size) => perIteration(planOfGradient(size, f).steps)) as [number, number];
    expect(small).toBeGreaterThan(0);
    // A column is as long as its matrix is high, in the middle of which it is.
    expect(large).toBe(name === 'a column' ? large : small);
    expect(large).toBeLessThan(100);
  });
});
