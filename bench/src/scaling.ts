/** The group scaling: how cost grows, with the length of programs, the elements of tensors and the tensors of a chain. */
import { memberNames, ringReference } from './networks.ts';
import type { Row } from './report.ts';
import { median } from './statistics.ts';

/** `program …`: y = y·x + x until so many operations are done, and its gradient: to be built, to be compiled, to be run. */
export type ScalingTask = 'program transform' | 'program compile' | 'program run' | 'matrix chain gradients';

/** A workload of a series: the same with another size. */
export interface SeriesPlace {
  /** What grows how: `gradient of a chain, compile`. */
  readonly name: string;
  /** What is counted: `operations`. */
  readonly of: string;
  readonly at: number;
}

export const programLengths = [10, 100, 1000, 10_000, 100_000] as const;
export const elementCounts = [1e3, 1e4, 1e5, 1e6, 1e7] as const;
export const chainLengths = [10, 30, 100, 300] as const;
const chainExtent = 16;
const vectorLength = 64;

/** Undefined where the task is none of these. */
export function scalingInputs<I>(task: string, size: number, uniform: (shape: readonly number[], low: number, high: number) => I): Readonly<Record<string, I>> | undefined {
  if (task.startsWith('program')) return { x: uniform([vectorLength], -0.9, 0.9) };
  if (task !== 'matrix chain gradients') return undefined;
  const bound = Math.sqrt(3 / chainExtent);
  return Object.fromEntries(memberNames(size).map((name) => [name, uniform([chainExtent, chainExtent], -bound, bound)]));
}

/** d/dx of Σ y, and the trace of the product of the matrices with its gradients, by plain loops. */
export function scalingReference(task: ScalingTask, inputs: Readonly<Record<string, { readonly values: Float64Array }>>, size: number, product: Parameters<typeof ringReference>[2]): Float64Array {
  const valuesOf = (name: string): Float64Array => (inputs[name] as { readonly values: Float64Array }).values;
  if (task === 'matrix chain gradients') return Float64Array.from(ringReference(memberNames(size).map(valuesOf), chainExtent, product).flatMap((part) => [...part]));
  return valuesOf('x').map((x) => {
    let [y, slope] = [x, 1];
    for (let done = 0; done < size; done += 2) [y, slope] = [y * x + x, slope * x + y + 1];
    return slope;
  });
}

/** How the cost of a contender grows along a series: as size^`exponent`. */
export interface Growth {
  readonly series: string;
  readonly of: string;
  readonly contender: string;
  readonly from: number;
  readonly to: number;
  /** The slope of the line through the logarithms that has the least squared error. */
  readonly exponent: number;
  /** The same between the last two sizes: what small sizes cost at least does not count there. */
  readonly lastExponent: number;
}

/** The growth of every series and contender with three sizes or more. */
export function growthsOf(rows: readonly Row[]): readonly Growth[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.series === undefined || row.outcome !== 'measured') continue;
    const key = `${row.series.name}\n${row.contender}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].filter((group) => group.length >= 3).map((group): Growth => {
    const sorted = [...group].sort((a, b) => sizeOf(a) - sizeOf(b));
    const points = sorted.map((row): Point => [Math.log(sizeOf(row)), Math.log(median(row.samples))]);
    const { name, of } = (sorted[0] as Row).series as SeriesPlace;
    return { series: name, of, contender: (sorted[0] as Row).contender, from: sizeOf(sorted[0] as Row), to: sizeOf(sorted[sorted.length - 1] as Row), exponent: slope(points), lastExponent: slope(points.slice(-2)) };
  });
}

type Point = readonly [number, number];

function sizeOf({ series }: Row): number {
  return (series as SeriesPlace).at;
}

function slope(points: readonly Point[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  return points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

/** `gradient of a chain, compile: tf traced grows as operations^0.98 from 10 to 100000, ^1.01 at the end`. */
export function growthText({ series, of, contender, from, to, exponent, lastExponent }: Growth): string {
  return `${series}: ${contender} grows as ${of}^${exponent.toFixed(2)} from ${from} to ${to}, ^${lastExponent.toFixed(2)} at the end`;
}
