/** One function in one format: points, values of the engine, exact values, the worst error. */
import { loop, type ScalarExpr } from '@tf/core';
import { fromFloat } from './big.ts';
import { evaluatorOf, type Floats, floatsOf } from './engine.ts';
import { exact, leastMagnitude } from './exact.ts';
import { errorInUlps, type FloatDType, formats, roundTo } from './format.ts';
import { isInDomain, type Point, pointsOf } from './points.ts';
import { specials } from './specials.ts';

/** What stands for a function of the loop language; tests put wrong ones in. */
export type Definition = (name: string, args: readonly ScalarExpr[]) => ScalarExpr;

export const asDefined: Definition = (name, args) => (name === 'sqrt' ? loop.sqrt(args[0]!) : loop.call(name, args[0]!.type, ...args));

/** Every function that is measured: those of the loop language, and its root. */
export const functionNames: readonly string[] = [...Object.keys(loop.functions), 'sqrt'].sort();

export const bars: { readonly [D in FloatDType]: number } = { float32: 2, float64: 4 };

/** Functions that stand between the others and their derivatives have the wider bar in both formats. */
export const barOf = (name: string, dtype: FloatDType): number => (name === 'lgamma' || name === 'digamma' ? bars.float64 : bars[dtype]);

export interface Measurement {
  readonly name: string;
  readonly dtype: FloatDType;
  /** Points compared with the exact value, special ones included. */
  readonly points: number;
  readonly specials: number;
  readonly worst: number;
  readonly mean: number;
  readonly at: Point;
  readonly value: number;
  /** What is wrong beside the errors: special values, and vectors that differ from single elements. */
  readonly faults: readonly string[];
}

const text = (name: string, dtype: FloatDType, point: Point): string => `${name}(${arityOf(name) === 1 ? point[0] : point.join(', ')}) ${dtype}`;

export const arityOf = (name: string): number => (name === 'sqrt' ? 1 : loop.functions[name]!.arity);

function specialPoints(name: string, dtype: FloatDType): readonly { readonly point: Point; readonly expected: number }[] {
  const format = formats[dtype];
  return specials[name]!.map((row) => ({ point: [roundTo(format, row[0]!), row.length > 2 ? row[1]! : 0], expected: row.at(-1)! }));
}

export function measure(name: string, dtype: FloatDType, count: number, definition: Definition = asDefined): Measurement {
  const special = specialPoints(name, dtype);
  const drawn = pointsOf(name, formats[dtype], count);
  const all = [...drawn, ...special.map(({ point }) => point)];
  // An odd number: the last elements do not fill a vector.
  if (all.length % 2 === 0) all.push([1, 1]);
  const arity = arityOf(name);
  const evaluator = evaluatorOf(dtype, arity, all.length, (...args) => definition(name, args));
  const operands = Array.from({ length: arity }, (_, i) => floatsOf(dtype, all.map((point) => point[i]!)));
  const values = evaluator.vectors(operands);
  const faults = [...differences(name, dtype, all, values, evaluator.scalars(operands))];
  evaluator.dispose();
  special.forEach(({ point, expected }, i) => {
    const value = values[drawn.length + i]!;
    if (!Object.is(value, expected)) faults.push(`${text(name, dtype, point)} is ${Object.is(value, -0) ? '-0' : value}, not ${Object.is(expected, -0) ? '-0' : expected}`);
  });
  return { name, dtype, points: drawn.length + special.length, specials: special.length, faults, ...worstOf(name, dtype, drawn, values) };
}

/** Vectors and single elements give the same bits; NaN is NaN. */
function differences(name: string, dtype: FloatDType, all: readonly Point[], values: Floats, scalars: Floats): readonly string[] {
  const at = all.findIndex((_, i) => !Object.is(values[i], scalars[i]));
  return at < 0 ? [] : [`${text(name, dtype, all[at]!)} is ${values[at]} in a vector and ${scalars[at]} alone`];
}

function worstOf(name: string, dtype: FloatDType, points: readonly Point[], values: Floats): Pick<Measurement, 'worst' | 'mean' | 'at' | 'value'> {
  let [worst, sum, index] = [-1, 0, 0];
  points.forEach((point, i) => {
    const error = errorAt(name, dtype, point, values[i]!);
    sum += error;
    if (error > worst) [worst, index] = [error, i];
  });
  return { worst, mean: sum / points.length, at: points[index]!, value: values[index]! };
}

export function errorAt(name: string, dtype: FloatDType, point: Point, value: number): number {
  if (!isInDomain(name, point)) return Number.isNaN(value) ? 0 : Infinity;
  const [x, y] = [fromFloat(point[0]), fromFloat(point[1])];
  return errorInUlps(formats[dtype], value, exact[name]!(x, y), leastMagnitude[name]?.(x, y));
}

/** The function, but where the last six bits of the argument are 0, the last bits of the result are turned: 15 ulps at most. */
export const planted: Definition = (name, args) => {
  const value = asDefined(name, args);
  const bits = value.type === 'f64' ? 'i64' : 'i32';
  const last = loop.and(loop.bitcast(bits, args[0]!), loop.constant(bits, 63));
  const wrong = loop.bitcast(value.type, loop.xor(loop.bitcast(bits, value), loop.constant(bits, 15)));
  return loop.select(loop.and(loop.eq(last, loop.constant(bits, 0)), loop.eq(value, value)), wrong, value);
};
