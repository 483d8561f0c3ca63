import { parseArgs } from 'node:util';
import { leastSamples } from './statistics.ts';
import { type GroupName, groupNames } from './workloads.ts';

export interface BenchOptions {
  readonly groups: readonly GroupName[];
  /** Peers that must run; undefined for all that are there. */
  readonly peers: readonly string[] | undefined;
  readonly json: string | undefined;
  readonly samples: number;
  readonly twice: boolean;
}

export type Command =
  | { readonly command: 'run'; readonly options: BenchOptions }
  | { readonly command: 'check'; readonly options: BenchOptions; readonly base: string | undefined }
  | { readonly command: 'serve'; readonly contender: string }
  | { readonly command: 'table' | 'check-table' | 'help' };

/** A command line that makes no sense: what is wrong, and how it is meant. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${usage}`);
    this.name = 'UsageError';
  }
}

const usualSamples = 9;

export const usage: string = `pnpm bench [options]
  --group ${groupNames.join(',')}   which workloads (default: all)
  --peers NAME,...   only these beside tf, and fail when one did not run; none for tf alone (default: all that are there)
  --samples N        samples of each contender (default ${usualSamples}, at least ${leastSamples}; ${leastSamples} of one that takes more than a second)
  --twice            run everything twice and fail when medians differ by more than the noise stated
  --json FILE        write the results there, and no chart (default: bench/results/GROUP.json and GROUP.svg)
  --check            measure this checkout and another commit in turns, print a table, and fail when something is slower
  --base COMMIT      that commit (default: where this branch left origin/main, or the last one)
  --table            write the table of README.md from bench/results
  --check-table      fail when that table differs
  --help`;

const accepted = {
  group: { type: 'string' },
  peers: { type: 'string' },
  samples: { type: 'string', default: String(usualSamples) },
  twice: { type: 'boolean', default: false },
  json: { type: 'string' },
  check: { type: 'boolean', default: false },
  base: { type: 'string' },
  serve: { type: 'string' },
  table: { type: 'boolean', default: false },
  'check-table': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the command line. `peerNames` are those there are. */
export function readArguments(args: readonly string[], peerNames: readonly string[]): Command {
  const values = parse(args);
  if (values.help) return { command: 'help' };
  if (values.table && values['check-table']) throw new UsageError('--table writes the table and --check-table only looks at it: give one of them.');
  if (values.table || values['check-table']) return { command: values.table ? 'table' : 'check-table' };
  if (values.serve !== undefined) return { command: 'serve', contender: values.serve };
  if (values.base !== undefined && !values.check) throw new UsageError('--base says what --check compares with: give both.');
  const options = readOptions(values, peerNames);
  return values.check ? { command: 'check', options: { ...options, peers: [] }, base: values.base } : { command: 'run', options };
}

function readOptions(values: Values, peerNames: readonly string[]): BenchOptions {
  return {
    groups: values.group === undefined ? groupNames : groupNames.filter((name) => listed('--group', values.group as string, groupNames).includes(name)),
    peers: values.peers === undefined ? undefined : values.peers === 'none' ? [] : listed('--peers', values.peers, peerNames),
    json: values.json,
    samples: readSamples(values.samples),
    twice: values.twice,
  };
}

type Values = ReturnType<typeof parseArgs<{ options: typeof accepted }>>['values'];

function parse(args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options: accepted }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function listed<T extends string>(option: string, text: string, known: readonly T[]): readonly T[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!known.includes(name as T)) throw new UsageError(`${option}: ${JSON.stringify(name)} is none of ${known.join(', ')}.`);
  }
  return names as T[];
}

function readSamples(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= leastSamples && value <= 1000) return value;
  throw new UsageError(`--samples: ${JSON.stringify(text)} is no whole number from ${leastSamples} to 1000.`);
}
