import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Axis, deltaOf, mergeAxes, padAxes } from './axes.ts';

/** The offsets that operand `operand` visits, in row-major order. */
function visits(axes: readonly Axis[], operand: number): readonly number[] {
  return axes.reduce<readonly number[]>((offsets, { extent, strides }) => offsets.flatMap((at) => Array.from({ length: extent }, (_, i) => at + i * strides[operand]!)), [0]);
}

/** What an odometer visits that only ever adds deltas. */
function visitsByDeltas(axes: readonly Axis[], operand: number): readonly number[] {
  const visited: number[] = [];
  let at = 0;
  const walk = (axis: number): void => {
    if (axis === axes.length) {
      visited.push(at);
      return;
    }
    for (let i = 0; i < axes[axis]!.extent; i++) {
      walk(axis + 1);
      at += deltaOf(axes, axis, operand);
    }
  };
  walk(0);
  return visited;
}

const stride = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 6, 12), fc.integer({ min: -8, max: 30 }));
const axis = fc.record({ extent: fc.constantFrom(1, 1, 2, 2, 3, 4), strides: fc.tuple(stride, stride) });
const axesList = fc.array(axis, { minLength: 1, maxLength: 5 });

test('merging keeps the order of elements of every operand, and the innermost strides where asked', () => {
  fc.assert(
    fc.property(axesList, fc.boolean(), (axes, keepInner) => {
      const merged = mergeAxes(axes, keepInner);
      for (const operand of [0, 1]) expect(visits(merged, operand)).toEqual(visits(axes, operand));
      if (keepInner) expect(merged.at(-1)!.strides).toEqual(axes.at(-1)!.strides);
    }), { seed: 1 },
  );
});

test('deltas visit what strides say, also after padding', () => {
  fc.assert(
    fc.property(axesList, (axes) => {
      const padded = padAxes(mergeAxes(axes, true), axes.length, 2);
      expect(padded).toHaveLength(axes.length);
      for (const operand of [0, 1]) expect(visitsByDeltas(padded, operand)).toEqual(visits(axes, operand));
    }), { seed: 1 },
  );
});

test('contiguous axes become one; a gap or a broadcast keeps them apart', () => {
  const contiguous: readonly Axis[] = [{ extent: 5, strides: [28, 28] }, { extent: 7, strides: [4, 4] }];
  expect(mergeAxes(contiguous, true)).toEqual([{ extent: 35, strides: [4, 4] }]);
  expect(mergeAxes([{ extent: 5, strides: [28, 0] }, { extent: 7, strides: [4, 4] }], true)).toHaveLength(2);
  expect(mergeAxes([{ extent: 5, strides: [32, 32] }, { extent: 7, strides: [4, 4] }], true)).toHaveLength(2);
  expect(mergeAxes([{ extent: 2 ** 20, strides: [0, 0] }, { extent: 2 ** 20, strides: [0, 0] }], true)).toHaveLength(2);
});
