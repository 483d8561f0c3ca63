/** Floats as points of a line, and errors in units of the last place. */
import { type Big, big, binade, fromFloat, isBelow, minus, scaled, shifted } from './big.ts';

export type FloatDType = 'float32' | 'float64';

export interface Format {
  readonly dtype: FloatDType;
  readonly type: 'f32' | 'f64';
  /** Stored bits of the significand. */
  readonly stored: number;
  readonly largestExponent: number;
  /** Bits of +∞: the number of finite values from +0 on. */
  readonly infinity: bigint;
  readonly lanes: number;
}

export const formats: { readonly [D in FloatDType]: Format } = {
  float32: { dtype: 'float32', type: 'f32', stored: 23, largestExponent: 127, infinity: 0x7f800000n, lanes: 4 },
  float64: { dtype: 'float64', type: 'f64', stored: 52, largestExponent: 1023, infinity: 0x7ff0000000000000n, lanes: 2 },
};

const view = new DataView(new ArrayBuffer(8));

/** The value with these bits, of either sign. */
export function fromBits(format: Format, magnitude: bigint, isNegative = false): number {
  if (format.type === 'f64') view.setBigUint64(0, magnitude);
  else view.setUint32(0, Number(magnitude));
  const value = format.type === 'f64' ? view.getFloat64(0) : view.getFloat32(0);
  return isNegative ? -value : value;
}

/** Bits of a magnitude. */
export function bitsOf(format: Format, x: number): bigint {
  if (format.type === 'f64') view.setFloat64(0, Math.abs(x));
  else view.setFloat32(0, Math.abs(x));
  return format.type === 'f64' ? view.getBigUint64(0) : BigInt(view.getUint32(0));
}

export const roundTo = (format: Format, x: number): number => (format.type === 'f32' ? Math.fround(x) : x);

const FRACTION = 20;

/**
 * |value − exact| in units of the last place that the exact value has in the format, subnormal ones included. An infinity counts
 * as the power of two beyond the largest value; it is right where the exact value rounds to it. The signs must agree, also of 0,
 * unless the unit is that of a larger magnitude, `least`.
 */
export function errorInUlps({ stored, largestExponent }: Format, value: number, exact: Big, least?: Big): number {
  if (Number.isNaN(value)) return Infinity;
  const isNegative = value < 0 || Object.is(value, -0);
  if (least === undefined && exact.significand !== 0n && isNegative !== exact.significand < 0n) return Infinity;
  const isHuge = !isBelow(exact, largestExponent + 1);
  if (!Number.isFinite(value) && isHuge) return 0;
  const given = Number.isFinite(value) ? fromFloat(value) : big(isNegative ? -1n : 1n, largestExponent + 1);
  const magnitude = (x: Big): number => (x.significand === 0n ? -Infinity : binade(x));
  const top = isHuge ? largestExponent : Math.max(magnitude(exact), least === undefined ? -Infinity : magnitude(least));
  const unit = Math.max(top - stored, 1 - largestExponent - stored);
  const difference = scaled(minus(given, exact), FRACTION - unit);
  return Math.abs(Number(shifted(difference.significand, difference.exponent))) / 2 ** FRACTION;
}
