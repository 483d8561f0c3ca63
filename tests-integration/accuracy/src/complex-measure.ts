/** Complex functions in one format: the distance of a value from the exact one, beside the exact value's modulus. */
import { Builder, compileProgram, createCatalog, invariant, type Operation, tensorType } from '@tf/core';
import { createEngineSync } from '@tf/engine-cpu-wasm';
import { type Big, binade, fromFloat, minus, over, scaled, toEstimate } from './big.ts';
import { type BigComplex, complexExact, modulus } from './complex-exact.ts';
import { complexPointsOf, type ComplexPoint } from './complex-points.ts';
import { type Floats, floatsOf } from './engine.ts';
import { type FloatDType, formats } from './format.ts';

export type ComplexDType = 'complex64' | 'complex128';

export const partsOf: { readonly [D in ComplexDType]: FloatDType } = { complex64: 'float32', complex128: 'float64' };

export const complexNames: readonly string[] = Object.keys(complexExact).sort();

/** How far a value may lie from the exact one, in units of 2^−23 or 2^−52 of its modulus. */
export const complexBar = 4;

export interface ComplexMeasurement {
  readonly name: string;
  readonly dtype: ComplexDType;
  /** Points compared: those whose exact value is an ordinary number of the format. */
  readonly points: number;
  readonly worst: number;
  readonly mean: number;
  readonly at: ComplexPoint;
  readonly value: ComplexPoint;
}

/** What is done to the values of the engine before they are looked at; tests put faults in. */
export type Spoil = (values: Floats) => void;

/** Real and imaginary parts by turns. */
function valuesOf(name: string, dtype: ComplexDType, points: readonly ComplexPoint[]): Floats {
  const operation = createCatalog().operation(`tf.core.${name}`) as Operation | undefined;
  invariant(operation !== undefined, `core has no ${name}`);
  const builder = new Builder();
  const argument = builder.input(tensorType(dtype, [points.length]));
  const engine = createEngineSync();
  try {
    const [out] = engine.compile(compileProgram(builder.build(builder.emit(operation, [argument], {})))).run([{ data: floatsOf(partsOf[dtype], points.flat()), shape: [points.length] }]);
    return engine.read(out!) as Floats;
  } finally {
    engine.dispose();
  }
}

/** |value − exact| / |exact|, in units of the format. */
export function distance(dtype: ComplexDType, [re, im]: ComplexPoint, exact: BigComplex): number {
  if (!Number.isFinite(re) || !Number.isFinite(im)) return Infinity;
  const difference: BigComplex = { re: minus(fromFloat(re), exact.re), im: minus(fromFloat(im), exact.im) };
  if (difference.re.significand === 0n && difference.im.significand === 0n) return 0;
  return toEstimate(scaled(over(modulus(difference), modulus(exact)), formats[partsOf[dtype]].stored));
}

/** Neither beyond the format nor where its values are sparse. */
function isOrdinary(dtype: ComplexDType, { re, im }: BigComplex): boolean {
  const { largestExponent, stored } = formats[partsOf[dtype]];
  const top = Math.max(...[re, im].map((part: Big) => (part.significand === 0n ? -Infinity : binade(part))));
  return top < largestExponent && top > stored - largestExponent;
}

export function measureComplex(name: string, dtype: ComplexDType, count: number, spoil: Spoil = () => undefined): ComplexMeasurement {
  const drawn = complexPointsOf(name, formats[partsOf[dtype]], count);
  const compared = drawn.flatMap((point) => {
    const exact = complexExact[name]!({ re: fromFloat(point[0]), im: fromFloat(point[1]) });
    return isOrdinary(dtype, exact) ? [{ point, exact }] : [];
  });
  const values = valuesOf(name, dtype, compared.map(({ point }) => point));
  spoil(values);
  let [worst, sum, index] = [-1, 0, 0];
  const valueAt = (at: number): ComplexPoint => [values[2 * at]!, values[2 * at + 1]!];
  compared.forEach(({ exact }, at) => {
    const error = distance(dtype, valueAt(at), exact);
    sum += error;
    if (error > worst) [worst, index] = [error, at];
  });
  return { name, dtype, points: compared.length, worst, mean: sum / compared.length, at: compared[index]!.point, value: valueAt(index) };
}

export const complexText = ([re, im]: ComplexPoint): string => `${re} ${im < 0 || Object.is(im, -0) ? '−' : '+'} ${Math.abs(im)}i`;

/** The planted fault: every 64th value is wrong by 32 units, in its larger part. */
export const spoiled = (dtype: ComplexDType): Spoil => (values) => {
  for (let at = 0; at < values.length; at += 128) {
    const larger = Math.abs(values[at]!) > Math.abs(values[at + 1]!) ? at : at + 1;
    values[larger]! *= 1 + 32 * 2 ** -formats[partsOf[dtype]].stored;
  }
};

/** What is wrong with a measurement of so many points. */
export function complexComplaints({ name, dtype, points, worst, at, value }: ComplexMeasurement, promised: number): readonly string[] {
  const list: string[] = [];
  if (!(worst <= complexBar)) list.push(`${name} ${dtype}: ${worst.toFixed(3)} units at ${complexText(at)} (gives ${complexText(value)}), at most ${complexBar} are allowed`);
  if (points < promised / 2) list.push(`${name} ${dtype}: ${points} points of ${promised} have an ordinary value`);
  return list;
}

