import { loop } from '@tf/core';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Harness, type LoopCase } from './harness.testing.ts';
import { Draws, loopFrom, scanFrom } from './random-kernels.testing.ts';
import { difference, runLoop, runScan } from './reference.testing.ts';

const seeds = fc.array(fc.array(fc.nat(100_000), { minLength: 60, maxLength: 200 }), { minLength: 1, maxLength: 40 });

describe('loops', () => {
  let harness: Harness | undefined;
  beforeAll(() => {
    harness = Harness.build();
  }, 600_000);

  const agrees = (folds: boolean): void => {
    fc.assert(fc.property(seeds, (lists) => {
      const cases = lists.map((numbers) => loopFrom(new Draws(numbers), folds));
      const results = harness!.run(cases);
      cases.forEach((one, i) => {
        const expected = runLoop(one);
        one.kernel.writes.forEach(({ dtype }, w) => {
          const { buffer } = one.views[one.kernel.reads.length + w]!;
          const wrong = difference(dtype, results[i]!.buffers[buffer]!, expected[buffer]!);
          expect(wrong === undefined ? '' : `${wrong}\nwrite ${w} at level ${one.level}\n${loop.kernelText(one.kernel)}\n${JSON.stringify({ extents: one.extents, views: one.views })}`).toBe('');
        });
      });
    }), { numRuns: 25, endOnFailure: true, seed: 1 });
  };

  it('give the evaluator’s bits: random elementwise kernels, any layout, also in place', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    agrees(false);
  }, 300_000);

  it('give the bits of the reduction’s tree: random kernels with monoids, any layout', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    agrees(true);
  }, 300_000);

  it('give the bits of running values: random scans along rows and columns, any layout, also in place', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    fc.assert(fc.property(seeds, (lists) => {
      const cases = lists.map((numbers) => scanFrom(new Draws(numbers)));
      const results = harness!.run(cases);
      cases.forEach((one, i) => {
        const { scan, extents, views, level } = one;
        const { buffer } = views.at(-1)!;
        const wrong = difference(scan.write.dtype, results[i]!.buffers[buffer]!, runScan(one)[buffer]!);
        expect(wrong === undefined ? '' : `${wrong} at level ${level}\n${loop.scanText(scan)}\n${JSON.stringify({ extents, views })}`).toBe('');
      });
    }), { numRuns: 25, endOnFailure: true, seed: 1 });
  }, 300_000);

  it('fuse no product and sum: long products of complex numbers, with each instruction set', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    const access = { dtype: 'complex128', inner: 'contiguous' } as const;
    const body = ([0, 1] as const).map((lane) => loop.argument('f64', 0, lane));
    const numbers = Float64Array.from({ length: 1400 }, (_, i) => (i % 2 === 0 ? Math.cos(i / 2) : Math.sin((i - 1) / 2)) * 1.01);
    for (let level = 0; level < harness.levels; level++) {
      const one: LoopCase = {
        level, kernel: { rank: 1, reads: [access], writes: [access], body, reduce: { monoid: 'prod', axes: 1 } }, extents: [700],
        views: [{ buffer: 0, offset: 0, strides: [16] }, { buffer: 1, offset: 0, strides: [0] }], buffers: [new Uint8Array(numbers.buffer), new Uint8Array(16)],
      };
      expect(difference('complex128', harness.run([one])[0]!.buffers[1]!, runLoop(one)[1]!)).toBeUndefined();
    }
  });

  it('give extrema of rows whose only zero of its sign, or only NaN, lies anywhere, with each instruction set', ({ skip }) => {
    if (harness === undefined) return skip('no C compiler');
    const access = { dtype: 'float32', inner: 'contiguous' } as const;
    for (const monoid of ['max', 'min'] as const) {
      const sign = monoid === 'max' ? -1 : 1;
      const cases = [0, 1, 2].flatMap((level) => [0, sign * 3].flatMap((rest) => [0, NaN].flatMap((one) => [15, 16, 40, 130].map((columns): LoopCase => {
        // Row i has the one at column i; the others are zeros of the other sign, with or without numbers that are no zeros.
        const rows = Float32Array.from({ length: columns * columns }, (_, i) => (i % columns === Math.floor(i / columns) ? -sign * one : i % 3 === 0 && rest !== 0 ? rest : sign * 0));
        return {
          level, kernel: { rank: 2, reads: [access], writes: [access], body: [loop.argument('f32', 0)], reduce: { monoid, axes: 1 } }, extents: [columns, columns],
          views: [{ buffer: 0, offset: 0, strides: [4 * columns, 4] }, { buffer: 1, offset: 0, strides: [4, 0] }], buffers: [new Uint8Array(rows.buffer), new Uint8Array(4 * columns)],
        };
      }))));
      const results = harness.run(cases);
      cases.forEach((one, i) => expect(difference('float32', results[i]!.buffers[1]!, runLoop(one)[1]!)).toBeUndefined());
    }
  });
});
