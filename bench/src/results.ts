import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawGroup } from './chart.ts';
import type { Report } from './report.ts';

export function writeJson(path: string, report: Report): void {
  mkdirSync(dirname(path), { recursive: true });
  // One line per row keeps the files short and their differences readable.
  const { rows, ...rest } = report;
  const head = JSON.stringify(rest, undefined, 2).replace(/\n\}$/, '');
  writeFileSync(path, `${head},\n  "rows": [\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]\n}\n`);
}

/** A JSON file and a chart for each group of the report. */
export function writeResults(folder: string, report: Report): readonly string[] {
  return [...new Set(report.rows.map(({ group }) => group))].flatMap((group) => {
    const part: Report = { ...report, rows: report.rows.filter((row) => row.group === group) };
    const [json, chart] = [join(folder, `${group}.json`), join(folder, `${group}.svg`)];
    writeJson(json, part);
    writeFileSync(chart, drawGroup(group, part));
    return [json, chart];
  });
}

/** Every report of a folder. */
export function readResults(folder: string): readonly Report[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith('.json')).sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report);
}
