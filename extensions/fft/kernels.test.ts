/** The kernels of both execution modules, through engines: values, precision, layouts. */
import type { Engine, Operand, Var } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createRandom, createReferenceEngine, hostValue, randomValues, reportPresence } from '@tf/testkit';
import { describe, expect, it } from 'vitest';
import { dft } from './src/dft.ts';
import { hdft, rdft } from './src/half-spectrum.ts';
import { fftWasm } from './src/modules/cpu-wasm.ts';
import { fftHost } from './src/modules/host.ts';
import { naiveDft, naiveReal, naiveSpectrum, relativeError } from './src/cases/naive.ts';
import { fftWasmPresence, runOn } from './run.testing.ts';

const hasWasm = reportPresence({ it }, fftWasmPresence);

const engines: readonly (readonly [string, Engine])[] = [
  ['the reference engine with host kernels', createReferenceEngine({ modules: [fftHost()] })],
  ['cpu-wasm with host kernels', await createEngine({ modules: [fftHost()] })],
  ...(hasWasm ? [['cpu-wasm with its own', await createEngine({ modules: [fftHost(), fftWasm()] })] as const, ['cpu-wasm with its own, its memory guarded', await createEngine({ modules: [fftWasm()], debug: 'memory' })] as const] : []),
];

const precisions = [
  { real: 'float64', complex: 'complex128', unit: 2 ** -52 },
  { real: 'float32', complex: 'complex64', unit: 2 ** -23 },
] as const;

/** Lengths that run by stages, in four steps, and as convolutions; of every radix. */
const lengths = [...Array.from({ length: 64 }, (_, at) => at + 1), 65, 68, 81, 97, 121, 128, 169, 200, 243, 256, 289, 361, 405, 499, 512, 529, 961, 1000];

/** How a line lies: lines before it and beside it. */
const layouts = [[1, 1], [5, 1], [2, 3]] as const;

function lineOf(data: ArrayLike<number>, [outer, inner]: readonly [number, number], words: number, which: number): Float64Array {
  const length = data.length / (outer * inner * words);
  const [row, column] = [Math.floor(which / inner), which % inner];
  return Float64Array.from({ length: length * words }, (_, i) => data[((row * length + Math.floor(i / words)) * inner + column) * words + (i % words)] as number);
}

describe.each(engines)('%s', (name, engine) => {
  const few = name.includes('host') || name.includes('guarded');
  it.each(few ? lengths.filter((n) => n < 20 || n % 7 === 2) : lengths)('transforms lines of %i in every layout and precision', (n) => {
    for (const { real, complex, unit } of precisions) {
      const bound = 2 * unit * Math.max(1, Math.log2(n));
      for (const layout of layouts) {
        const [outer, inner] = layout;
        const random = createRandom(n + outer);
        const x = randomValues(real, [outer, n, inner], random);
        const z = randomValues(complex, [outer, n, inner], random);
        const half = randomValues(complex, [outer, Math.floor(n / 2) + 1, inner], random);
        const [forward, inverse, spectrum, line] = runOn(engine, (a, b, c) => [dft(a as Operand, -2, false), dft(a as Operand, -2, true), rdft(b as Operand, -2), hdft(c as Operand, -2, n)] as readonly Operand[] as readonly Var[], [z, x, half]) as readonly ArrayLike<number>[];
        for (const which of new Set([0, outer * inner - 1])) {
          const given = lineOf(z.data as Float64Array, layout, 2, which);
          expect(relativeError(lineOf(forward!, layout, 2, which), naiveDft(given)), `dft ${complex} ${outer}×${inner}`).toBeLessThanOrEqual(bound);
          expect(relativeError(lineOf(inverse!, layout, 2, which), naiveDft(given, true)), `inverse ${complex} ${outer}×${inner}`).toBeLessThanOrEqual(bound);
          expect(relativeError(lineOf(spectrum!, layout, 2, which), naiveReal(lineOf(x.data as Float64Array, layout, 1, which))), `rdft ${real} ${outer}×${inner}`).toBeLessThanOrEqual(bound);
          expect(relativeError(lineOf(line!, layout, 1, which), naiveSpectrum(lineOf(half.data as Float64Array, layout, 2, which), n)), `hdft ${complex} ${outer}×${inner}`).toBeLessThanOrEqual(bound);
        }
      }
    }
  });

  it('gives a line the same bits alone and among others', () => {
    for (const n of [7, 16, 60, 96, 74]) {
      const all = randomValues('complex128', [11, n], createRandom(n));
      const [together] = runOn(engine, (z) => dft(z as Operand, -1, false) as Var, [all]);
      const one = hostValue('complex128', [1, n], (all.data as Float64Array).subarray(2 * n * 9, 2 * n * 10));
      const [alone] = runOn(engine, (z) => dft(z as Operand, -1, false) as Var, [one]);
      expect([...(alone as Float64Array)]).toEqual([...(together as Float64Array).subarray(2 * n * 9, 2 * n * 10)]);
    }
  });

  it('leaves what is not finite in its own line', () => {
    for (const n of [8, 9, 96]) {
      const x = randomValues('float64', [4, n], createRandom(n));
      (x.data as Float64Array)[n + 1] = NaN;
      const [spectrum] = runOn(engine, (y) => rdft(y as Operand, -1) as Var, [x]);
      const width = 2 * (Math.floor(n / 2) + 1);
      for (const row of [0, 2, 3]) expect([...(spectrum as Float64Array).subarray(row * width, (row + 1) * width)].every(Number.isFinite), `${n}, row ${row}`).toBe(true);
    }
  });
});

/** Σ of a few elements of the spectrum, each by its definition, against what is there. */
function spotError(line: Float64Array, spectrum: Float64Array, at: readonly number[]): number {
  const n = line.length / 2;
  const size = Math.sqrt(line.reduce((sum, part) => sum + part * part, 0));
  return Math.max(...at.map((k) => {
    let [re, im] = [0, 0];
    for (let j = 0; j < n; j++) {
      const angle = (-2 * Math.PI * ((j * k) % n)) / n;
      re += line[2 * j]! * Math.cos(angle) - line[2 * j + 1]! * Math.sin(angle);
      im += line[2 * j]! * Math.sin(angle) + line[2 * j + 1]! * Math.cos(angle);
    }
    return Math.hypot(spectrum[2 * k]! - re, spectrum[2 * k + 1]! - im) / size;
  }));
}

describe.runIf(hasWasm)('long lines on cpu-wasm', () => {
  it.each([2 ** 17, 3 ** 8 * 5, 240000, 100003, 99991 * 2])('of %i: some elements, and the sum of squares', async (n) => {
    const engine = await createEngine({ modules: [fftWasm()] });
    const z = randomValues('complex128', [n], createRandom(n));
    const line = z.data as Float64Array;
    const [forward] = runOn(engine, (x) => dft(x as Operand, -1, false) as Var, [z]) as readonly Float64Array[];
    expect(spotError(line, forward!, [0, 1, Math.floor(n / 3), n - 1])).toBeLessThan(1e-12);
    const [before, after] = [line, forward!].map((values) => values.reduce((sum, part) => sum + part * part, 0)) as [number, number];
    expect(Math.abs(after / n / before - 1)).toBeLessThan(1e-13);
    const [back] = runOn(engine, (x) => dft(x as Operand, -1, true) as Var, [hostValue('complex128', [n], forward!)]) as readonly Float64Array[];
    expect(relativeError(back!.map((part) => part / n), line)).toBeLessThan(2 ** -52 * Math.log2(n));
    engine.dispose();
  });
});
