/** `pnpm bench --check`: this checkout and another commit, in turns on one machine. */
import { join } from 'node:path';
import type { ContenderSource } from './contender.ts';
import { openProcess } from './contenders/process.ts';
import { figuresOf, formatNumber, formatRatio } from './figures.ts';
import type { Report, Row } from './report.ts';
import { median, statedNoise } from './statistics.ts';

/** A ratio beyond which a row is flagged, where the noise does not explain it. */
export const allowedRatio = 1.15;

const [before, after] = ['base: ', 'head: '] as const;

/** Our contenders of two checkouts, each in a process of its own so that both are alike. */
export function checkedSources(own: readonly ContenderSource[], baseFolder: string, headFolder: string): readonly ContenderSource[] {
  const served = (prefix: string, folder: string, { name, kind }: ContenderSource): ContenderSource => ({
    name: `${prefix}${name}`,
    kind,
    open: () => openProcess({ name: `${prefix}${name}`, kind, command: process.execPath, args: [join(folder, 'bench/dist/main.js'), '--serve', name], env: process.env }),
  });
  return own.filter(({ kind }) => kind === 'tf' || kind === 'native').flatMap((source) => [served(before, baseFolder, source), served(after, headFolder, source)]);
}

/** A workload of a contender in both checkouts. */
export interface Compared {
  readonly workload: string;
  readonly contender: string;
  readonly base: Row;
  readonly head: Row;
  /** Time of head relative to base. */
  readonly ratio: number;
  /** Slower than is allowed, and than the noise of either side explains. */
  readonly isSlower: boolean;
}

/** What both measured. */
export function comparisonsOf(rows: readonly Row[]): readonly Compared[] {
  return rows.flatMap((head): readonly Compared[] => {
    if (head.outcome !== 'measured' || !head.contender.startsWith(after)) return [];
    const contender = head.contender.slice(after.length);
    const base = rows.find((row) => row.workload === head.workload && row.contender === before + contender && row.outcome === 'measured');
    if (base === undefined) return [];
    const ratio = median(head.samples) / median(base.samples);
    const noise = Math.max(statedNoise(head.samples), statedNoise(base.samples));
    return [{ workload: head.workload, contender, base, head, ratio, isSlower: ratio > Math.max(allowedRatio, 1 + noise) }];
  });
}

/** The table that goes into the description of a change. */
export function comparisonTable({ rows, machine }: Report, commits: { readonly base: string; readonly head: string }): string {
  const compared = comparisonsOf(rows);
  const value = (row: Row): string => `${formatNumber(figuresOf(row, [row]).median)} ${row.unit}`;
  return [
    `| workload | contender | base ${commits.base.slice(0, 7)} | head ${commits.head.slice(0, 8)} | time of head | |`,
    '| --- | --- | --: | --: | --: | --- |',
    ...compared.map((one) => `| ${one.workload} | ${one.contender} | ${value(one.base)} | ${value(one.head)} | ${formatRatio(one.ratio)} | ${one.isSlower ? 'slower' : one.ratio < 1 / allowedRatio ? 'faster' : ''} |`),
    '',
    `${compared.length} rows in turns on ${machine.cpu}, Node ${machine.node}; slower: beyond ${allowedRatio} and beyond the noise of either side.`,
  ].join('\n');
}

/** Rows to look at, in words; and that nothing was compared, which is no success. */
export function slowdowns(rows: readonly Row[]): readonly string[] {
  const compared = comparisonsOf(rows);
  if (compared.length === 0) return ['nothing was measured on both sides: the base may be older than `--serve`, or could not be started'];
  return compared.filter(({ isSlower }) => isSlower).map(({ workload, contender, ratio }) => `${workload}: ${contender} takes ${ratio.toFixed(2)} times as long as before`);
}
