import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { FloatDType } from './format.ts';
import { arityOf, asDefined, barOf, bars, type Definition, functionNames, measure, type Measurement, planted } from './measure.ts';
import { nanosecondsOf } from './speed.ts';
import { tableText } from './table.ts';

const usage = 'pnpm accuracy [--points N] [--functions NAME,…] [--dtypes NAME,…] [--json FILE] [--table FILE] [--speed] [--fault]';

const allDTypes: readonly FloatDType[] = ['float32', 'float64'];

interface Options {
  readonly points: number;
  readonly functions: readonly string[];
  readonly dtypes: readonly FloatDType[];
  readonly json: string | undefined;
  readonly table: string | undefined;
  readonly speed: boolean;
  readonly definition: Definition;
}

/** Wrong use of the command. */
class UsageError extends Error {}

function readOptions(args: readonly string[]): Options {
  const [string, boolean] = [{ type: 'string' } as const, { type: 'boolean' } as const];
  const options = { points: string, functions: string, dtypes: string, json: string, table: string, speed: boolean, fault: boolean };
  const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  const points = Number(values.points ?? 100_000);
  if (!Number.isInteger(points) || points < 100) throw new UsageError(`--points needs a whole number from 100, got ${values.points}`);
  return {
    points,
    functions: chosen('functions', values.functions, functionNames),
    dtypes: chosen('dtypes', values.dtypes, allDTypes),
    json: values.json,
    table: values.table,
    speed: values.speed ?? false,
    definition: values.fault === true ? planted : asDefined,
  };
}

function chosen<Name extends string>(option: string, text: string | undefined, known: readonly Name[]): readonly Name[] {
  const names = text?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name as Name));
  if (unknown.length > 0) throw new UsageError(`--${option} has no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return names as readonly Name[];
}

const columns = (...cells: readonly string[]): string => cells.map((cell, i) => (i < 2 || i > 4 ? cell.padEnd(9) : cell.padStart(10))).join(' ').trimEnd();

function row({ name, dtype, points, worst, mean, at }: Measurement, nanoseconds: number | undefined): string {
  const argument = arityOf(name) === 2 ? at.join(', ') : String(at[0]);
  return columns(name, dtype, String(points), worst.toFixed(3), mean.toFixed(3), argument, nanoseconds === undefined ? '' : `${nanoseconds.toFixed(2)} ns`);
}

/** What is wrong with a measurement of so many points. */
export function complaints(measurement: Measurement, promised: number): readonly string[] {
  const { name, dtype, points, worst, at, value, faults } = measurement;
  const list = [...faults];
  if (!(worst <= barOf(name, dtype))) list.push(`${name} ${dtype}: ${worst.toFixed(3)} ulp at ${at.join(', ')} (gives ${value}), at most ${barOf(name, dtype)} are allowed`);
  if (points < promised) list.push(`${name} ${dtype}: ${points} points instead of ${promised}`);
  return list;
}

/** Runs the command and gives its exit code. */
export function main(args: readonly string[], print: (line: string) => void = console.log): number {
  try {
    const options = readOptions(args);
    const start = performance.now();
    print(columns('function', 'dtype', 'points', 'worst ulp', 'mean ulp', 'worst argument'));
    const results: (Measurement & { readonly nanoseconds?: number })[] = [];
    for (const name of options.functions) {
      for (const dtype of options.dtypes) {
        process.stderr.write(process.stderr.isTTY ? `\r${name} ${dtype}\x1b[K\r` : `${name} ${dtype}\n`);
        const measurement = measure(name, dtype, options.points, options.definition);
        const nanoseconds = options.speed ? nanosecondsOf(name, dtype) : undefined;
        results.push(nanoseconds === undefined ? measurement : { ...measurement, nanoseconds });
        print(row(measurement, nanoseconds));
      }
    }
    const wrong = results.flatMap((measurement) => complaints(measurement, options.points));
    const total = results.reduce((sum, { points }) => sum + points, 0);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ points: total, bars, results, complaints: wrong }, null, 2)}\n`);
    if (options.table !== undefined) writeFileSync(options.table, tableText(results, wrong));
    for (const line of wrong) print(line);
    print(`${results.length} functions, ${total} points in ${((performance.now() - start) / 1000).toFixed(0)} s: ${wrong.length === 0 ? 'all within' : `${wrong.length} complaints;`} float32 ≤ ${bars.float32} ulp, float64 ≤ ${bars.float64} ulp`);
    return wrong.length === 0 ? 0 : 1;
  } catch (thrown) {
    print(`accuracy: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    const isUsage = thrown instanceof UsageError || (thrown as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    if (isUsage) print(`usage: ${usage}`);
    return isUsage ? 2 : 1;
  }
}
