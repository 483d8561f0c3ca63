import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTfError } from '../errors.ts';
import { type Dim, evaluateDim, symbolicDim } from './dim.ts';
import { broadcastShapes, checkShape, type DimConstraint, elementCount, normaliseAxes, normaliseAxis, rowMajorStrides, type Shape } from './shape.ts';

/** NumPy's rule, written once more in another way: pad with ones, then every axis has one size besides 1. */
function naive(shapes: readonly (readonly number[])[]): readonly number[] | undefined {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const padded = shapes.map((shape) => [...new Array<number>(rank - shape.length).fill(1), ...shape]);
  const sizes = Array.from({ length: rank }, (_, axis) => new Set(padded.map((shape) => shape[axis] as number).filter((size) => size !== 1)));
  return sizes.some((set) => set.size > 1) ? undefined : sizes.map((set) => [...set][0] ?? 1);
}

const shape: fc.Arbitrary<number[]> = fc.array(fc.constantFrom(0, 1, 1, 2, 3), { maxLength: 4 });
const none = (): void => expect.unreachable('no constraint was to be recorded');

describe('broadcasting', () => {
  it('is NumPy\'s for shapes that are known', () => {
    let fits = 0;
    fc.assert(fc.property(fc.array(shape, { minLength: 1, maxLength: 3 }), (shapes) => {
      const expected = naive(shapes);
      if (expected === undefined) {
        expect(() => broadcastShapes('f', shapes, none)).toThrow(expect.objectContaining({ name: 'ShapeError' }));
      } else {
        fits++;
        expect(broadcastShapes('f', shapes, none)).toEqual(expected);
      }
    }), { numRuns: 1000, seed: 1 });
    expect(fits).toBeGreaterThan(200);
  });

  it('of symbols is right for every binding that satisfies what it records', () => {
    const symbolic = fc.array(fc.constantFrom<Dim>(1, 2, symbolicDim('n'), symbolicDim('m')), { maxLength: 3 });
    const size = fc.integer({ min: 2, max: 3 });
    fc.assert(fc.property(symbolic, symbolic, size, size, (a, b, n, m) => {
      const given = new Map([['n', n], ['m', m]]);
      const constraints: DimConstraint[] = [];
      const result = broadcastShapes('f', [a, b], (constraint) => constraints.push(constraint));
      const evaluate = (dims: Shape): number[] => dims.map((dim) => evaluateDim(dim, given));
      const holds = constraints.every(({ left, right }) => evaluateDim(left, given) === evaluateDim(right, given));
      const expected = naive([evaluate(a), evaluate(b)]);
      expect(holds ? evaluate(result) : undefined).toEqual(expected);
    }), { seed: 1 });
  });

  it('names the operation, the axis and both sizes when it fails', () => {
    try {
      broadcastShapes('tf.core.add', [[2, 3], [4]], none);
      expect.unreachable();
    } catch (error) {
      expect(isTfError(error, 'ShapeError') && error.message).toMatch(/^tf\.core\.add: shapes \[2, 3\] and \[4\] .*axis -1 has sizes 3 and 4/);
    }
  });
});

describe('axes', () => {
  it('count from the end when negative, and must exist', () => {
    fc.assert(fc.property(fc.integer({ min: -6, max: 6 }), fc.nat({ max: 4 }), (axis, rank) => {
      if (axis >= -rank && axis < rank) expect(normaliseAxis('f', axis, rank)).toBe(((axis % rank) + rank) % rank);
      else expect(() => normaliseAxis('f', axis, rank)).toThrow(expect.objectContaining({ name: 'AxisError' }));
    }), { seed: 1 });
    for (const axis of [0.5, NaN, Infinity]) expect(() => normaliseAxis('f', axis, 3)).toThrow(expect.objectContaining({ name: 'AxisError' }));
  });

  it('as a list are sorted, distinct, all when absent', () => {
    expect(normaliseAxes('f', [2, -3], 3)).toEqual([0, 2]);
    expect([normaliseAxes('f', undefined, 2), normaliseAxes('f', [], 2), normaliseAxes('f', -1, 2)]).toEqual([[0, 1], [], [1]]);
    expect(() => normaliseAxes('f', [1, -1], 2)).toThrow(expect.objectContaining({ name: 'AxisError' }));
  });
});

describe('shapes', () => {
  it('are refused when negative, fractional or too large to address', () => {
    for (const wrong of [[-1], [1.5], [NaN]]) expect(() => checkShape('f', wrong)).toThrow(expect.objectContaining({ name: 'ShapeError' }));
    expect(() => checkShape('f', [2 ** 27, 2 ** 27])).toThrow(expect.objectContaining({ name: 'TooLargeError' }));
    expect(() => checkShape('f', [2 ** 40, 0])).not.toThrow();
  });

  it('have row-major strides: the last axis moves by one, an axis by the size of what is inside', () => {
    fc.assert(fc.property(shape, (dims) => {
      rowMajorStrides(dims).forEach((stride, axis) => expect(stride).toBe(dims.slice(axis + 1).reduce((product, size) => product * size, 1)));
      expect(elementCount(dims)).toBe(dims.reduce((product, size) => product * size, 1));
    }), { seed: 1 });
  });
});
