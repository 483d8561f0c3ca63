import { describe, expect, it } from 'vitest';
import { fixedReport, measuredRow } from './bench.testing.ts';
import { drawGroup } from './chart.ts';
import { printReport } from './print.ts';
import { growthsOf } from './growth.ts';

const grown = (contender: string, costs: readonly (readonly [number, number])[]): ReturnType<typeof measuredRow>[] =>
  costs.map(([at, cost]) => measuredRow(`chain of ${at}`, contender, 'tf', [cost, cost, cost], { group: 'scaling', unit: 'ms', amount: 1, series: { name: 'a chain', of: 'operations', at } }));

describe('growth along a series', () => {
  it('is the slope through the logarithms, over all sizes and at the end', () => {
    const [linear, square] = growthsOf([...grown('linear', [[1000, 3.1], [10, 0.031], [100, 0.31]]), ...grown('square', [[10, 1], [100, 1], [1000, 100]])]);
    expect(linear).toMatchObject({ contender: 'linear', from: 10, to: 1000 });
    expect(linear!.exponent).toBeCloseTo(1, 12);
    expect(square!.exponent).toBeCloseTo(1, 12);
    expect(square!.lastExponent).toBeCloseTo(2, 12);
  });

  it('is not stated of two sizes', () => {
    expect(growthsOf(grown('linear', [[1, 1], [2, 2]]))).toEqual([]);
  });

  it('is printed and drawn', () => {
    const report = fixedReport(grown('tf traced', [[10, 1], [100, 11], [1000, 110]]));
    expect(printReport(report)).toContain('a chain: tf traced grows as operations^1.02 from 10 to 1000, ^1.00 at the end');
    const svg = drawGroup('scaling', report);
    expect(svg.match(/class="medians".*?<\/g>/s)?.[0].match(/<circle/g)).toHaveLength(3);
    expect(svg).toContain('a chain: tf traced');
  });
});
