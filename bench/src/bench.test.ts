import { describe, expect, it } from 'vitest';
import type { BenchOptions } from './arguments.ts';
import { fakeBench, fakeSource } from './bench.testing.ts';
import { runBench } from './bench.ts';
import type { ContenderSource } from './contender.ts';

const options: BenchOptions = { groups: ['dispatch'], peers: undefined, json: undefined, samples: 7, twice: false };
const absent = (name: string): ContenderSource => ({ name, kind: 'python', open: () => Promise.reject(new Error('No module named x')) });

describe('a run', () => {
  it('measures who is right, with the samples asked for', async () => {
    const { report, failures } = await runBench(fakeBench([fakeSource('tf', 'tf')], [fakeSource('peer', 'javascript')]), options);
    expect(failures).toEqual([]);
    expect(report.rows.map(({ contender, outcome, samples }) => [contender, outcome, samples.length])).toEqual([['tf', 'measured', 7], ['peer', 'measured', 7]]);
  });

  it('gives a wrong result a row with its error and no time', async () => {
    const { report, failures } = await runBench(fakeBench([fakeSource('tf', 'tf')], [fakeSource('peer', 'javascript', 1.01)]), options);
    const row = report.rows[1];
    expect(row).toMatchObject({ outcome: 'wrong', reason: 'wrong: relative error 1.0e-2, allowed 0.00001', samples: [] });
    expect(row?.relativeError).toBeCloseTo(0.01, 10);
    expect(failures).toEqual([]);
  });

  it('fails when a result of our own is wrong, or a run of ours throws', async () => {
    const throws = fakeSource('tf too', 'tf', 1, () => {
      throw new Error('no such kernel');
    });
    const { failures } = await runBench(fakeBench([fakeSource('tf', 'tf', 2), throws], []), options);
    expect(failures.map((failure) => failure.replace(/^.*float32: /, ''))).toEqual(['tf wrong: relative error 1.0e+0, allowed 0.00001', 'tf too threw: no such kernel']);
  });

  it('gives who cannot do it a row that says why', async () => {
    const { report } = await runBench(fakeBench([], [fakeSource('peer', 'javascript', 1, () => ({ unsupported: 'has no float32' }))]), options);
    expect(report.rows[0]).toMatchObject({ outcome: 'unsupported', reason: 'has no float32' });
  });

  it('reports an absent peer as absent, and fails only when it was named', async () => {
    const bench = fakeBench([fakeSource('tf', 'tf')], [absent('numpy')]);
    expect(await runBench(bench, options)).toMatchObject({ failures: [], report: { absent: [{ name: 'numpy', reason: 'No module named x' }] } });
    expect((await runBench(bench, { ...options, peers: ['numpy'] })).failures).toEqual(['numpy was named and is absent: No module named x']);
  });

  it('fails when peers that were named could not be installed, or were measured on nothing', async () => {
    const cannot = fakeSource('peer', 'javascript', 1, () => ({ unsupported: 'has nothing' }));
    expect((await runBench(fakeBench([], [cannot]), { ...options, peers: ['peer'] })).failures).toEqual(['peer was named and was measured on none of these workloads']);
    const offline = fakeBench([], [fakeSource('peer', 'javascript')], { install: () => 'npm ci failed' });
    expect((await runBench(offline, { ...options, peers: ['peer'] })).failures).toEqual(['peer was named and is absent: npm ci failed']);
  });

  it('installs nothing when no JavaScript peer takes part', async () => {
    const bench = fakeBench([fakeSource('tf', 'tf')], [fakeSource('peer', 'javascript')], { install: () => { throw new Error('installed'); } });
    expect((await runBench(bench, { ...options, peers: [] })).failures).toEqual([]);
  });

  it('says which workload, contender and sample it is at, and lets contenders take turns', async () => {
    const said: string[] = [];
    await runBench(fakeBench([fakeSource('a', 'tf'), fakeSource('b', 'tf')], [], { onProgress: (text) => said.push(text) }), options);
    const turns = said.filter((text) => text.includes('sample')).map((text) => text.replace(/^.*: (.): sample (\d).*$/, '$1$2'));
    expect(turns.slice(0, 6)).toEqual(['a1', 'b1', 'b2', 'a2', 'a3', 'b3']);
    expect(said.some((text) => text.startsWith('1/1 eager operation') && text.endsWith('sample 7/7'))).toBe(true);
  });
});
