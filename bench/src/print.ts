import { figuresOf, formatNumber, formatRatio } from './figures.ts';
import type { Report, Row } from './report.ts';
import { growthsOf, growthText } from './growth.ts';

const headings = ['contender', 'median', 'best', 'unit', 'samples', '± MAD', 'of best JS peer', 'error'] as const;

/** A report as text for a terminal: a table for each workload. */
export function printReport({ machine, contenders, absent, rows }: Report): string {
  const names = [...new Set(rows.map(({ workload }) => workload))];
  const lines = [
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; one thread each`,
    contenders.map(({ name, version }) => `${name} ${version}`).join(', '),
    ...absent.map(({ name, reason }) => `${name} is absent: ${reason}`),
  ];
  for (const name of names) lines.push('', name, ...printTable(rows.filter(({ workload }) => workload === name)));
  const growths = growthsOf(rows);
  if (growths.length > 0) lines.push('', ...growths.map(growthText));
  lines.push('', noiseLine(rows));
  return lines.join('\n');
}

function printTable(rows: readonly Row[]): readonly string[] {
  const cells = [headings, ...rows.map((row) => cellsOf(row, rows))];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => (line.length === headings.length ? (line[column] as string).length : 0)), column === 0 ? Math.max(...cells.map(([first]) => (first as string).length)) : 0));
  return cells.map((line) => `  ${line.map((cell, column) => (column === 0 || line.length < headings.length ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number))).join('  ').trimEnd()}`);
}

function cellsOf(row: Row, rows: readonly Row[]): readonly string[] {
  if (row.outcome !== 'measured') return [row.contender, row.reason ?? row.outcome];
  const { median, best, deviation, overBestPeer } = figuresOf(row, rows);
  return [row.contender, formatNumber(median), formatNumber(best), row.unit, String(row.samples.length), `${(100 * deviation).toFixed(1)} %`, formatRatio(overBestPeer), row.relativeError === undefined ? '–' : row.relativeError.toExponential(0)];
}

function noiseLine(rows: readonly Row[]): string {
  const measured = rows.filter(({ outcome }) => outcome === 'measured').map((row) => figuresOf(row, rows));
  if (measured.length === 0) return 'nothing was measured';
  const worst = measured.reduce((a, b) => (a.deviation >= b.deviation ? a : b));
  const middle = [...measured].sort((a, b) => a.deviation - b.deviation)[Math.floor(measured.length / 2)] as typeof worst;
  return `noise (relative MAD): typically ${(100 * middle.deviation).toFixed(1)} %, at worst ${(100 * worst.deviation).toFixed(1)} % (${worst.row.workload}: ${worst.row.contender})`;
}
