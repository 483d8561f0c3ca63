import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { ContenderKind } from './contender.ts';
import { repositoryFolder } from './places.ts';
import type { SeriesPlace } from './series.ts';
import type { Workload } from './workloads.ts';

/** One contender on one workload. */
export interface Row {
  readonly workload: string;
  readonly group: string;
  readonly contender: string;
  readonly kind: ContenderKind;
  readonly unit: Workload['unit'];
  /** Work per run, see {@link Workload}. */
  readonly amount: number;
  readonly outcome: 'measured' | 'wrong' | 'unsupported';
  /** Why it was not measured. */
  readonly reason?: string;
  readonly relativeError?: number;
  /** Milliseconds per run, one entry for each sample, in the order they were taken. */
  readonly samples: readonly number[];
  /** Runs in each sample. */
  readonly repetitions?: number;
  /** Where it stands in a series of sizes. */
  readonly series?: SeriesPlace;
}

export interface Participant {
  readonly name: string;
  readonly kind: ContenderKind;
  readonly version: string;
}

export interface Absence {
  readonly name: string;
  readonly reason: string;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly platform: string;
}

/** What a run found, as it is written to JSON. */
export interface Report {
  readonly date: string;
  /** The commit, with `+` when files differed from it. */
  readonly commit: string;
  readonly machine: Machine;
  readonly contenders: readonly Participant[];
  readonly absent: readonly Absence[];
  readonly rows: readonly Row[];
}

export function thisMachine(): Machine {
  const all = cpus();
  return { cpu: (all[0]?.model ?? 'unknown').trim(), cores: all.length, memoryBytes: totalmem(), node: process.version, platform: `${process.platform} ${process.arch}` };
}

export function thisCommit(): string {
  try {
    const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: repositoryFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    // Results that were just written do not make another program of this.
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/results', ':!README.md');
    return git('rev-parse', 'HEAD') + (changed === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
