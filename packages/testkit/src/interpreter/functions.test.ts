import { describe, expect, it } from 'vitest';
import { erf, erfc, logGamma, referenceFunctions } from './functions.ts';

/** Values to 17 digits from mpmath 1.3 (mp.dps = 40). */
const erfPoints: readonly (readonly [number, number])[] = [[1e-10, 1.1283791670955126e-10], [0.5, 0.52049987781304654], [1, 0.84270079294971487], [1.5, 0.96610514647531073], [2, 0.99532226501895273], [-3, -0.99997790950300141]];
const erfcPoints: readonly (readonly [number, number])[] = [[-2, 1.9953222650189527], [0.5, 0.47950012218695346], [0.75, 0.28884436634648487], [1, 0.15729920705028513], [2, 0.004677734981047266], [5, 1.5374597944280349e-12], [10, 2.0884875837625448e-45], [26, 5.6631924088561428e-296]];
const ndtrPoints: readonly (readonly [number, number])[] = [[-37.3, 8.2054948449307733e-305], [-29.270540152477658, 1.2300479970180683e-188], [-20.1, 3.6896808637213896e-90], [-9.99, 8.4290872004430723e-24], [-5.123, 1.5035617470355646e-7], [-1.3, 0.096800484585610326], [-0.7, 0.24196365222307303], [0.25, 0.59870632568292372], [1.7, 0.95543453724145696], [6.5, 0.99999999995983999]];
const logGammaPoints: readonly (readonly [number, number])[] = [[0.1, 2.2527126517342059], [0.5, 0.57236494292470009], [3, 0.69314718055994531], [10.5, 13.940625219403764], [100, 359.1342053695754], [-0.5, 1.2655121234846454], [1e-320, 736.82724089097391], [-1e-320, 736.82724089097391], [1e-20, 46.051701859880914], [2.5555e305, 1.794540335076089e308]];

function worst(f: (x: number) => number, points: readonly (readonly [number, number])[]): number {
  return Math.max(...points.map(([x, value]) => Math.abs(f(x) / value - 1)));
}

describe('reference functions', () => {
  it('erf is right to a few units of roundoff', () => {
    expect(worst(erf, erfPoints)).toBeLessThan(8 * 2 ** -53);
  });

  it('erfc keeps its relative accuracy in the far tail', () => {
    expect(worst(erfc, erfcPoints)).toBeLessThan(16 * 2 ** -53);
  });

  it('Φ keeps it too', () => {
    expect(worst(referenceFunctions['ndtr']!, ndtrPoints)).toBeLessThan(16 * 2 ** -53);
    expect([-Infinity, -40, 0, 40, Infinity, NaN].map((x) => referenceFunctions['ndtr']!(x))).toEqual([0, 0, 0.5, 1, 1, NaN]);
  });

  it('log Γ is right by series and reflection', () => {
    // Near its zeros at 1 and 2 it is the difference of terms around 40.
    expect(worst(logGamma, logGammaPoints)).toBeLessThan(64 * 2 ** -53);
  });

  it('erf and erfc add up to 1 and know the ends', () => {
    for (let x = -6; x <= 6; x += 0.37) expect(Math.abs(erf(x) + erfc(x) - 1)).toBeLessThan(4e-16);
    expect([erf(Infinity), erf(-Infinity), erfc(Infinity), erfc(-Infinity), erfc(40)]).toEqual([1, -1, 0, 2, 0]);
    expect([erf(NaN), erfc(NaN)]).toEqual([NaN, NaN]);
    expect(Object.is(erf(-0), -0)).toBe(true);
  });

  it('pow is IEEE 754\'s, also where Math.pow is not', () => {
    expect([referenceFunctions['pow']!(1, NaN), referenceFunctions['pow']!(-1, Infinity), referenceFunctions['pow']!(NaN, 0)]).toEqual([1, 1, 1]);
  });
});
