import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixedReport, fixedRows } from './bench.testing.ts';
import { readmePath, resultsFolder } from './places.ts';
import { tableText, withTable } from './readme.ts';
import { readResults } from './results.ts';
import { workloads } from './workloads.ts';

describe('the table of the README', () => {
  it('is made of a fixed report', () => {
    expect(tableText([fixedReport(fixedRows)], workloads).split('\n')).toEqual([
      '| workload | tf traced | tf eager | tf on its native engine | best JavaScript peer | speed relative to it | best Python library |',
      '| --- | --: | --: | --: | --- | --: | --- |',
      '| matmul 512, float32 (GFLOP/s) | 38.3 | – | 67.1 | tfjs 22.4 | 1.71× | numpy 134 |',
      '',
      'Medians of interleaved samples, one thread each, every result checked first.',
      'Test CPU, Node v20.0.0; 2026-11-29 at 0123456.',
      'Against tfjs 4.22.0, numpy 2.0.0. `pnpm bench` measures, `pnpm bench --table` writes this; [bench](bench) has everything.',
    ]);
  });

  it('replaces what is between the markers and nothing else', () => {
    const readme = 'before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n';
    const once = withTable(readme, [], workloads);
    expect(once).toBe('before\n<!-- bench:begin -->\nNothing was measured yet: `pnpm bench`.\n<!-- bench:end -->\nafter\n');
    expect(withTable(once, [], workloads)).toBe(once);
    expect(withTable(once, [fixedReport(fixedRows)], workloads)).not.toBe(once);
  });

  it('needs its markers', () => {
    expect(() => withTable('no markers', [], workloads)).toThrow('<!-- bench:begin --> and <!-- bench:end -->');
  });

  it('says what bench/results says', () => {
    const readme = readFileSync(readmePath, 'utf8');
    expect(withTable(readme, readResults(resultsFolder), workloads) === readme, 'run pnpm bench --table').toBe(true);
  });
});
