import type { Verdict } from './judge.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
}

export function countsOf(verdicts: readonly Verdict[]): Counts {
  const of = (status: Verdict['status']): number => verdicts.filter((verdict) => verdict.status === status).length;
  return { passed: of('passed'), failed: of('failed'), unsupported: of('unsupported') };
}

export function countsLine({ passed, failed, unsupported }: Counts): string {
  return `${passed} passed, ${failed} failed, ${unsupported} unsupported`;
}

export interface HeldBack {
  readonly operation: string;
  /** Cases that need it. */
  readonly cases: number;
  /** Cases that need nothing else. */
  readonly alone: number;
}

/** How many cases each missing operation holds back, the most first. */
export function heldBack(verdicts: readonly Verdict[]): readonly HeldBack[] {
  const found = new Map<string, { cases: number; alone: number }>();
  for (const { missing } of verdicts) {
    for (const operation of missing) {
      const entry = found.get(operation) ?? { cases: 0, alone: 0 };
      entry.cases++;
      if (missing.length === 1) entry.alone++;
      found.set(operation, entry);
    }
  }
  return [...found].map(([operation, entry]) => ({ operation, ...entry })).sort((a, b) => b.cases - a.cases || (a.operation < b.operation ? -1 : 1));
}

export interface ReportFacts {
  readonly front: string;
  readonly engine: string;
  readonly runs: number;
  readonly verified: boolean;
}

/** The report, whose last line is that of the counts; optional cases are counted apart. */
export function report(verdicts: readonly Verdict[], facts: ReportFacts): readonly string[] {
  const required = verdicts.filter(({ optional }) => !optional);
  const optional = verdicts.filter((verdict) => verdict.optional);
  const held = heldBack(verdicts);
  const faults = verdicts.filter(({ status }) => status === 'failed').flatMap((verdict) => [`failed ${verdict.id}${verdict.optional ? ' (optional)' : ''}`, ...verdict.faults.map((fault) => `  ${fault}`)]);
  return [
    ...faults,
    ...(held.length === 0 ? [] : ['unsupported operations, and how many cases each holds back (how many of them alone):', ...held.map(({ operation, cases, alone }) => `  ${operation}: ${cases} (${alone})`)]),
    facts.verified ? 'checksums: as handed' : 'checksums: the folder lists none',
    `${facts.engine}: ${facts.runs} engine runs, front end ${facts.front}, ${verdicts.reduce((sum, { checks }) => sum + checks, 0)} comparisons`,
    ...(optional.length === 0 ? [] : [`optional: ${countsLine(countsOf(optional))}`]),
    countsLine(countsOf(required)),
  ];
}
