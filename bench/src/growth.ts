/** How cost grows along a series of workloads. */
import type { Row } from './report.ts';
import type { SeriesPlace } from './series.ts';
import { median } from './statistics.ts';

/** How the cost of a contender grows along a series: as size^`exponent`. */
export interface Growth {
  readonly series: string;
  readonly of: string;
  readonly contender: string;
  readonly from: number;
  readonly to: number;
  /** The slope of the line through the logarithms that has the least squared error. */
  readonly exponent: number;
  /** The same between the last two sizes: what small sizes cost at least does not count there. */
  readonly lastExponent: number;
}

/** The growth of every series and contender with three sizes or more. */
export function growthsOf(rows: readonly Row[]): readonly Growth[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.series === undefined || row.outcome !== 'measured') continue;
    const key = `${row.series.name}\n${row.contender}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].filter((group) => group.length >= 3).map((group): Growth => {
    const sorted = [...group].sort((a, b) => sizeOf(a) - sizeOf(b));
    const points = sorted.map((row): Point => [Math.log(sizeOf(row)), Math.log(median(row.samples))]);
    const { name, of } = (sorted[0] as Row).series as SeriesPlace;
    return { series: name, of, contender: (sorted[0] as Row).contender, from: sizeOf(sorted[0] as Row), to: sizeOf(sorted[sorted.length - 1] as Row), exponent: slope(points), lastExponent: slope(points.slice(-2)) };
  });
}

type Point = readonly [number, number];

function sizeOf({ series }: Row): number {
  return (series as SeriesPlace).at;
}

function slope(points: readonly Point[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

/** `gradient of a chain, compile: tf traced grows as operations^0.98 from 10 to 100000, ^1.01 at the end`. */
export function growthText({ series, of, contender, from, to, exponent, lastExponent }: Growth): string {
  return `${series}: ${contender} grows as ${of}^${exponent.toFixed(2)} from ${from} to ${to}, ^${lastExponent.toFixed(2)} at the end`;
}
