import type { Row } from './report.ts';
import { median, relativeDeviation, statedNoise } from './statistics.ts';

/** A row as people read it. */
export interface Figures {
  readonly row: Row;
  /** In the row's unit; NaN when nothing was measured. */
  readonly median: number;
  /** The best sample: the least time, or the highest rate. */
  readonly best: number;
  readonly deviation: number;
  readonly noise: number;
  /** How many times as fast as the fastest JavaScript peer; undefined without one. */
  readonly overBestPeer: number | undefined;
}

/** Milliseconds per run in the unit of a row. */
export function inUnit({ unit, amount }: Pick<Row, 'unit' | 'amount'>, milliseconds: number): number {
  if (unit === 'GFLOP/s') return amount / milliseconds / 1e6;
  return (unit === 'ms' ? milliseconds : milliseconds * 1000) / amount;
}

function timePerAmount({ samples, amount }: Row): number {
  return median(samples) / amount;
}

/** The row of the fastest JavaScript peer on this workload, if one was measured. */
export function bestPeer(rows: readonly Row[], workload: string, kind: Row['kind'] = 'javascript'): Row | undefined {
  const peers = rows.filter((row) => row.workload === workload && row.kind === kind && row.outcome === 'measured');
  return peers.sort((a, b) => timePerAmount(a) - timePerAmount(b))[0];
}

export function figuresOf(row: Row, rows: readonly Row[]): Figures {
  const peer = bestPeer(rows, row.workload);
  const measured = row.outcome === 'measured';
  return {
    row,
    median: inUnit(row, median(row.samples)),
    best: measured ? inUnit(row, Math.min(...row.samples)) : Number.NaN,
    deviation: relativeDeviation(row.samples),
    noise: statedNoise(row.samples),
    overBestPeer: peer === undefined || !measured ? undefined : timePerAmount(peer) / timePerAmount(row),
  };
}

/** Three significant digits, without an exponent. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return String(Math.round(value));
  return value.toPrecision(3);
}

export function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '–' : `${formatNumber(ratio)}×`;
}
