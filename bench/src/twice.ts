import { formatNumber, inUnit } from './figures.ts';
import type { Row } from './report.ts';
import { median, statedNoise } from './statistics.ts';

/** Rows whose medians of two runs lie further apart than the noise stated by either, in words. */
export function disagreements(first: readonly Row[], second: readonly Row[]): readonly string[] {
  return first.flatMap((row) => {
    const other = second.find(({ workload, contender }) => workload === row.workload && contender === row.contender);
    const name = `${row.workload}: ${row.contender}`;
    if (other === undefined || other.outcome !== row.outcome) return [`${name}: ${row.outcome} in the first run, ${other?.outcome ?? 'absent'} in the second`];
    if (row.outcome !== 'measured') return [];
    const [a, b] = [median(row.samples), median(other.samples)];
    const apart = Math.abs(a - b) / Math.min(a, b);
    const stated = Math.max(statedNoise(row.samples), statedNoise(other.samples));
    if (apart <= stated) return [];
    return [`${name}: ${formatNumber(inUnit(row, a))} and ${formatNumber(inUnit(other, b))} ${row.unit} are ${(100 * apart).toFixed(0)} % apart; the stated noise is ${(100 * stated).toFixed(0)} %`];
  });
}
