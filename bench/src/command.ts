import { readFileSync, writeFileSync } from 'node:fs';
import { type BenchOptions, readArguments, usage, UsageError } from './arguments.ts';
import { checkOutBase, usualBase } from './base.ts';
import { type Bench, runBench } from './bench.ts';
import { checkedSources, comparisonTable, slowdowns } from './check.ts';
import { repositoryFolder } from './places.ts';
import { printReport } from './print.ts';
import { createProgress, type ProgressStream } from './progress.ts';
import { withTable } from './readme.ts';
import { readResults, writeJson, writeResults } from './results.ts';
import { serve } from './serve.ts';

/** What the command works on. */
export interface World extends Omit<Bench, 'onProgress'> {
  readonly readmePath: string;
  readonly resultsFolder: string;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly progress: ProgressStream;
}

/** Runs the command and gives its exit code. */
export async function runCommand(args: readonly string[], world: World): Promise<number> {
  try {
    const read = readArguments(args, world.peers.map(({ name }) => name));
    if (read.command === 'run') return await measure(read.options, world);
    if (read.command === 'check') return await check(read.options, read.base, world);
    if (read.command === 'serve') {
      await serve([...world.own, ...world.peers].find(({ name }) => name === read.contender), world.workloads, process.stdin, (line) => process.stdout.write(line));
      return 0;
    }
    if (read.command !== 'help') return writeTable(read.command === 'check-table', world);
    world.print(usage);
    return 0;
  } catch (error) {
    world.complain(error instanceof UsageError ? error.message : String(error instanceof Error ? error.stack : error));
    return 1;
  }
}

async function measure(options: BenchOptions, world: World): Promise<number> {
  const progress = createProgress(world.progress);
  const { report, failures } = await runBench({ ...world, onProgress: progress.say }, options).finally(progress.end);
  world.print(printReport(report));
  if (options.json === undefined) world.print(`\nwritten: ${writeResults(world.resultsFolder, report).join(', ')}`);
  else writeJson(options.json, report);
  for (const failure of failures) world.complain(`✗ ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

/** This checkout against another commit. */
async function check(options: BenchOptions, revision: string | undefined, world: World): Promise<number> {
  const progress = createProgress(world.progress);
  const base = checkOutBase(revision ?? usualBase(), progress.say);
  const own = checkedSources([...world.own, ...world.peers], base.folder, repositoryFolder);
  const { report, failures } = await runBench({ ...world, own, peers: [], onProgress: progress.say }, options).finally(progress.end);
  world.print(comparisonTable(report, { base: base.commit, head: report.commit }));
  if (options.json !== undefined) writeJson(options.json, report);
  const found = [...failures, ...report.absent.map(({ name, reason }) => `${name} is absent: ${reason}`), ...slowdowns(report.rows)];
  for (const failure of found) world.complain(`✗ ${failure}`);
  return found.length === 0 ? 0 : 1;
}

function writeTable(onlyCheck: boolean, { readmePath, resultsFolder, workloads, print, complain }: World): number {
  const present = readFileSync(readmePath, 'utf8');
  const wanted = withTable(present, readResults(resultsFolder), workloads);
  if (wanted === present) {
    print('the table of README.md says what bench/results says');
    return 0;
  }
  if (onlyCheck) complain('✗ the table of README.md is not what bench/results says. Run pnpm bench --table.');
  else {
    writeFileSync(readmePath, wanted);
    print('the table of README.md was written from bench/results');
  }
  return onlyCheck ? 1 : 0;
}
