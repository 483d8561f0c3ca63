import { bestPeer, figuresOf, formatNumber, formatRatio } from './figures.ts';
import type { Report, Row } from './report.ts';
import type { Workload } from './workloads.ts';

const begin = '<!-- bench:begin -->';
const end = '<!-- bench:end -->';

/** The README with the table of these reports between its markers; throws when it has none. */
export function withTable(readme: string, reports: readonly Report[], workloads: readonly Workload[]): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md: the table goes between ${begin} and ${end}, in this order. Put them where it shall be.`);
  return `${readme.slice(0, from + begin.length)}\n${tableText(reports, workloads)}\n${readme.slice(to)}`;
}

/** The headline workloads of the reports: ours, the best JavaScript peer and the best Python library. */
export function tableText(reports: readonly Report[], workloads: readonly Workload[]): string {
  const rows = reports.flatMap((report) => report.rows);
  const lines = workloads.filter(({ headline, name }) => headline && rows.some(({ workload }) => workload === name)).map((workload) => lineOf(workload, rows));
  if (lines.length === 0) return 'Nothing was measured yet: `pnpm bench`.';
  return [
    '| workload | tf traced | tf eager | tf on its native engine | best JavaScript peer | speed relative to it | best Python library |',
    '| --- | --: | --: | --: | --- | --: | --- |',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    caption(reports),
  ].join('\n');
}

function lineOf({ name, unit }: Workload, rows: readonly Row[]): readonly string[] {
  const own = (contender: string): Row | undefined => rows.find((row) => row.workload === name && row.contender === contender && row.outcome === 'measured');
  const value = (row: Row | undefined): string => (row === undefined ? '–' : formatNumber(figuresOf(row, rows).median));
  const named = (row: Row | undefined): string => (row === undefined ? '–' : `${row.contender} ${value(row)}`);
  const best = bestPeer(rows, name, 'tf');
  return [
    `${name} (${unit})`,
    value(own('tf traced')),
    value(own('tf eager')),
    value(bestPeer(rows, name, 'native')),
    named(bestPeer(rows, name)),
    best === undefined ? '–' : formatRatio(figuresOf(best, rows).overBestPeer),
    named(bestPeer(rows, name, 'python')),
  ];
}

/** Groups may have been measured at different times and in different places: all of them are named. */
function caption(reports: readonly Report[]): string {
  const distinct = (values: readonly string[]): string => [...new Set(values)].join('; ');
  const versions = reports.flatMap(({ contenders }) => contenders.filter(({ kind }) => kind === 'javascript' || kind === 'python').map(({ name, version }) => `${name} ${version}`));
  return [
    'Medians of interleaved samples, one thread each, every result checked first.',
    `${distinct(reports.map(({ machine }) => `${machine.cpu}, Node ${machine.node}`))}; ${distinct(reports.map(({ date, commit }) => `${date.slice(0, 10)} at ${commit.slice(0, 7)}`))}.`,
    `Against ${[...new Set(versions)].join(', ') || 'nobody'}. \`pnpm bench\` measures, \`pnpm bench --table\` writes this; [bench](bench) has everything.`,
  ].join('\n');
}
