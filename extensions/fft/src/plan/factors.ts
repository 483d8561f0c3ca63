/** Primes up to here are radices; a length with a larger one runs as a convolution. */
export const largestRadix = 31;

/** Lengths up to here run by stages alone, longer ones in four steps. */
export const longestDirect = 64;

/**
 * The radices whose product is n, or undefined where one would be too large. Fours need the fewest operations; one is first and
 * the others last, where kernels join them with reading and writing.
 */
export function radicesOf(n: number): readonly number[] | undefined {
  const radices: number[] = [];
  let [rest, fours] = [n, 0];
  for (; rest % 4 === 0; rest /= 4) fours++;
  if (rest % 2 === 0) {
    radices.push(2);
    rest /= 2;
  }
  for (let radix = 3; rest > 1; radix += 2) {
    if (radix > largestRadix) return undefined;
    for (; rest % radix === 0; rest /= radix) radices.push(radix);
  }
  const outer = fours > 0 ? [4] : [];
  return [...outer, ...radices, ...new Array<number>(Math.max(0, fours - 1)).fill(4)];
}

/** n = n1·n2 with n1 ≤ n2 as near to each other as they can be. */
export function splitLength(n: number): readonly [number, number] {
  let first = Math.floor(Math.sqrt(n));
  while (n % first !== 0) first--;
  return [first, n / first];
}

/** The shortest convenient length in which lines of length n can be convolved without meeting their own ends. */
export function convolutionLength(n: number): number {
  const least = 2 * n - 1;
  return [1, 3, 5, 9, 15, 25].reduce((best, odd) => Math.min(best, odd * 2 ** Math.max(0, Math.ceil(Math.log2(least / odd)))), Infinity);
}

/** The shortest length of at least n without factors beyond 5: for products of spectra. */
export function convenientLength(n: number): number {
  let best = Infinity;
  for (let fives = 1; fives < 5 * n; fives *= 5) {
    for (let threes = fives; threes < 3 * n; threes *= 3) {
      best = Math.min(best, threes * 2 ** Math.max(0, Math.ceil(Math.log2(n / threes))));
    }
  }
  return best;
}
