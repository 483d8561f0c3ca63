import { type Contender, isUnsupported, type Prepared } from './contender.ts';
import { relativeError } from './judge.ts';
import { elapsed, settle, type Timing, warmUp } from './measure.ts';
import { baselineOf, referenceOf } from './references.ts';
import type { Row } from './report.ts';
import { leastSamples } from './statistics.ts';
import { type Inputs, inputsOf, type Workload } from './workloads.ts';

export interface RunOptions {
  readonly samples: number;
  readonly timing: Timing;
  /** Told what happens next. */
  readonly onProgress: (text: string) => void;
}

/** A contender whose result is right and that is warm. */
interface Entrant {
  readonly row: Row;
  readonly prepared: Prepared;
  readonly repetitions: number;
  /** How long the first run took. */
  readonly firstMilliseconds: number;
}

/** All contenders on one workload: each is checked and warmed up, then they take turns until each has its samples. */
export async function runWorkload(workload: Workload, contenders: readonly Contender[], options: RunOptions): Promise<readonly Row[]> {
  const inputs = inputsOf(workload);
  const reference = referenceOf(workload, inputs);
  const baseline = baselineOf(workload, inputs);
  const entered: (Row | Entrant)[] = [];
  const takesPart = ({ groups, kind }: Contender): boolean => (groups?.includes(workload.group) ?? true) && (workload.own !== true || kind === 'tf' || kind === 'native');
  for (const contender of contenders.filter(takesPart)) {
    options.onProgress(`${workload.name}: ${contender.name}: check and warm-up`);
    entered.push(await enter(workload, contender, inputs, (found) => relativeError(found, reference, baseline), options.timing));
  }
  const entrants = entered.filter(isEntrant);
  const samples = await takeTurns(workload, entrants, options);
  for (const { prepared } of entrants) prepared.dispose?.();
  return entered.map((entry) => (isEntrant(entry) ? { ...entry.row, samples: samples.get(entry) ?? [], repetitions: entry.repetitions } : entry));
}

function isEntrant(entry: Row | Entrant): entry is Entrant {
  return 'prepared' in entry;
}

async function enter(workload: Workload, contender: Contender, inputs: Inputs, errorOf: (found: ArrayLike<number>) => number, timing: Timing): Promise<Row | Entrant> {
  const { name, group, unit, amount, tolerance } = workload;
  const row: Row = { workload: name, group, contender: contender.name, kind: contender.kind, unit, amount, outcome: 'measured', samples: [], ...(workload.series === undefined ? {} : { series: workload.series }) };
  try {
    const prepared = await contender.prepare(workload, inputs);
    if (isUnsupported(prepared)) return { ...row, outcome: 'unsupported', reason: prepared.unsupported };
    const checked = { ...row, amount: prepared.amount ?? amount };
    const first = await elapsed(prepared, 1);
    const found = await prepared.result();
    const error = found === undefined ? undefined : errorOf(found);
    if (error !== undefined && !(error <= tolerance)) {
      prepared.dispose?.();
      return { ...checked, outcome: 'wrong', relativeError: error, reason: `wrong: relative error ${error.toExponential(1)}, allowed ${tolerance}` };
    }
    // A first run as long as this has warmed up what there is.
    const repetitions = first > 5 * timing.warmUpMilliseconds ? 1 : await warmUp(prepared, timing);
    return { row: error === undefined ? checked : { ...checked, relativeError: error }, prepared, repetitions, firstMilliseconds: first };
  } catch (error) {
    return { ...row, outcome: 'unsupported', reason: `threw: ${firstLine(error)}` };
  }
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] as string).slice(0, 200);
}

/** Round robin; each round begins with another contender. */
async function takeTurns({ name }: Workload, entrants: readonly Entrant[], { samples, onProgress }: RunOptions): Promise<ReadonlyMap<Entrant, readonly number[]>> {
  const taken = new Map<Entrant, number[]>(entrants.map((entrant) => [entrant, []]));
  for (let round = 0; round < samples; round++) {
    for (let turn = 0; turn < entrants.length; turn++) {
      const entrant = entrants[(round + turn) % entrants.length] as Entrant;
      if (round >= leastSamples && entrant.firstMilliseconds > 1000) continue;
      onProgress(`${name}: ${entrant.row.contender}: sample ${round + 1}/${samples}`);
      await settle();
      // Another contender's data is in the caches by now.
      if (entrant.repetitions > 1) await elapsed(entrant.prepared, 1);
      taken.get(entrant)?.push((await elapsed(entrant.prepared, entrant.repetitions)) / entrant.repetitions);
    }
  }
  return taken;
}
