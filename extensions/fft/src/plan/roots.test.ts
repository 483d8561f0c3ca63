import { expect, test } from 'vitest';
import { rootOfUnity, rootsOfUnity } from './roots.ts';

test('roots are symmetric to the bit in all eight octants', () => {
  for (const n of [8, 12, 16, 24, 56, 1000, 4096]) {
    for (let k = 0; k <= n; k++) {
      const [c, s] = rootOfUnity(k, n);
      const [mirroredC, mirroredS] = rootOfUnity(n - k, n);
      expect([mirroredC + 0, mirroredS + 0]).toEqual([c + 0, 0 - s]);
      const [turnedC, turnedS] = rootOfUnity(k + n / 4, n);
      expect([turnedC + 0, turnedS + 0]).toEqual([s + 0, 0 - c]);
    }
  }
});

test('roots are within 1.5 units in the last place of what mpmath gives', () => {
  // e^{−2πik/n} to 20 digits.
  const known: readonly (readonly [number, number, string, string])[] = [
    [1, 3, '-0.5', '-0.86602540378443864676'],
    [1, 5, '0.30901699437494742410', '-0.95105651629515357212'],
    [1, 7, '0.62348980185873353053', '-0.78183148246802980871'],
    [3, 11, '-0.14231483827328514044', '-0.98982144188093273238'],
    [1, 1000003, '0.99999999998026090963', '-6.2831664576388721061e-6'],
  ];
  for (const [k, n, c, s] of known) {
    const [re, im] = rootOfUnity(k, n);
    for (const [got, text] of [[re, c], [im, s]] as const) {
      const want = Number(text);
      const ulp = 2 ** (Math.floor(Math.log2(Math.abs(want))) - 52);
      expect(Math.abs(got - want), `${k}/${n}`).toBeLessThanOrEqual(1.5 * ulp);
    }
  }
});

test('a list of roots steps through the circle as often as it must', () => {
  expect([...rootsOfUnity(4, 5, 3)].map((part) => part + 0)).toEqual([1, 0, 0, 1, -1, 0, 0, -1, 1, 0]);
});

test('a whole circle of roots has the bits of each root by itself', () => {
  for (const n of [8, 24, 40, 64, 1000, 4096]) {
    expect(rootsOfUnity(n, n), String(n)).toEqual(Float64Array.from({ length: 2 * n }, (_, at) => rootOfUnity(at >> 1, n)[at % 2] as number));
  }
});
