import { allocate, type BufferView, type Dim, type DType, loop, rowMajorStrides, type ScalarExpr, type Shape, tensorType, type TypedArray } from '@tf/core';
import { describe, expect, test } from 'vitest';
import { createEngineSync } from '../index.ts';
import { argumentOf, innerOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { firstDifference, randomValues } from '../testing/values.ts';

const engine = createEngineSync();

interface Walk {
  readonly dtype: DType;
  /** Elements in the buffer. */
  readonly elements: number;
  readonly strides: readonly number[];
  readonly offset?: number;
}

/** Runs one loop and, beside it, the same loop by definition: index by index, through the evaluator. */
function runAndExpect(extents: readonly number[], reads: readonly Walk[], write: Walk, body: ScalarExpr): { readonly got: TypedArray; readonly expected: TypedArray } {
  const data = reads.map(({ dtype, elements }, i) => randomValues(dtype, elements, 7 + i));
  const views = [...reads, write].map(({ strides, offset = 0 }, i) => viewOf(i, strides, offset));
  const plan = planOf({
    inputs: reads.map(({ dtype, elements }) => tensorType(dtype, [elements])),
    outputs: [tensorType(write.dtype, [write.elements])],
    steps: [fillStep(write, reads.length), loopStep(reads.map(({ dtype }) => dtype), write.dtype, extents, views.slice(0, -1), views.at(-1)!, body)],
  });
  const [out] = engine.compile(plan).run(data.map((values) => ({ data: values, shape: [values.length] })));
  const expected = allocate(write.dtype, write.elements);
  eachIndex(extents, (index) => {
    const at = ({ strides, offset = 0 }: Walk): number => index.reduce((sum, i, axis) => sum + i * strides[axis]!, offset);
    const value = loop.evaluateScalar(loop.expandCalls(body), (input) => data[input]![at(reads[input]!)]!);
    expected[at(write)] = typeof value === 'boolean' ? Number(value) : (value as number);
  });
  const got = engine.read(out!);
  out!.dispose();
  return { got, expected };
}

/** Memory is recycled: positions that the loop does not write must be known to compare whole buffers. */
function fillStep({ dtype, elements }: Walk, buffer: number): ReturnType<typeof loopStep> {
  const type = loop.scalarTypeOf(dtype);
  return loopStep([], dtype, [elements], [], viewOf(buffer, [1]), loop.constant(type, 0));
}

function eachIndex(extents: readonly number[], visit: (index: readonly number[]) => void): void {
  const count = extents.reduce((product, extent) => product * extent, 1);
  for (let flat = 0; flat < count; flat++) {
    let rest = flat;
    const index = extents.map(() => 0);
    for (let axis = extents.length - 1; axis >= 0; axis--) {
      index[axis] = rest % extents[axis]!;
      rest = Math.floor(rest / extents[axis]!);
    }
    visit(index);
  }
}

const dtypes: readonly DType[] = ['float32', 'float64', 'int32', 'bool'];
const size = (shape: Shape): number => shape.reduce<number>((product, extent) => product * (extent as number), 1);
const rowMajor = (shape: readonly number[]): number[] => rowMajorStrides(shape) as number[];

function combine(dtype: DType, a: number, b: number): ScalarExpr {
  return dtype === 'bool' ? loop.xor(argumentOf(dtype, a), argumentOf(dtype, b)) : loop.sub(argumentOf(dtype, a), argumentOf(dtype, b));
}

describe('loops without reduction', () => {
  test.each(dtypes)('%s: contiguous, of any length', (dtype) => {
    for (const n of [1, 2, 7, 4095, 4096, 4097, 10000]) {
      const walk = { dtype, elements: n, strides: [1] };
      const { got, expected } = runAndExpect([n], [walk, walk], walk, combine(dtype, 0, 1));
      expect(firstDifference(got, expected)).toBe(-1);
    }
  });

  test.each(dtypes)('%s: transposed, broadcast along either axis, and at an offset', (dtype) => {
    const shape = [5, 7];
    const whole = { dtype, elements: 35, strides: rowMajor(shape) };
    const others: readonly Walk[] = [
      { dtype, elements: 35, strides: [1, 5] },
      { dtype, elements: 7, strides: [0, 1] },
      { dtype, elements: 5, strides: [1, 0] },
      { dtype, elements: 1, strides: [0, 0] },
      { dtype, elements: 100, strides: [14, 2], offset: 11 },
      { dtype, elements: 35, strides: [-7, -1], offset: 34 },
    ];
    for (const other of others) {
      const { got, expected } = runAndExpect(shape, [whole, other], whole, combine(dtype, 0, 1));
      expect([other, firstDifference(got, expected)]).toEqual([other, -1]);
    }
  });

  test('writes strided and at an offset, and nothing in between', () => {
    for (const strides of [[20, 2], [1, 10], [-10, 1]]) {
      const write = { dtype: 'float64', elements: 100, strides, offset: strides[0]! < 0 ? 45 : 3 } as const;
      const { got, expected } = runAndExpect([4, 5], [{ dtype: 'float64', elements: 20, strides: [5, 1] }], write, argumentOf('float64', 0));
      expect([strides, firstDifference(got, expected)]).toEqual([strides, -1]);
    }
  });

  test('runs ranks 0 to 6', () => {
    for (let rank = 0; rank <= 6; rank++) {
      const shape = [2, 3, 1, 2, 2, 3].slice(0, rank);
      const reversed = rowMajor([...shape].reverse()).reverse();
      const walk = { dtype: 'float64', elements: size(shape), strides: rowMajor(shape) } as const;
      const { got, expected } = runAndExpect(shape, [walk, { ...walk, strides: reversed }], walk, combine('float64', 0, 1));
      expect([rank, firstDifference(got, expected)]).toEqual([rank, -1]);
    }
  });

  test('does nothing for an empty extent', () => {
    for (const shape of [[0], [0, 3], [3, 0], [2, 0, 2]]) {
      const walk = { dtype: 'float64', elements: 10, strides: rowMajor(shape) } as const;
      const { got, expected } = runAndExpect(shape, [walk], walk, argumentOf('float64', 0));
      expect(firstDifference(got, expected)).toBe(-1);
    }
  });

  test('writes several results at once', () => {
    const x = argumentOf('float64', 0);
    const views: readonly BufferView[] = [0, 1, 2].map((buffer) => viewOf(buffer, [1]));
    const kernel = {
      rank: 1,
      reads: [{ dtype: 'float64', inner: 'contiguous' }],
      writes: [{ dtype: 'float64', inner: 'contiguous' }, { dtype: 'bool', inner: 'contiguous' }],
      body: [loop.neg(x), loop.gt(x, loop.constant('f64', 0))],
    } as const;
    const plan = planOf({ inputs: [tensorType('float64', [3])], outputs: [tensorType('float64', [3]), tensorType('bool', [3])], steps: [{ kind: 'loop', kernel, extents: [3], reads: [views[0]!], writes: views.slice(1) }] });
    const [negated, positive] = engine.compile(plan).run([{ data: Float64Array.of(1, -2, 0), shape: [3] }]);
    expect([engine.read(negated!), engine.read(positive!)]).toEqual([Float64Array.of(-1, 2, -0), Uint8Array.of(1, 0, 0)]);
  });

  test('refuses a view that does not step as its kernel says', () => {
    const strides: readonly Dim[] = [2];
    const step = loopStep(['float64'], 'float64', [3], [viewOf(0, strides)], viewOf(1, [1]), argumentOf('float64', 0));
    const lying = { ...step, kernel: { ...(step as Extract<typeof step, { kind: 'loop' }>).kernel, reads: [{ dtype: 'float64', inner: 'contiguous' }] } } as typeof step;
    const plan = (s: typeof step): Parameters<typeof engine.compile>[0] => planOf({ inputs: [tensorType('float64', [6])], outputs: [tensorType('float64', [3])], steps: [s] });
    expect(innerOf(strides)).toBe('strided');
    expect(() => engine.compile(plan(step))).not.toThrow();
    expect(() => engine.compile(plan(lying))).toThrow(/calls an operand contiguous whose stride is 2/);
  });
});
