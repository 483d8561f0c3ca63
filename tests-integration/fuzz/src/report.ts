import { type Catalog, dtypes } from '@tf/core';
import { checkNames } from './checks/check.ts';
import { operationsOf, type Tally } from './coverage.ts';
import type { Found, FuzzResult } from './fuzz.ts';

export interface ReportOptions {
  readonly catalog: Catalog;
  readonly seed: number;
  /** Every operation has to be in so many programs. */
  readonly bar: number;
  readonly runs: number;
  readonly seconds: number;
}

export interface Report {
  readonly lines: readonly string[];
  readonly ok: boolean;
}

/** What the command prints: coverage, what was skipped, what disagreed, and the line that counts. */
export function report(result: FuzzResult, options: ReportOptions): Report {
  const { coverage, found, disagreements } = result;
  const { catalog, bar, seed } = options;
  const missing = coverage.missing(catalog, bar);
  const lines = [
    'programs by operation and dtype of its result (of its first operand where that is a boolean); compared: with differences; gradients: programs of gradients',
    ...operationTable(result, catalog),
    '',
    `shapes: ${tallyText(coverage.shapes)}`,
    `values: ${tallyText(coverage.regimes)}`,
    `instructions: ${[...coverage.lengths.counts].sort(([a], [b]) => parseInt(a) - parseInt(b)).map(([name, count]) => `${name}: ${count}`).join(', ')}`,
    `steps: ${tallyText(coverage.steps)}`,
    ...checkNames.map((name) => `${name}: ${tallyText(coverage.checks[name])}`),
    `${options.runs} engine runs of programs and instructions, ${options.seconds.toFixed(1)} s`,
    bar > 0 ? `every operation is to be in ${bar} programs or more` : 'too few programs to ask that every operation be among them',
    ...found.flatMap((one) => foundText(one, seed)),
    ...missing.map((id) => `too rare: ${id} in ${coverage.operations.of(id)} programs, at least ${bar} are wanted`),
    `${coverage.programs} programs, ${disagreements} disagreements`,
  ];
  return { lines, ok: disagreements === 0 && missing.length === 0 };
}

function operationTable({ coverage }: FuzzResult, catalog: Catalog): readonly string[] {
  const columns = (['float64', 'float32', 'complex128', 'complex64', 'int32', 'int64', 'bool'] as const).map((dtype) => dtypes[dtype].short);
  const row = (cells: readonly (string | number)[]): string => cells.map((cell, at) => (at === 0 ? String(cell).padEnd(24) : String(cell).padStart(9))).join(' ');
  return [
    row(['operation', 'programs', ...columns, 'compared', 'gradients']),
    ...operationsOf(catalog).map((id) => row([id, coverage.operations.of(id), ...columns.map((short) => coverage.dtypes.of(`${id} ${short}`)), coverage.compared.of(id), coverage.inGradients.of(id)])),
  ];
}

function tallyText(tally: Tally): string {
  return [...tally.counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`).join(', ');
}

function foundText({ check, what, index, program, inputs, shrunk }: Found, seed: number): readonly string[] {
  return ['', `DISAGREEMENT (${check}) in program ${index}: ${what}`, shrunk ? 'the smallest program found that fails this check:' : 'the program:', program, ...inputs.map((input) => `  ${input}`), `repeat: pnpm fuzz --seed ${seed} --only ${index}`, ''];
}

/** The same as data. */
export function summary({ coverage, found, disagreements }: FuzzResult, seed: number): unknown {
  return { seed, programs: coverage.programs, disagreements, found, coverage };
}
