import { add, type Atom, Builder, compileProgram, cumsum, type DType, exp, greater, layerNorm, logSoftmax, matmul, mul, type Operand, reduceMax, select, softmax, sub, sum, symbolicDim, tensorType, transpose, type TypedArray, type Var } from '@tf/core';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type CpuWasmEngine, createTunedEngine } from '../engine.ts';
import { randomValues } from '../testing/values.ts';
import type { Tuning } from '../tuning.ts';

/** Every step that can be is cut, into as many pieces as can be; workers get every other step to themselves. */
const eager: Tuning = { splits: { stepCost: 0, pieceCost: 1 }, startCost: 0, patience: 5, tiles: { cacheBytes: 2048, minimumBytes: 64 } };

const one = createTunedEngine({ threads: 1 }, eager);
const many = [2, 3, 5].map((threads) => createTunedEngine({ threads }, eager));
afterAll(() => {
  for (const engine of [one, ...many]) engine.dispose();
});

const bits = (array: TypedArray): string => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('hex');

type Make = (x: Operand, y: Operand) => unknown;

/** Of two matrices. Whatever a step can be cut along, and steps that cannot be cut. */
const makes: Readonly<Record<string, Make>> = {
  elementwise: (x, y) => exp(mul(add(x, y) as Operand, -0.125) as Operand),
  'by rows': (x, y) => add(x, sum(y, { axes: 1, keepdims: true }) as Operand),
  'by columns': (x, y) => mul(x, sum(y, { axes: 0, keepdims: true }) as Operand),
  transposed: (x, y) => sub(transpose(x) as Operand, sum(y) as Operand),
  'several results': (x, y) => select(greater(x, y), exp(x), sub(x, y)),
  'maxima of columns': (x) => reduceMax(exp(x), { axes: 0 }),
  'sums of rows': (x, y) => sum(mul(x, y) as Operand, { axes: 1 }),
  'a sum': (x, y) => sum(mul(x, y) as Operand),
  softmax: (x) => softmax(x),
  'layer norm': (x) => layerNorm(x),
  'logarithm of softmax': (x, y) => logSoftmax(add(x, y) as Operand),
  scan: (x) => cumsum(x, 0),
  chain: (x, y) => softmax(mul(softmax(add(x, y) as Operand) as Operand, y) as Operand),
};

function runOn(engine: CpuWasmEngine, f: Make, dtype: DType, shapes: readonly (readonly number[])[], dims = shapes.map((shape) => [...shape])): readonly string[] {
  const builder = new Builder();
  const xs = dims.map((shape) => builder.input(tensorType(dtype, shape)));
  const executable = engine.compile(compileProgram(builder.build([f(xs[0]!, xs[1]!)] as unknown as readonly Atom[])));
  const inputs = shapes.map((shape, i) => ({ shape, data: randomValues(dtype, shape.reduce((product, extent) => product * extent, 1), i + 1) }));
  // Twice: with workers first, and with this thread first.
  return [0, 1].map(() => {
    const [output] = executable.run(inputs);
    const result = bits(engine.read(output!));
    output!.dispose();
    return result;
  });
}

function expectSame(f: Make, dtype: DType, shapes: readonly (readonly number[])[]): void {
  const [expected] = runOn(one, f, dtype, shapes);
  for (const engine of many) expect(runOn(engine, f, dtype, shapes), `${engine.info.threads} threads`).toEqual([expected, expected]);
}

describe('any number of threads gives the bits of one', () => {
  test.each(Object.keys(makes))('%s', (name) => {
    fc.assert(fc.property(fc.constantFrom<DType>('float32', 'float64'), fc.constantFrom(1, 2, 3, 7, 16, 67, 130, 300), fc.constantFrom(1, 2, 5, 8, 33, 129, 257), (dtype, rows, columns) => {
      const shape = name === 'transposed' ? [rows, rows] : [rows, columns];
      expectSame(makes[name]!, dtype, [shape, shape]);
    }), { numRuns: 12, seed: 1 });
  });

  test('products of any shape and dtype', () => {
    const size = fc.constantFrom(1, 2, 3, 8, 25, 49, 96, 200, 313);
    const dtypes = fc.constantFrom<DType>('float32', 'float64', 'complex64', 'complex128', 'int32', 'int64');
    fc.assert(fc.property(dtypes, size, size, size, fc.boolean(), fc.boolean(), (dtype, m, n, k, left, right) => {
      const f: Make = (x, y) => matmul((left ? transpose(x) : x) as Operand, (right ? transpose(y) : y) as Operand);
      expectSame(f, dtype, [left ? [k, m] : [m, k], right ? [n, k] : [k, n]]);
    }), { numRuns: 60, seed: 1 });
  });

  test('batches of products', () => {
    fc.assert(fc.property(fc.constantFrom<DType>('float32', 'complex128'), fc.constantFrom(1, 2, 9, 40), fc.constantFrom(1, 3), fc.constantFrom(1, 5, 30), fc.boolean(), (dtype, outer, inner, size, shared) => {
      expectSame((x, y) => matmul(x, y), dtype, [[outer, inner, size, 7], shared ? [7, size] : [outer, inner, 7, size]]);
    }), { numRuns: 25, seed: 1 });
  });

  test('one table for all sizes', () => {
    const n = symbolicDim('n');
    for (const f of [(x: Var) => softmax(x), (x: Var) => exp(x), (x: Var) => sum(x, { axes: 1 })]) {
      const plan = (): ReturnType<typeof compileProgram> => {
        const builder = new Builder();
        return compileProgram(builder.build([f(builder.input(tensorType('float32', [n, 33])))] as unknown as readonly Atom[]));
      };
      const compiled = [one, ...many].map((engine) => ({ engine, executable: engine.compile(plan()) }));
      for (const rows of [0, 1, 2, 64, 3, 65, 300, 9]) {
        const data = randomValues('float32', rows * 33, 1);
        const results = compiled.map(({ engine, executable }) => bits(engine.read(executable.run([{ shape: [rows, 33], data }])[0]!)));
        expect([rows, ...new Set(results)]).toEqual([rows, results[0]]);
      }
    }
  });
});
