import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Engine } from '@tf/core';
import { fuzz, type FuzzResult } from './fuzz.ts';
import { report, summary } from './report.ts';
import { createSubject } from './subject.ts';

const usage = 'pnpm fuzz --programs N --seed S [--from INDEX] [--only INDEX] [--engine NAME] [--shrink-time MS] [--json FILE]';

interface Options {
  readonly programs: number;
  readonly seed: number;
  readonly from: number;
  readonly only: number | undefined;
  readonly engine: string;
  readonly shrinkTime: number;
  readonly json: string | undefined;
}

/** Wrong use of the command. */
class UsageError extends Error {}

async function openEngine(name: string): Promise<Engine> {
  switch (name) {
    case 'cpu-wasm':
      return (await import('@tf/engine-cpu-wasm')).createEngine();
    case 'cpu-blas-native':
      return (await import('@tf/engine-cpu-blas-native')).createEngine({ threads: 1 });
    default:
      throw new UsageError(`--engine is cpu-wasm or cpu-blas-native, got ${name}`);
  }
}

function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { programs: text, seed: text, from: text, only: text, engine: text, 'shrink-time': text, json: text }, strict: true, allowPositionals: false });
  const whole = (name: string, value: string | undefined, least: number): number => {
    const number = Number(value);
    if (value === undefined || !Number.isInteger(number) || number < least) throw new UsageError(`--${name} needs a whole number from ${least}, got ${String(value)}`);
    return number;
  };
  const programs = whole('programs', values.programs ?? (values.only === undefined ? undefined : '1'), 1);
  const from = whole('from', values.from ?? '0', 0);
  if (from >= programs) throw new UsageError(`--from ${from} leaves none of ${programs} programs`);
  return {
    programs,
    from,
    seed: whole('seed', values.seed, 0),
    only: values.only === undefined ? undefined : whole('only', values.only, 0),
    engine: values.engine ?? 'cpu-wasm',
    shrinkTime: whole('shrink-time', values['shrink-time'] ?? '10000', 0),
    json: values.json,
  };
}

/** On a terminal one line that is written over, elsewhere a line now and then and one per disagreement: a long run is seen to go on, and what it found. */
function progressLine(programs: number): (done: number, disagreements: number) => void {
  const { stderr } = process;
  const every = stderr.isTTY ? 20 : 500;
  let known = 0;
  return (done, disagreements) => {
    if (!stderr.isTTY && disagreements > known) stderr.write(`program ${done - 1} disagrees\n`);
    known = disagreements;
    if (done % every !== 0 && done !== programs) return;
    const isLast = !stderr.isTTY || done === programs;
    stderr.write(`${stderr.isTTY ? '\r' : ''}${done} of ${programs} programs, ${disagreements} disagreements${isLast ? '\n' : ''}`);
  };
}

/**
 * In how many programs every operation has to be: half as many as its step was dealt to for certain, as a step that was dealt may find
 * nothing to work on. A run that is too short for a round of the decks promises nothing.
 */
export function demandedOf({ rounds }: Pick<FuzzResult, 'rounds'>): number {
  return Math.floor(rounds / 2);
}

/** Runs the command and gives its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    const subject = createSubject({ engine: await openEngine(options.engine) });
    const start = performance.now();
    const result: FuzzResult = await fuzz(subject, { programs: options.programs, seed: options.seed, from: options.only === undefined ? options.from : 0, shrinkTime: options.shrinkTime, progress: progressLine(options.programs), ...(options.only === undefined ? {} : { only: options.only }) });
    const bar = options.only === undefined ? demandedOf(result) : 0;
    const { lines, ok } = report(result, { catalog: subject.catalog, seed: options.seed, bar, runs: subject.machine.runs, seconds: (performance.now() - start) / 1000 });
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(summary(result, options.seed), null, 2)}\n`);
    for (const line of lines) console.log(line);
    return ok ? 0 : 1;
  } catch (thrown) {
    console.log(`fuzz: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    const isUsage = thrown instanceof UsageError || (thrown as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    console.log(isUsage ? usage : cause instanceof Error ? cause.stack : '');
    return 1;
  }
}
