/** What a tier on hard matrices found: how many there were, and the largest errors in units of their bars. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type KernelDType, kernelDTypes } from './kernels.testing.ts';

interface Worst {
  readonly value: number;
  readonly where: string;
  readonly count: number;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Where the tables of a run go: `TF_HARD_TABLE=docs/hard-matrices.md`. */
const tablePath = process.env['TF_HARD_TABLE'];

const heading = `<!-- Written by \`TF_HARD_TABLE=docs/hard-matrices.md pnpm test:linalg-hard\`. -->
# Linear algebra on hard matrices

Families of matrices on each of which something is known to go wrong: repeated, clustered and graded singular values, of two scales, of deficient
rank, zero, identity, Hilbert, Vandermonde, Kahan, companion, Toeplitz, Frank, Grcar, nilpotent, close to overflow and to underflow; in every
dtype, square, wide and tall. The numbers are the largest errors over all of them; every one has the bar 30, LAPACK's own.
`;

export class HardReport {
  readonly #title: string;
  readonly #bar = 30;
  readonly #matrices = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  readonly #worst = new Map<string, Map<string, Map<KernelDType, Worst>>>();

  constructor(title: string) {
    this.#title = title;
  }

  /** So many more matrices that whoever computes (`by`) was tried on. */
  countMatrices(by: string, count = 1): void {
    this.#matrices.set(by, (this.#matrices.get(by) ?? 0) + count);
  }

  /** Notes an error in units of its bar's; fails where it is not below 30. */
  see(by: string, measure: string, dtype: KernelDType, value: number, where: string): void {
    const measures = entry(this.#worst, by, () => new Map<string, Map<KernelDType, Worst>>());
    const dtypes = entry(measures, measure, () => new Map<KernelDType, Worst>());
    const { value: most, where: there, count } = dtypes.get(dtype) ?? { value: -1, where, count: 0 };
    if (!(value < this.#bar)) this.#failed.set(by, (this.#failed.get(by) ?? 0) + 1);
    // NaN is the worst of all.
    dtypes.set(dtype, value <= most || Number.isNaN(most) ? { value: most, where: there, count: count + 1 } : { value, where, count: count + 1 });
    expect.soft(value, `${measure} of ${where}, ${dtype}, ${by}`).toBeLessThan(this.#bar);
  }

  /** Prints everything, and writes the tables where a file for them is named. */
  finish(unit: string): void {
    for (const [by, measures] of this.#worst) {
      console.log(`${by}: ${this.#matrices.get(by)} matrices, ${countOf(measures)} results, ${this.#failed.get(by) ?? 0} failed; the largest errors in units of ${unit}, where 30 is the bar:`);
      for (const [measure, dtypes] of measures) for (const [dtype, { value, where, count }] of dtypes) console.log(`${measure.padEnd(24)} ${dtype.padEnd(10)} ${value.toFixed(2).padStart(8)} of ${String(count).padStart(5)}   ${where}`);
    }
    if (tablePath !== undefined) this.#write(`${root}${tablePath}`, unit);
  }

  /** What others computed in another run stays as that run left it. */
  #write(path: string, unit: string): void {
    const [begin, end] = [`<!-- begin: ${this.#title} -->`, `<!-- end: ${this.#title} -->`];
    const before = existsSync(path) ? readFileSync(path, 'utf8') : heading;
    const [from, to] = [before.indexOf(begin), before.indexOf(end)];
    const tables = from < 0 ? new Map<string, string>() : tablesOf(before.slice(from + begin.length, to));
    for (const [by, measures] of this.#worst) tables.set(by, this.#table(by, measures));
    const section = `${begin}\n## ${this.#title}\n\nIn units of ${unit}.\n\n${[...tables.values()].join('\n')}${end}\n`;
    writeFileSync(path, from < 0 ? `${before}\n${section}` : `${before.slice(0, from)}${section}${before.slice(to + end.length + 1)}`);
  }

  #table(by: string, measures: ReadonlyMap<string, ReadonlyMap<KernelDType, Worst>>): string {
    const rows = [...measures].map(([measure, dtypes]) => `| ${measure} | ${kernelDTypes.map((dtype) => dtypes.get(dtype)?.value.toFixed(2) ?? '').join(' | ')} | ${[...dtypes.values()].reduce((sum, { count }) => sum + count, 0)} |`);
    return [`### ${by}`, '', `${this.#matrices.get(by)} matrices, ${countOf(measures)} results, ${this.#failed.get(by) ?? 0} failed; run on ${new Date().toISOString().slice(0, 10)}.`, '', `| measure | ${kernelDTypes.join(' | ')} | results |`, `| --- |${' --: |'.repeat(kernelDTypes.length + 1)}`, ...rows, ''].join('\n');
  }
}

/** Tables of a section, by who computed. */
function tablesOf(section: string): Map<string, string> {
  return new Map(section.split(/^(?=### )/m).slice(1).map((table) => [table.slice(4, table.indexOf('\n')), `${table.trimEnd()}\n`]));
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function countOf(measures: ReadonlyMap<string, ReadonlyMap<KernelDType, Worst>>): number {
  return [...measures.values()].flatMap((dtypes) => [...dtypes.values()]).reduce((sum, { count }) => sum + count, 0);
}
