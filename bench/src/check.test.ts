import { PassThrough } from 'node:stream';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeSource, fixedReport, measuredRow } from './bench.testing.ts';
import { checkedSources, comparisonsOf, comparisonTable, slowdowns } from './check.ts';
import { serve } from './serve.ts';
import { inputsOf, workloads } from './workloads.ts';

const rows = [
  measuredRow('a', 'base: tf', 'tf', [10, 10, 10]), measuredRow('a', 'head: tf', 'tf', [12, 12, 12]),
  measuredRow('b', 'base: tf', 'tf', [10, 10, 10]), measuredRow('b', 'head: tf', 'tf', [11, 11, 11]),
  measuredRow('c', 'base: tf', 'tf', [10, 8, 12]), measuredRow('c', 'head: tf', 'tf', [13, 13, 13]),
  measuredRow('d', 'base: tf', 'tf', [10, 10, 10]), measuredRow('d', 'head: tf', 'tf', [5, 5, 5]),
  measuredRow('e', 'base: tf', 'tf', [], { outcome: 'unsupported' }), measuredRow('e', 'head: tf', 'tf', [5, 5, 5]),
];

describe('pnpm bench --check', () => {
  it('flags what is slower by more than is allowed and than the noise explains', () => {
    expect(comparisonsOf(rows).map(({ workload, isSlower }) => [workload, isSlower])).toEqual([['a', true], ['b', false], ['c', false], ['d', false]]);
    expect(slowdowns(rows)).toEqual(['a: tf takes 1.20 times as long as before']);
  });

  it('takes no comparison for a success', () => {
    expect(slowdowns(rows.filter(({ contender }) => contender.startsWith('head')))[0]).toContain('nothing was measured on both sides');
  });

  it('prints a table for the description of the change', () => {
    const lines = comparisonTable(fixedReport(rows), { base: '0123456789', head: 'abcdef0123+' }).split('\n');
    expect(lines[2]).toBe('| a | tf | 26.8 GFLOP/s | 22.4 GFLOP/s | 1.20× | slower |');
    expect(lines[5]).toContain('| 0.500× | faster |');
  });

  it('measures ours only, each in both checkouts', () => {
    expect(checkedSources([fakeSource('tf', 'tf'), fakeSource('tfjs', 'javascript')], '/base', '/head').map(({ name }) => name)).toEqual(['base: tf', 'head: tf']);
  });
});

describe('--serve', () => {
  const [workload] = workloads as [typeof workloads[number]];
  const talk = async (requests: readonly object[], source = fakeSource('tf', 'tf')): Promise<readonly Record<string, unknown>[]> => {
    const lines = new PassThrough();
    lines.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
    const answers: Record<string, unknown>[] = [];
    await serve(source, workloads, lines, (line) => void answers.push(JSON.parse(line) as Record<string, unknown>));
    return answers;
  };

  it('prepares, times and gives results by files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tf-serve-test-'));
    try {
      const inputs = inputsOf(workload);
      for (const [name, { values }] of Object.entries(inputs)) writeFileSync(join(folder, name), values);
      const prepare = { call: 'prepare', task: workload.task, dtype: workload.dtype, folder, shapes: Object.fromEntries(Object.entries(inputs).map(([name, { shape }]) => [name, shape])), complex: [], workload: workload.name };
      const path = join(folder, 'result');
      const answers = await talk([{ call: 'time', repetitions: 1 }, { ...prepare, workload: 'none' }, prepare, { call: 'time', repetitions: 2 }, { call: 'result', path }]);
      expect(answers.slice(0, 4)).toEqual([{ version: '1' }, { error: 'nothing is prepared' }, { unsupported: 'this checkout has no such workload' }, {}]);
      expect(answers[4]).toEqual({ milliseconds: expect.any(Number) as unknown });
      expect(readFileSync(path).length).toBe(8 * 64);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says why a contender is absent', async () => {
    expect(await talk([], { name: 'x', kind: 'tf', open: () => Promise.reject(new Error('no library')) })).toEqual([{ absent: 'no library' }]);
  });
});
