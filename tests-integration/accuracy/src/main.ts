import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ComplexDType, complexBar, complexComplaints, type ComplexMeasurement, complexNames, complexText, measureComplex, type Spoil, spoiled } from './complex-measure.ts';
import type { FloatDType } from './format.ts';
import { arityOf, asDefined, barOf, bars, type Definition, functionNames, measure, type Measurement, planted } from './measure.ts';
import { nanosecondsOf } from './speed.ts';
import { tableText } from './table.ts';

const usage = 'pnpm accuracy [--points N] [--functions NAME,…] [--dtypes NAME,…] [--json FILE] [--table FILE] [--speed] [--fault]';

const realDTypes: readonly FloatDType[] = ['float32', 'float64'];
const complexDTypes: readonly ComplexDType[] = ['complex64', 'complex128'];
const allDTypes: readonly (FloatDType | ComplexDType)[] = [...realDTypes, ...complexDTypes];

/** Exact values of complex functions take longer, so there are fewer points of them, and their functions need fewer: nothing is tabulated. */
const fewer = 20;

interface Options {
  readonly points: number;
  readonly functions: readonly string[];
  readonly dtypes: readonly (FloatDType | ComplexDType)[];
  readonly json: string | undefined;
  readonly table: string | undefined;
  readonly speed: boolean;
  readonly definition: Definition;
  /** Puts faults into the values of complex functions. */
  readonly spoil: ((dtype: ComplexDType) => Spoil) | undefined;
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
    spoil: values.fault === true ? spoiled : undefined,
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

/** Announces what is measured next. */
function announce(name: string, dtype: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r${name} ${dtype}\x1b[K\r` : `${name} ${dtype}\n`);
}

type Timed = Measurement & { readonly nanoseconds?: number };

function measureReal({ functions, dtypes, points, definition, speed }: Options, print: (line: string) => void): readonly Timed[] {
  return functions.flatMap((name) => realDTypes.filter((dtype) => dtypes.includes(dtype)).map((dtype) => {
    announce(name, dtype);
    const measurement = measure(name, dtype, points, definition);
    const nanoseconds = speed ? nanosecondsOf(name, dtype) : undefined;
    print(row(measurement, nanoseconds));
    return nanoseconds === undefined ? measurement : { ...measurement, nanoseconds };
  }));
}

export const complexPoints = (points: number): number => Math.max(100, Math.ceil(points / fewer));

function measureAllComplex({ functions, dtypes, points, spoil }: Options, print: (line: string) => void): readonly ComplexMeasurement[] {
  return functions.filter((name) => complexNames.includes(name)).flatMap((name) => complexDTypes.filter((dtype) => dtypes.includes(dtype)).map((dtype) => {
    announce(name, dtype);
    const measurement = measureComplex(name, dtype, complexPoints(points), spoil?.(dtype));
    print(columns(name, dtype, String(measurement.points), measurement.worst.toFixed(3), measurement.mean.toFixed(3), complexText(measurement.at)));
    return measurement;
  }));
}

/** Runs the command and gives its exit code. */
export function main(args: readonly string[], print: (line: string) => void = console.log): number {
  try {
    const options = readOptions(args);
    const start = performance.now();
    print(columns('function', 'dtype', 'points', 'worst ulp', 'mean ulp', 'worst argument'));
    const results = measureReal(options, print);
    const complexResults = measureAllComplex(options, print);
    const wrong = [...results.flatMap((measurement) => complaints(measurement, options.points)), ...complexResults.flatMap((measurement) => complexComplaints(measurement, complexPoints(options.points)))];
    const total = [...results, ...complexResults].reduce((sum, { points }) => sum + points, 0);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ points: total, bars: { ...bars, complex: complexBar }, results: [...results, ...complexResults], complaints: wrong }, null, 2)}\n`);
    if (options.table !== undefined) writeFileSync(options.table, tableText({ real: results, complex: complexResults }, wrong));
    for (const line of wrong) print(line);
    print(`${results.length + complexResults.length} functions, ${total} points in ${((performance.now() - start) / 1000).toFixed(0)} s: ${wrong.length === 0 ? 'all within' : `${wrong.length} complaints;`} float32 ≤ ${bars.float32} ulp, float64 ≤ ${bars.float64} ulp, complex ≤ ${complexBar} units`);
    return wrong.length === 0 ? 0 : 1;
  } catch (thrown) {
    print(`accuracy: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    const isUsage = thrown instanceof UsageError || (thrown as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    if (isUsage) print(`usage: ${usage}`);
    return isUsage ? 2 : 1;
  }
}
