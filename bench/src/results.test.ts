import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixedReport, fixedRows } from './bench.testing.ts';
import { readResults, writeResults } from './results.ts';

describe('results on disk', () => {
  it('come back as they were, with raw samples, machine and versions, beside a chart of every measured row', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tf-bench-test-'));
    try {
      const report = fixedReport(fixedRows);
      const [, chart] = writeResults(folder, report);
      expect(readResults(folder)).toEqual([report]);
      const svg = readFileSync(chart as string, 'utf8');
      expect(svg.startsWith('<svg')).toBe(true);
      expect(svg.match(/class="medians".*?<\/g>/s)?.[0].match(/<circle/g)).toHaveLength(5);
      for (const { contender } of fixedRows.slice(0, 5)) expect(svg).toContain(`>${contender}<`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are nothing where there is no folder', () => {
    expect(readResults('/nowhere/at/all')).toEqual([]);
  });
});
