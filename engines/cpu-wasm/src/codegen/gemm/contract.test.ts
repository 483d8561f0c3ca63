import { type DeviceBuffer, type Engine, isTfError, loop, rowMajorStrides, symbolicDim, subDims, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../../index.ts';
import type { WasmBuffer } from '../../memory/buffer.ts';
import { guarded } from '../../testing/mode.ts';
import { contractPlan, type ContractParts, loopStep, planOf, viewOf } from '../../testing/plans.ts';
import { firstDifference, randomValues } from '../../testing/values.ts';
import { borderSizes, type FloatDType, layoutsThatDiffer, type MultiplyAdd, promisedProduct, roundedApart, roundedTogether, runContract, type Sizes, sweep } from './contract.testing.ts';

const engine = createEngineSync();

/** All of the memory that is left in one piece. */
function largestBuffer(small: Engine): DeviceBuffer {
  const { bytesReserved, bytesInUse } = small.stats();
  const ones = new Float64Array((bytesReserved - bytesInUse) / 8).fill(1);
  for (let count = ones.length; ; count -= 8) {
    try {
      return small.upload('float64', [count], ones.subarray(0, count));
    } catch (thrown) {
      if (!isTfError(thrown, 'TooLargeError')) throw thrown;
    }
  }
}

const multiplyAdd = (dtype: FloatDType): MultiplyAdd => (engine.info.numerics.includes('fused') ? roundedTogether(dtype) : roundedApart[dtype]);
const run = (parts: ContractParts & Sizes, lhs: TypedArray, rhs: TypedArray): TypedArray => runContract(engine, parts, lhs, rhs);
const inPromisedOrder = (dtype: FloatDType, size: Sizes, lhs: TypedArray, rhs: TypedArray): Float64Array => promisedProduct(dtype, size, lhs, rhs, multiplyAdd(dtype));

const sizes: readonly Sizes[] = [
  { m: 1, n: 1, k: 1 }, { m: 1, n: 1, k: 300 }, { m: 3, n: 5, k: 7 }, { m: 4, n: 8, k: 4 }, { m: 4, n: 4, k: 16 }, { m: 5, n: 9, k: 2 },
  { m: 1, n: 17, k: 33 }, { m: 17, n: 1, k: 33 }, { m: 64, n: 64, k: 64 }, { m: 65, n: 63, k: 257 }, { m: 130, n: 20, k: 515 }, { m: 7, n: 1030, k: 30 },
];

describe.each(['float64', 'float32'] as const)('contract of %s', (dtype) => {
  test.each(sizes)('$m × $k times $k × $n has the promised bits in every layout', (size) => {
    expect(layoutsThatDiffer(engine, dtype, size, multiplyAdd(dtype))).toEqual([]);
  });

  test('all shapes up to 20 and the borders of tiles, blocks and lanes have the promised bits in every layout', () => {
    expect([...sweep(guarded ? 5 : 20), ...borderSizes].flatMap((size) => layoutsThatDiffer(engine, dtype, size, multiplyAdd(dtype)))).toEqual([]);
  });

  test('is near the product in double the precision', () => {
    const size = { m: 33, n: 35, k: 700 };
    const lhs = randomValues(dtype, size.m * size.k, 5);
    const rhs = randomValues(dtype, size.k * size.n, 9);
    const got = run({ ...size, dtype }, lhs, rhs);
    const unit = dtype === 'float32' ? 2 ** -24 : 2 ** -53;
    for (let at = 0; at < got.length; at++) {
      const [i, j] = [Math.floor(at / size.n), at % size.n];
      let sum = 0;
      let magnitude = 0;
      for (let p = 0; p < size.k; p++) {
        const product = (lhs[i * size.k + p] as number) * (rhs[p * size.n + j] as number);
        sum += product;
        magnitude += Math.abs(product);
      }
      expect(Math.abs((got[at] as number) - sum)).toBeLessThanOrEqual(size.k * 2 * unit * magnitude);
    }
  });

  test('a matrix has the same product at every batch position', () => {
    const [m, n, k] = [6, 10, 300];
    const one = { lhs: randomValues(dtype, m * k, 5), rhs: randomValues(dtype, k * n, 9) };
    const expected = run({ dtype, m, n, k }, one.lhs, one.rhs);
    const batch = [3, 2];
    const repeat = (data: TypedArray): TypedArray => {
      const result = randomValues(dtype, 6 * data.length) as Float64Array;
      for (let b = 0; b < 6; b++) result.set(data as Float64Array, b * data.length);
      return result;
    };
    const [out] = engine.compile(contractPlan({ dtype, batch, m, n, k })).run([{ data: repeat(one.lhs), shape: [...batch, m, k] }, { data: repeat(one.rhs), shape: [...batch, k, n] }]);
    const got = engine.read(out!);
    for (let b = 0; b < 6; b++) expect([b, firstDifference(got.slice(b * m * n, (b + 1) * m * n), expected)]).toEqual([b, -1]);
  });

  test('NaN and infinity stay in their row and column, also beside edges', () => {
    const { m, n, k } = { m: 6, n: 11, k: 5 };
    const lhs = randomValues(dtype, m * k, 5);
    const rhs = randomValues(dtype, k * n, 9);
    lhs[(m - 1) * k + 2] = NaN;
    rhs[3 * n + n - 1] = Infinity;
    const got = run({ dtype, m, n, k }, lhs, rhs) as Float64Array;
    got.forEach((value, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      if (i === m - 1) expect(value).toBeNaN();
      else if (j === n - 1) expect(Math.abs(value)).toBe(Infinity);
      else expect(Number.isFinite(value)).toBe(true);
    });
  });

  test('a sum over nothing is 0, and no rows or columns is nothing', () => {
    const stale = engine.upload(dtype, [6], randomValues(dtype, 6));
    stale.dispose();
    expect([...(run({ dtype, m: 2, n: 3, k: 0 }, randomValues(dtype, 0), randomValues(dtype, 0)) as Float64Array)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(run({ dtype, m: 0, n: 3, k: 2 }, randomValues(dtype, 0), randomValues(dtype, 6)).length).toBe(0);
    expect(run({ dtype, m: 3, n: 0, k: 2 }, randomValues(dtype, 6), randomValues(dtype, 0)).length).toBe(0);
  });
});

describe('contract', () => {
  test.each([{ m: 3, n: 2, k: 4 }, { m: 90, n: 85, k: 7 }, { m: 1, n: 9, k: 6 }, { m: 7, n: 1, k: 6 }, { m: 1, n: 1, k: 5 }, { m: 3, n: 8, k: 1 }])('batches broadcast and cross by their strides: $m, $n, $k', ({ m, n, k }) => {
    const lhs = randomValues('float64', 2 * m * k);
    const rhs = randomValues('float64', 5 * k * n);
    const batch = [2, 5];
    const plan = planOf({
      inputs: [tensorType('float64', [2, m, k]), tensorType('float64', [5, k, n])],
      outputs: [tensorType('float64', [2, 5, m, n])],
      steps: [{ kind: 'contract', dtype: 'float64', batch, m, n, k, lhs: viewOf(0, [m * k, 0, k, 1]), rhs: viewOf(1, [0, k * n, n, 1]), out: viewOf(2, rowMajorStrides([2, 5, m, n])) }],
    });
    const [out] = engine.compile(plan).run([{ data: lhs, shape: [2, m, k] }, { data: rhs, shape: [5, k, n] }]);
    const got = engine.read(out!);
    for (let a = 0; a < 2; a++) {
      for (let b = 0; b < 5; b++) {
        const one = inPromisedOrder('float64', { m, n, k }, lhs.slice(a * m * k, (a + 1) * m * k), rhs.slice(b * k * n, (b + 1) * k * n));
        expect(firstDifference(got.slice((a * 5 + b) * m * n, (a * 5 + b + 1) * m * n), one)).toBe(-1);
      }
    }
  });

  test.each(['float64', 'float32', 'int32'] as const)('%s reads and writes its matrices and nothing around them', (dtype) => {
    const { m, n, k } = { m: 7, n: 13, k: 9 };
    // Each matrix is a window at row 1, column 2 of a larger one that is NaN (int32: what NaN becomes) elsewhere.
    const windowed = (rows: number, columns: number, inside: TypedArray, around: number): TypedArray => {
      const width = columns + 5;
      const data = randomValues(dtype, (rows + 2) * width).fill(around as never) as Float64Array;
      for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) data[(i + 1) * width + j + 2] = inside[i * columns + j] as number;
      return data;
    };
    const size = (rows: number, columns: number): number => (rows + 2) * (columns + 5);
    const view = (buffer: number, columns: number): ReturnType<typeof viewOf> => viewOf(buffer, [columns + 5, 1], columns + 5 + 2);
    const fill = loopStep([], dtype, [size(m, n)], [], viewOf(2, [1]), loop.constant(loop.scalarTypeOf(dtype), -7));
    const plan = planOf({
      inputs: [tensorType(dtype, [size(m, k)]), tensorType(dtype, [size(k, n)])],
      outputs: [tensorType(dtype, [size(m, n)])],
      steps: [fill, { kind: 'contract', dtype, batch: [], m, n, k, lhs: view(0, k), rhs: view(1, n), out: view(2, n) }],
    });
    const [lhs, rhs] = [randomValues(dtype, m * k, 5), randomValues(dtype, k * n, 9)];
    const [out] = engine.compile(plan).run([{ data: windowed(m, k, lhs, NaN), shape: [size(m, k)] }, { data: windowed(k, n, rhs, NaN), shape: [size(k, n)] }]);
    expect(firstDifference(engine.read(out!), windowed(m, n, run({ dtype, m, n, k }, lhs, rhs), -7))).toBe(-1);
  });

  const single: readonly Sizes[] = [{ m: 9, n: 1, k: 7 }, { m: 1, n: 9, k: 7 }, { m: 1, n: 1, k: 21 }];

  test.skipIf(guarded).each([{ m: 5, n: 9, k: 3 }, { m: 85, n: 90, k: 3 }, ...single])('no element beyond an operand is read, not even at the very end of the memory: $m, $n, $k', ({ m, n, k }) => {
    const small = createEngineSync({ memory: { initialBytes: 2 ** 22, maximumBytes: 2 ** 22 } });
    const elements = symbolicDim('elements');
    // Rows of lhs and of rhs, then columns: each operand ends where the memory does.
    for (const [lhsStrides, rhsStrides] of [[[k, 1], [n, 1]], [[1, m], [1, k]]] as const) {
      const lhs = viewOf(0, lhsStrides, subDims(elements, m * k));
      const rhs = viewOf(0, rhsStrides, subDims(elements, k * n));
      const plan = planOf({ inputs: [tensorType('float64', [elements])], outputs: [tensorType('float64', [m, n])], steps: [{ kind: 'contract', dtype: 'float64', batch: [], m, n, k, lhs, rhs, out: viewOf(1, [n, 1]) }] });
      const executable = small.compile(plan);
      const kept = executable.run([{ data: new Float64Array(m * n + m * k + k * n), shape: [m * n + m * k + k * n] }]);
      const buffer = largestBuffer(small) as WasmBuffer;
      expect([kept.length, buffer.slot.address + buffer.slot.bytes]).toEqual([1, 2 ** 22]);
      kept[0]!.dispose();
      const [out] = executable.run([buffer]);
      expect(small.read(out!)).toEqual(new Float64Array(m * n).fill(k));
      buffer.dispose();
      out!.dispose();
    }
  });

  test.each(['float64', 'float32'] as const)('%s: nothing contiguous, or backwards, changes no bit and nothing between the elements is used', (dtype) => {
    for (const { m, n, k } of [...single, { m: 6, n: 11, k: 300 }, { m: 30, n: 1, k: 1100 }, { m: 1, n: 1, k: 5000 }, { m: 90, n: 85, k: 20 }]) {
      const [lhs, rhs] = [randomValues(dtype, m * k, 5), randomValues(dtype, k * n, 9)];
      const expected = run({ dtype, m, n, k }, lhs, rhs);
      for (const direction of [1, -1]) {
        // Element (i, j) is number 3·(i·columns + j) from one end.
        const spread = (data: TypedArray): TypedArray => {
          const result = randomValues(dtype, 3 * data.length).fill(NaN as never) as Float64Array;
          data.forEach((value, at) => (result[direction > 0 ? 3 * at : 3 * (data.length - 1 - at)] = value as number));
          return result;
        };
        const view = (buffer: number, rows: number, columns: number): ReturnType<typeof viewOf> => viewOf(buffer, [3 * direction * columns, 3 * direction], direction > 0 ? 0 : 3 * (rows * columns - 1));
        const plan = planOf({
          inputs: [tensorType(dtype, [3 * m * k]), tensorType(dtype, [3 * k * n])],
          outputs: [tensorType(dtype, [3 * m * n])],
          steps: [
            loopStep([], dtype, [3 * m * n], [], viewOf(2, [1]), loop.constant(loop.scalarTypeOf(dtype), NaN)),
            { kind: 'contract', dtype, batch: [], m, n, k, lhs: view(0, m, k), rhs: view(1, k, n), out: view(2, m, n) },
          ],
        });
        const [out] = engine.compile(plan).run([{ data: spread(lhs), shape: [3 * m * k] }, { data: spread(rhs), shape: [3 * k * n] }]);
        expect([m, n, k, direction, firstDifference(engine.read(out!), spread(expected))]).toEqual([m, n, k, direction, -1]);
      }
    }
  });

  test.each([{ m: 90, n: 1100, k: 300 }, { m: 3, n: 20, k: 300 }, { m: 1, n: 70, k: 90 }])('one side for all batch positions gives each the bits it has alone: $m, $n, $k', ({ m, n, k }) => {
    const count = 3;
    const [many, one] = [randomValues('float32', count * m * k, 5), randomValues('float32', k * n, 9)];
    const alone = Array.from({ length: count }, (_, b) => run({ dtype: 'float32', m, n, k }, many.slice(b * m * k, (b + 1) * m * k), one));
    // The shared side on the right, then, all transposed, on the left.
    const shared = viewOf(1, [0, n, 1]);
    const onLeft = viewOf(1, [0, 1, n]);
    const steps = [
      { m, n, lhs: viewOf(0, [m * k, k, 1]), rhs: shared, out: viewOf(2, [m * n, n, 1]) },
      { m: n, n: m, lhs: onLeft, rhs: viewOf(0, [m * k, 1, k]), out: viewOf(2, [m * n, 1, n]) },
    ];
    for (const step of steps) {
      const plan = planOf({ inputs: [tensorType('float32', [count, m, k]), tensorType('float32', [k, n])], outputs: [tensorType('float32', [count, m, n])], steps: [{ kind: 'contract', dtype: 'float32', batch: [count], k, ...step }] });
      const [out] = engine.compile(plan).run([{ data: many, shape: [count, m, k] }, { data: one, shape: [k, n] }]);
      const got = engine.read(out!);
      expect(alone.map((expected, b) => firstDifference(got.slice(b * m * n, (b + 1) * m * n), expected))).toEqual([-1, -1, -1]);
    }
  });

  test('int64 is exact modulo 2^64', () => {
    const { m, n, k } = { m: 3, n: 4, k: 50 };
    const lhs = (randomValues('int64', m * k, 5) as BigInt64Array).map((x) => x * 123456789012345n);
    const rhs = (randomValues('int64', k * n, 9) as BigInt64Array).map((x) => x * 987654321098n);
    const expected = BigInt64Array.from({ length: m * n }, (_, at) => {
      let sum = 0n;
      for (let p = 0; p < k; p++) sum += lhs[Math.floor(at / n) * k + p]! * rhs[p * n + (at % n)]!;
      return BigInt.asIntN(64, sum);
    });
    for (const order of ['rows', 'columns'] as const) expect(run({ dtype: 'int64', m, n, k, lhs: order, rhs: order, out: order }, lhs, rhs)).toEqual(expected);
    expect([...(run({ dtype: 'int64', m: 1, n: 2, k: 0 }, new BigInt64Array(0), new BigInt64Array(0)) as BigInt64Array)]).toEqual([0n, 0n]);
  });

  test('int32 is exact modulo 2^32', () => {
    const { m, n, k } = { m: 3, n: 4, k: 50 };
    const lhs = (randomValues('int32', m * k, 5) as Int32Array).map((x) => x * 1234567);
    const rhs = (randomValues('int32', k * n, 9) as Int32Array).map((x) => x * 7654321);
    const expected = Int32Array.from({ length: m * n }, (_, at) => {
      let sum = 0n;
      for (let p = 0; p < k; p++) sum += BigInt(lhs[Math.floor(at / n) * k + p]!) * BigInt(rhs[p * n + (at % n)]!);
      return Number(BigInt.asIntN(32, sum));
    });
    for (const order of ['rows', 'columns'] as const) expect(run({ dtype: 'int32', m, n, k, lhs: order, rhs: order, out: order }, lhs, rhs)).toEqual(expected);
    expect([...(run({ dtype: 'int32', m: 1, n: 2, k: 0 }, new Int32Array(0), new Int32Array(0)) as Int32Array)]).toEqual([0, 0]);
  });

  test('bool is refused before anything runs', () => {
    expect(() => engine.compile(contractPlan({ dtype: 'bool', m: 2, n: 2, k: 2 }))).toThrow(expect.objectContaining({ name: 'UnsupportedOnEngineError', fields: expect.objectContaining({ engine: 'cpu-wasm', dtype: 'bool' }) as unknown }));
  });

  test('the comparison would notice another order over k', () => {
    const size = { m: 4, n: 4, k: 600 };
    const lhs = randomValues('float64', size.m * size.k, 5);
    const rhs = randomValues('float64', size.k * size.n, 9);
    const got = run({ ...size, dtype: 'float64' }, lhs, rhs);
    const unblocked = Float64Array.from({ length: got.length }, (_, at) => {
      let sum = 0;
      for (let p = 0; p < size.k; p++) sum += (lhs[Math.floor(at / size.n) * size.k + p] as number) * (rhs[p * size.n + (at % size.n)] as number);
      return sum;
    });
    expect(firstDifference(got, unblocked)).not.toBe(-1);
  });
});
