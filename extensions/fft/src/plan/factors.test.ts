import { expect, test } from 'vitest';
import { convenientLength, convolutionLength, largestRadix, longestDirect, radicesOf, splitLength } from './factors.ts';

const smooth = (n: number, largest: number): boolean => {
  let rest = n;
  for (let prime = 2; prime <= largest; prime++) while (rest % prime === 0) rest /= prime;
  return rest === 1;
};

test('radices multiply to the length, and only lengths with a larger prime have none', () => {
  for (let n = 1; n < 3000; n++) {
    const radices = radicesOf(n);
    expect(radices !== undefined, String(n)).toBe(smooth(n, largestRadix));
    if (radices !== undefined) expect(radices.reduce((product, radix) => product * radix, 1)).toBe(n);
  }
});

test('a length that runs in four steps has two factors beyond 1', () => {
  for (let n = longestDirect + 1; n < 3000; n++) {
    if (radicesOf(n) === undefined) continue;
    const [first, second] = splitLength(n);
    expect(first * second).toBe(n);
    expect(first, String(n)).toBeGreaterThan(1);
  }
});

test('a convolution has room for two lines, and its length only small factors', () => {
  for (let n = 1; n < 3000; n++) {
    const m = convolutionLength(n);
    expect(m).toBeGreaterThanOrEqual(2 * n - 1);
    expect(m).toBeLessThan(4 * n);
    expect(smooth(m, 5)).toBe(true);
  }
});

test('the convenient length is the shortest without factors beyond 5', () => {
  for (let n = 1; n < 2000; n++) {
    let expected = n;
    while (!smooth(expected, 5)) expected++;
    expect(convenientLength(n)).toBe(expected);
  }
});
