import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loop, type ScalarExpr } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { fromFloat } from './big.ts';
import { exact } from './exact.ts';
import { errorInUlps, type FloatDType, formats, fromBits } from './format.ts';
import { complaints, main } from './main.ts';
import { asDefined, barOf, type Definition, functionNames, measure, planted } from './measure.ts';
import { pointsOf } from './points.ts';
import { specials } from './specials.ts';
import { tableText } from './table.ts';

const dtypes: readonly FloatDType[] = ['float32', 'float64'];
const cases = functionNames.flatMap((name) => dtypes.map((dtype) => [name, dtype] as const));
const POINTS = 500;

describe('functions through the engine', () => {
  it.each(cases)('%s in %s is within its bar, also at special values', (name, dtype) => {
    const measurement = measure(name, dtype, POINTS);
    expect(measurement.points).toBeGreaterThanOrEqual(POINTS);
    expect(measurement.specials).toBeGreaterThan(3);
    expect(complaints(measurement, POINTS)).toEqual([]);
  });

  it.each(cases)('%s in %s: a planted fault is seen', (name, dtype) => {
    expect(measure(name, dtype, POINTS, planted).worst).toBeGreaterThan(barOf(name, dtype));
  });

  it('a wrong special value is seen though no error is large', () => {
    const withoutSign = measure('sin', 'float32', POINTS, (name, args) => loop.add(asDefined(name, args), loop.constant('f32', 0)));
    expect(withoutSign.faults).toEqual(['sin(0) float32 is 0, not -0']);
  });

  it.each(dtypes)('digamma below 0 is no difference of two rounded terms: %s', (dtype) => {
    const difference: Definition = (name, [x]) => {
      const number = (value: number): ScalarExpr => loop.constant(x!.type, value);
      const tangent = loop.call('tan', x!.type, loop.mul(loop.sub(x!, loop.nearest(x!)), number(Math.PI)));
      const reflected = loop.sub(loop.call(name, x!.type, loop.sub(number(1), x!)), loop.div(number(Math.PI), tangent));
      return loop.select(loop.lt(x!, number(0)), reflected, asDefined(name, [x!]));
    };
    expect(measure('digamma', dtype, POINTS, difference).worst).toBeGreaterThan(barOf('digamma', dtype));
  });
});

/** Values computed with mpmath to 1400 bits, by packages/core/src/loop/functions/reference/generate.py. */
function referencePoints(name: string, type: 'f32' | 'f64'): readonly string[] {
  const text = readFileSync(new URL(`../../../packages/core/src/loop/functions/reference/${name}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly [type: string]: readonly string[] })[type]!;
}

describe('exact values', () => {
  it.each(cases.filter(([name]) => name !== 'sqrt'))('%s in %s agrees with another arithmetic to the thousandth of an ulp', (name, dtype) => {
    const format = formats[dtype];
    const topBit = format.infinity.toString(2).length;
    const value = (hex: string): number => fromBits(format, BigInt.asUintN(topBit, BigInt(`0x${hex}`)), BigInt(`0x${hex}`) >> BigInt(topBit) === 1n);
    for (const point of referencePoints(name, format.type)) {
      const words = point.split(' ');
      const [x, y = 0] = words.slice(0, -2).map(value) as [number, number?];
      const error = errorInUlps(format, value(words.at(-2)!), exact[name]!(fromFloat(x), fromFloat(y)));
      expect([point, Math.abs(error - Math.abs(Number(words.at(-1)))) < 0.0011]).toEqual([point, true]);
    }
  });

  it('counts in units of the last place of the exact value', () => {
    const { float64, float32 } = formats;
    expect(errorInUlps(float64, 1 + 2 ** -52, fromFloat(1))).toBe(1);
    expect(errorInUlps(float64, 1 - 2 ** -53, fromFloat(1))).toBe(0.5);
    expect(errorInUlps(float32, 2 ** -149, fromFloat(0.25 * 2 ** -149))).toBe(0.75);
    expect(errorInUlps(float32, Infinity, fromFloat(2 ** 128))).toBe(0);
    expect(errorInUlps(float32, Infinity, fromFloat(2 ** 127))).toBe(2 ** 23);
    expect(errorInUlps(float32, -0, fromFloat(1e-300))).toBe(Infinity);
    expect(errorInUlps(float32, NaN, fromFloat(1))).toBe(Infinity);
  });
});

describe('points', () => {
  it.each(cases)('%s in %s: as many as asked, over all exponents and both signs, the same each time', (name, dtype) => {
    const points = pointsOf(name, formats[dtype], 2000);
    expect(points.length).toBe(2000);
    expect(pointsOf(name, formats[dtype], 2000)).toEqual(points);
    const xs = points.map(([x]) => x);
    const exponents = new Set(xs.map((x) => Math.floor(Math.log2(Math.abs(x)) / (dtype === 'float32' ? 16 : 128))));
    expect(exponents.size).toBeGreaterThan(15);
    expect(xs.some((x) => x < 0)).toBe(true);
    const smallest = dtype === 'float32' ? 2 ** -126 : 2 ** -1022;
    expect(xs.some((x) => Math.abs(x) < smallest)).toBe(true);
    expect(xs.every((x) => x !== 0 && Number.isFinite(x))).toBe(true);
  });

  it('every function has special values', () => {
    expect(Object.keys(specials).sort()).toEqual(functionNames);
  });
});

describe('pnpm accuracy', () => {
  const run = (...args: readonly string[]): { readonly code: number; readonly lines: readonly string[] } => {
    const lines: string[] = [];
    return { code: main(args, (line) => lines.push(line)), lines };
  };

  it('prints a row for each function and dtype and writes the same as JSON', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tf-accuracy-'));
    const file = join(folder, 'report.json');
    const { code, lines } = run('--points', '200', '--functions', 'exp,pow', '--dtypes', 'float32,float64', '--json', file);
    const report = JSON.parse(readFileSync(file, 'utf8')) as { readonly results: readonly { readonly name: string; readonly at: readonly number[] }[] };
    rmSync(folder, { recursive: true });
    expect(code).toBe(0);
    expect(lines.length).toBe(6);
    expect(report.results.map(({ name }) => name)).toEqual(['exp', 'exp', 'pow', 'pow']);
  });

  it('exits 1 and names the argument where a bar is broken', () => {
    const { code, lines } = run('--points', '200', '--functions', 'tanh', '--dtypes', 'float32', '--fault');
    expect(code).toBe(1);
    expect(lines.at(-2)).toMatch(/^tanh float32: [\d.]+ ulp at \S+, 0 \(gives .*\), at most 2 are allowed$/);
  });

  it('fewer points than promised are a complaint', () => {
    expect(complaints({ ...measure('exp', 'float32', 200), points: 199 }, 200)).toEqual(['exp float32: 199 points instead of 200']);
  });

  it('makes a page of results, and says what is beyond its bar', () => {
    const circumstances = { date: '2026-01-02', machine: 'a machine' };
    const [good, bad] = [measure('exp', 'float32', 200), measure('tanh', 'float64', 200, planted)] as const;
    const lines = tableText({ real: [good, bad], complex: [] }, complaints(bad, 200), circumstances).split('\n');
    expect(lines.find((line) => line.startsWith('| `exp` |'))).toBe(`| \`exp\` | ${good.worst.toFixed(2)} | ${good.mean.toFixed(2)} | ${good.at[0]} | ${good.points} |  |  |  |  |`);
    expect(lines.find((line) => line.startsWith('| `tanh` |'))).toContain(`**${bad.worst.toFixed(2)}**`);
    expect(lines.filter((line) => line.startsWith('- tanh float64: '))).toHaveLength(1);
    expect(lines.some((line) => line.includes('2026-01-02, a machine'))).toBe(true);
  });

  it('refuses what it does not know', () => {
    expect(run('--functions', 'gamma').code).toBe(2);
    expect(run('--points', '3').code).toBe(2);
    expect(run('--nonsense').code).toBe(2);
  });
});
