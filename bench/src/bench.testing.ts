import type { Bench } from './bench.ts';
import type { Contender, ContenderKind, ContenderSource } from './contender.ts';
import type { Report, Row } from './report.ts';
import { referenceOf } from './references.ts';
import { workloads } from './workloads.ts';

/** A contender that knows the answer, off by so much, and does nothing for it. */
export function fakeSource(name: string, kind: ContenderKind, factor = 1, prepare?: Contender['prepare']): ContenderSource {
  return {
    name,
    kind,
    open: async () => ({
      name,
      kind,
      version: '1',
      prepare: prepare ?? ((workload, inputs) => ({ run: () => {}, result: () => referenceOf(workload, inputs).map((value) => factor * value) })),
    }),
  };
}

/** A bench of the small workloads, as fast as it goes. */
export function fakeBench(own: readonly ContenderSource[], peers: readonly ContenderSource[], overrides: Partial<Bench> = {}): Bench {
  const small = workloads.filter(({ group }) => group === 'dispatch').slice(0, 1);
  return { own, peers, workloads: small, timing: { sampleMilliseconds: 0.01, warmUpMilliseconds: 0 }, install: () => undefined, onProgress: () => {}, ...overrides };
}

export function measuredRow(workload: string, contender: string, kind: ContenderKind, samples: readonly number[], over: Partial<Row> = {}): Row {
  return { workload, group: 'matmul', contender, kind, unit: 'GFLOP/s', amount: 2 * 512 ** 3, outcome: 'measured', relativeError: 1e-7, samples, repetitions: 3, ...over };
}

/** A report that never changes. */
export function fixedReport(rows: readonly Row[]): Report {
  return {
    date: '2026-11-29T12:00:00.000Z',
    commit: '0123456789abcdef',
    machine: { cpu: 'Test CPU', cores: 2, memoryBytes: 2 ** 34, node: 'v20.0.0', platform: 'linux x64' },
    contenders: [{ name: 'tf traced', kind: 'tf', version: '1.0.0' }, { name: 'tfjs', kind: 'javascript', version: '4.22.0' }, { name: 'numpy', kind: 'python', version: '2.0.0' }],
    absent: [{ name: 'torch', reason: 'no module' }],
    rows,
  };
}

const name = 'matmul 512, float32';

export const fixedRows: readonly Row[] = [
  measuredRow(name, 'tf traced', 'tf', [7, 6, 8]),
  measuredRow(name, 'tf native', 'native', [4, 3.6, 4.4]),
  measuredRow(name, 'tfjs', 'javascript', [12, 12, 12.5]),
  measuredRow(name, 'jax-js', 'javascript', [14, 15, 16]),
  measuredRow(name, 'numpy', 'python', [2, 2, 2]),
  measuredRow(name, 'ml-matrix', 'javascript', [], { outcome: 'unsupported', reason: 'has no float32' }),
];
