/** Binary numbers of any precision: significand·2^exponent. What is not exact keeps about `BITS` bits. */
export interface Big {
  readonly significand: bigint;
  readonly exponent: number;
}

/** Bits after the point of a fixed-point number; every function below is good to at least 100 bits relative. */
export const BITS = 192;
export const ONE = 1n << BigInt(BITS);

export const big = (significand: bigint, exponent = 0): Big => ({ significand, exponent });
export const fromFixed = (fixed: bigint): Big => big(fixed, -BITS);
export const zero: Big = big(0n);
export const one: Big = big(1n);

const view = new DataView(new ArrayBuffer(8));

/** A finite float, exactly. */
export function fromFloat(x: number): Big {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const stored = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? stored : stored | 0x10000000000000n;
  return big(x < 0 ? -magnitude : magnitude, Math.max(exponent, 1) - 1075);
}

export const magnitudeOf = (x: bigint): bigint => (x < 0n ? -x : x);

export function bitLength(x: bigint): number {
  const text = magnitudeOf(x).toString(16);
  return x === 0n ? 0 : 4 * text.length - Math.clz32(Number.parseInt(text[0]!, 16)) + 28;
}

export const shifted = (x: bigint, by: number): bigint => (by >= 0 ? x << BigInt(by) : x >> BigInt(-by));

/** floor(log2 |x|). */
export const binade = (x: Big): number => bitLength(x.significand) - 1 + x.exponent;

export const toFixed = (x: Big): bigint => shifted(x.significand, x.exponent + BITS);

export const negative = (x: Big): Big => big(-x.significand, x.exponent);
export const scaled = (x: Big, by: number): Big => big(x.significand, x.exponent + by);
export const times = (a: Big, b: Big): Big => big(a.significand * b.significand, a.exponent + b.exponent);

/** A product cut to about `BITS` bits. */
export function timesCut(a: Big, b: Big): Big {
  const product = a.significand * b.significand;
  const excess = Math.max(bitLength(product) - BITS, 0);
  return big(shifted(product, -excess), a.exponent + b.exponent + excess);
}

export function plus(a: Big, b: Big): Big {
  const exponent = Math.min(a.exponent, b.exponent);
  return big(shifted(a.significand, a.exponent - exponent) + shifted(b.significand, b.exponent - exponent), exponent);
}

export const minus = (a: Big, b: Big): Big => plus(a, negative(b));

export function over(a: Big, b: Big): Big {
  const lift = Math.max(BITS + bitLength(b.significand) - bitLength(a.significand), 0);
  return big(shifted(a.significand, lift) / b.significand, a.exponent - lift - b.exponent);
}

/** Whether |x| < 2^exponent. */
export const isBelow = (x: Big, exponent: number): boolean => x.significand === 0n || binade(x) < exponent;

/** floor(√n), by Newton's iteration from above. */
export function integerRoot(n: bigint): bigint {
  if (n === 0n) return 0n;
  for (let root = 1n << BigInt(Math.ceil(bitLength(n) / 2)); ; ) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** x to a float, for estimates only. */
export function toEstimate(x: Big): number {
  const excess = Math.max(bitLength(x.significand) - 60, 0);
  return Number(shifted(x.significand, -excess)) * 2 ** Math.min(Math.max(x.exponent + excess, -1060), 960);
}
