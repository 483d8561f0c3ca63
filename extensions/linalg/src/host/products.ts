/** Products that neither overflow nor vanish on the way, only at the end. */
import type { Field } from './field.ts';

/** m·2^e with the larger part of m of size 1 to 2, or 0. */
interface Scaled {
  readonly re: number;
  readonly im: number;
  readonly exponent: number;
}

function scaled(re: number, im: number, exponent = 0): Scaled {
  const size = Math.max(Math.abs(re), Math.abs(im));
  if (size === 0) return { re, im, exponent: 0 };
  const by = Math.floor(Math.log2(size));
  // Two steps: 2^1023 is the largest power there is, and the smallest number has exponent −1074.
  const half = Math.trunc(by / 2);
  return { re: (re * 2 ** -half) * 2 ** (half - by), im: (im * 2 ** -half) * 2 ** (half - by), exponent: exponent + by };
}

function times(a: Scaled, b: Scaled): Scaled {
  return scaled(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re, a.exponent + b.exponent);
}

/** x·2^e. */
function shifted(x: number, exponent: number): number {
  const within = Math.max(-2200, Math.min(2200, exponent));
  const third = Math.trunc(within / 3);
  return x * 2 ** third * 2 ** third * 2 ** (within - 2 * third);
}

/** For each number the product of all the others, times `sign`. */
export function productsWithoutOne(field: Field, numbers: Float64Array, sign: number): Float64Array {
  const { lanes } = field;
  const count = numbers.length / lanes;
  const values = Array.from({ length: count }, (_, at) => scaled(numbers[at * lanes] as number, lanes === 2 ? (numbers[at * lanes + 1] as number) : 0));
  const after: Scaled[] = new Array<Scaled>(count);
  let product = scaled(1, 0);
  for (let at = count - 1; at >= 0; at--) {
    after[at] = product;
    product = times(values[at] as Scaled, product);
  }
  const results = new Float64Array(numbers.length);
  let before = scaled(sign, 0);
  for (let at = 0; at < count; at++) {
    const { re, im, exponent } = times(before, after[at] as Scaled);
    results[at * lanes] = shifted(re, exponent);
    if (lanes === 2) results[at * lanes + 1] = shifted(im, exponent);
    before = times(before, values[at] as Scaled);
  }
  return results;
}
