import type { BenchOptions } from './arguments.ts';
import type { Contender, ContenderSource } from './contender.ts';
import type { Timing } from './measure.ts';
import { type Absence, type Report, type Row, thisCommit, thisMachine } from './report.ts';
import { firstLine, runWorkload } from './run.ts';
import { disagreements } from './twice.ts';
import type { Workload } from './workloads.ts';

export interface Bench {
  readonly own: readonly ContenderSource[];
  readonly peers: readonly ContenderSource[];
  readonly workloads: readonly Workload[];
  readonly timing: Timing;
  /** Makes the JavaScript peers available; gives the reason when it cannot. */
  readonly install: (onProgress: (text: string) => void) => string | undefined;
  readonly onProgress: (text: string) => void;
}

export interface Outcome {
  readonly report: Report;
  /** Why the command fails; empty when it does not. */
  readonly failures: readonly string[];
}

/** Starts the contenders, runs the workloads of the groups asked for, and says what went wrong. */
export async function runBench(bench: Bench, { groups, peers, samples, twice }: BenchOptions): Promise<Outcome> {
  const { own, workloads, timing, onProgress } = bench;
  const { contenders, absent } = await openAll([...own, ...bench.peers.filter(({ name }) => peers?.includes(name) ?? true)], bench);
  try {
    const wanted = workloads.filter(({ group }) => groups.includes(group));
    const runOnce = async (prefix: string): Promise<readonly Row[]> => {
      const rows: Row[] = [];
      for (const [at, workload] of wanted.entries()) {
        rows.push(...(await runWorkload(workload, contenders, { samples, timing, onProgress: (text) => onProgress(`${prefix}${at + 1}/${wanted.length} ${text}`) })));
      }
      return rows;
    };
    const rows = await runOnce(twice ? 'first run: ' : '');
    const again = twice ? await runOnce('second run: ') : undefined;
    const report: Report = {
      date: new Date().toISOString(),
      commit: thisCommit(),
      machine: thisMachine(),
      contenders: contenders.map(({ name, kind, version }) => ({ name, kind, version })),
      absent,
      rows,
    };
    return { report, failures: [...missing(peers ?? [], report), ...ownFaults(rows), ...(again === undefined ? [] : disagreements(rows, again))] };
  } finally {
    contenders.forEach((contender) => contender.close?.());
  }
}

async function openAll(sources: readonly ContenderSource[], { install, onProgress }: Bench): Promise<{ readonly contenders: readonly Contender[]; readonly absent: readonly Absence[] }> {
  const notInstalled = sources.some(({ kind }) => kind === 'javascript') ? install(onProgress) : undefined;
  const contenders: Contender[] = [];
  const absent: Absence[] = [];
  for (const source of sources) {
    onProgress(`starting ${source.name}`);
    try {
      if (source.kind === 'javascript' && notInstalled !== undefined) throw new Error(notInstalled);
      contenders.push(await source.open());
    } catch (error) {
      absent.push({ name: source.name, reason: firstLine(error) });
    }
  }
  return { contenders, absent };
}

/** Peers that were named and did not start, or were measured on nothing. */
function missing(named: readonly string[], { absent, rows }: Report): readonly string[] {
  return named.flatMap((name) => {
    const why = absent.find((absence) => absence.name === name);
    if (why !== undefined) return [`${name} was named and is absent: ${why.reason}`];
    const measured = rows.some(({ contender, outcome }) => contender === name && outcome === 'measured');
    return measured ? [] : [`${name} was named and was measured on none of these workloads`];
  });
}

/** What of our own went wrong: a result, or a run. */
function ownFaults(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ kind, workload, contender, outcome, reason = '' }) => ((kind === 'tf' || kind === 'native') && (outcome === 'wrong' || reason.startsWith('threw')) ? [`${workload}: ${contender} ${reason}`] : []));
}
