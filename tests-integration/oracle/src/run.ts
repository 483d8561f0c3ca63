import type { Engine } from '@tf/core';
import { eagerFront } from './fronts/eager.ts';
import type { Front, FrontFactory } from './fronts/front.ts';
import { tracedFront } from './fronts/traced.ts';
import { judge, type Verdict } from './judge.ts';
import { operations } from './operations/index.ts';
import type { Line } from './set.ts';

export const fronts: Readonly<Record<string, FrontFactory>> = Object.freeze({ traced: tracedFront, eager: eagerFront });

/** A line that is no case is a failed one. */
function failedLine({ id, area, op }: Line, fault: string): Verdict {
  return { id, area, op, optional: false, status: 'failed', checks: 0, faults: [fault], missing: [], matched: {} };
}

/** Judges every line on one front end and engine. */
export async function judgeAll(lines: readonly Line[], createFront: FrontFactory, engine: Engine): Promise<readonly Verdict[]> {
  const bench = { front: createFront(engine), engine, operations };
  const verdicts: Verdict[] = [];
  for (const line of lines) verdicts.push('fault' in line ? failedLine(line, line.fault) : await judge(line.test, bench));
  return verdicts;
}

/** Judges all lines at once, for a front end that runs what it is asked when it can. */
export async function judgeTogether(lines: readonly Line[], front: Front, engine: Pick<Engine, 'info'>): Promise<readonly Verdict[]> {
  const bench = { front, engine, operations };
  return Promise.all(lines.map((line) => ('fault' in line ? failedLine(line, line.fault) : judge(line.test, bench))));
}
