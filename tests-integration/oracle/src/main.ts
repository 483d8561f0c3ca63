import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { countRuns, openEngine } from './engines.ts';
import { countsOf, heldBack, report } from './report.ts';
import { fronts, judgeAll } from './run.ts';
import type { EngineInfo } from '@tf/core';
import { exportName, judgeExported } from './exported.ts';
import type { Verdict } from './judge.ts';
import { areasOf, type Line, loadSet, SetError } from './set.ts';

const usage = 'pnpm oracle --dir DIR [--area ops,ad] [--op PREFIX] --engine NAME --front traced|eager [--json FILE]';

interface Options {
  readonly dir: string;
  readonly areas: readonly string[];
  readonly prefix: string;
  readonly engine: string;
  readonly front: string;
  readonly json: string | undefined;
}

/** Wrong use of the command. */
class UsageError extends Error {}

function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { dir: text, area: text, op: text, engine: text, front: text, json: text }, strict: true, allowPositionals: false });
  const { dir, engine, front, area, op = '', json } = values;
  if (dir === undefined || engine === undefined || front === undefined) throw new UsageError('--dir, --engine and --front are needed');
  if (!Object.hasOwn(fronts, front)) throw new UsageError(`there is no front end ${front}; there are ${Object.keys(fronts).join(', ')}`);
  const areas = area === undefined ? areasOf(dir) : area.split(',').map((name) => name.trim()).filter((name) => name !== '');
  return { dir, areas, prefix: op, engine, front, json };
}

interface Judged {
  readonly verdicts: readonly Verdict[];
  readonly info: EngineInfo;
  readonly runs: number;
}

function absent(engineName: string, thrown: unknown): never {
  throw new SetError(`the engine ${engineName} is absent: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
}

async function judgeOn(engineName: string, front: string, lines: readonly Line[]): Promise<Judged> {
  if (engineName === exportName) {
    if (front !== 'traced') throw new UsageError(`${exportName} runs exported programs, and eager mode has none: --front traced`);
    return judgeExported(lines).catch((thrown: unknown) => absent(engineName, thrown));
  }
  const engine = await openEngine(engineName).catch((thrown: unknown) => absent(engineName, thrown));
  const counter = countRuns(engine);
  const verdicts = await judgeAll(lines, fronts[front] as (typeof fronts)[string], engine);
  return { verdicts, info: engine.info, runs: counter.runs };
}

async function run({ dir, areas, prefix, engine: engineName, front, json }: Options): Promise<number> {
  const { lines, verified } = loadSet({ dir, areas, prefix });
  const { verdicts, info, runs } = await judgeOn(engineName, front, lines);
  const required = verdicts.filter(({ optional }) => !optional);
  if (json !== undefined) {
    const summary = { front, engine: info, runs, counts: countsOf(required), optional: countsOf(verdicts.filter(({ optional }) => optional)), heldBack: heldBack(verdicts), cases: verdicts };
    writeFileSync(json, `${JSON.stringify(summary, null, 2)}\n`);
  }
  for (const line of report(verdicts, { front, engine: engineName, runs, verified })) console.log(line);
  return countsOf(required).failed > 0 ? 1 : 0;
}

/** Runs the command and gives its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(readOptions(args));
  } catch (thrown) {
    console.log(`oracle: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    const isUsage = thrown instanceof UsageError || (thrown as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    if (isUsage) console.log(usage);
    else if (!(thrown instanceof SetError)) console.log(thrown instanceof Error ? thrown.stack : '');
    return 1;
  }
}
