import { add, type Atom, Builder, compileProgram, concat, execution, exp, layerNorm, logSoftmax, logSumExp, maximum, mul, type Operand, type Program, reduceMax, reshape, slice, softmax, sub, sum, symbolicDim, tensorType, transpose, type Var } from '@tf/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTunedEngine } from '../engine.ts';
import { randomValues } from '../testing/values.ts';

interface Size {
  readonly rows: number;
  readonly columns: number;
}

interface Over extends Size {
  /** A value that has all rows and columns. */
  readonly whole: Operand;
}

/** x + y over all rows and columns. */
function broadcast(x: Operand, y: Operand, { whole }: Over): Operand {
  return add(add(x, y) as Operand, whole) as Operand;
}

/** One more value from two that there are: rows stay rows in most of them, and are crossed in some. */
type Make = (x: Operand, y: Operand, over: Over) => unknown;

const makes: readonly Make[] = [
  (x, y) => add(x, y), (x, y) => mul(x, y), (x, y) => sub(x, y), (x, y) => maximum(x, y), (x) => exp(mul(x, -0.125) as Operand),
  (x) => sum(x, { axes: 1, keepdims: true }), (x) => reduceMax(x, { axes: 1, keepdims: true }), (x, y) => sum(mul(x, y) as Operand, { axes: 1, keepdims: true }),
  (x) => sum(x, { axes: 0, keepdims: true }), (x) => sum(x, { axes: [0, 1], keepdims: true }),
  (x) => transpose(exp(transpose(x) as Operand) as Operand),
  (x, y, over) => slice(concat([broadcast(x, y, over), sub(x, over.whole) as Operand], 1), [0, 1], [over.rows, over.columns + 1]),
  (x, y, over) => reshape(exp(mul(reshape(broadcast(x, y, over), [over.rows * over.columns]) as Operand, 0.125) as Operand) as Operand, [over.rows, over.columns]),
  (x, y, over) => softmax(broadcast(x, y, over)), (x, y, over) => layerNorm(broadcast(x, y, over)), (x, y, over) => logSoftmax(broadcast(x, y, over)), (x, y, over) => logSumExp(broadcast(x, y, over), { axes: 1, keepdims: true }),
];

interface Recipe {
  readonly size: Size;
  readonly dtype: 'float32' | 'float64';
  readonly picks: readonly { readonly make: number; readonly x: number; readonly y: number }[];
  readonly outputs: number;
  readonly limits: execution.TileLimits;
}

const recipes: fc.Arbitrary<Recipe> = fc.record({
  size: fc.record({ rows: fc.integer({ min: 1, max: 21 }), columns: fc.constantFrom(2, 3, 8, 17, 130) }),
  dtype: fc.constantFrom('float32', 'float64'),
  picks: fc.array(fc.record({ make: fc.nat(makes.length - 1), x: fc.nat(50), y: fc.nat(50) }), { minLength: 2, maxLength: 12 }),
  outputs: fc.integer({ min: 1, max: 3 }),
  limits: fc.record({ cacheBytes: fc.integer({ min: 1, max: 8192 }), minimumBytes: fc.integer({ min: 1, max: 512 }) }),
});

function build({ size, dtype, picks, outputs }: Recipe): Program {
  const builder = new Builder();
  const values: Operand[] = [builder.input(tensorType(dtype, [size.rows, size.columns]), 'x'), builder.input(tensorType(dtype, [1, size.columns]), 'y')];
  const over = { ...size, whole: values[0]! };
  for (const { make, x, y } of picks) values.push(makes[make]!(values[x % values.length]!, values[y % values.length]!, over) as Operand);
  return builder.build([...new Set(values.slice(-outputs))] as unknown as readonly Atom[]);
}

type Run = (program: Program, shapes: readonly (readonly number[])[], tile: boolean) => readonly (readonly unknown[])[];

function runnerOn(limits: execution.TileLimits): Run {
  const engine = createTunedEngine({}, { tiles: limits });
  return (program, shapes, tile) => engine.compile(compileProgram(program, { tile })).run(shapes.map((shape, at) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    return { data: randomValues(program.inputs[at]!.type.dtype, count, at + 1), shape };
  })).map((output) => [output.shape.join(), ...engine.read(output)]);
}

describe('tiles of any size', () => {
  test('give the bits of whole loops, on random programs', () => {
    fc.assert(fc.property(recipes, (recipe) => {
      const program = build(recipe);
      const run = runnerOn(recipe.limits);
      const { rows, columns } = recipe.size;
      const shapes = [[rows, columns], [1, columns]];
      const tiled = run(program, shapes, true);
      expect(tiled).toEqual(run(program, shapes, false));
      // A tile step leaves its records as they were.
      expect(run(program, shapes, true)).toEqual(tiled);
    }), { numRuns: 100, seed: 1 });
  });

  test('serve every number of rows with one table and one module', () => {
    const n = symbolicDim('n');
    const functions: readonly ((x: Var) => unknown)[] = [(x) => softmax(x), (x) => logSoftmax(x), (x) => layerNorm(x), (x) => logSumExp(x, { axes: 1 }), (x) => exp(mul(sum(mul(softmax(x), x) as Operand, { axes: 1, keepdims: true }) as Operand, x) as Operand)];
    for (const dtype of ['float32', 'float64'] as const) {
      for (const f of functions) {
        const builder = new Builder();
        const program = builder.build([f(builder.input(tensorType(dtype, [n, 33])))] as unknown as readonly Atom[]);
        const run = runnerOn({ cacheBytes: 4096, minimumBytes: 64 });
        for (const rows of [0, 1, 2, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 64, 65, 100, 9]) {
          expect([rows, run(program, [[rows, 33]], true)]).toEqual([rows, run(program, [[rows, 33]], false)]);
        }
      }
    }
  });
});
