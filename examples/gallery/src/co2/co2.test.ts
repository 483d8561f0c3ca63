import { tensor } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { readData } from '../read-data.ts';
import { createRegression, firstGuess, type Hyperparameters, mapHyperparameters } from './problem.ts';
import { between, readRecord } from './record.ts';

const record = readRecord(await readData('co2-concentration.csv'));

describe('the record', () => {
  it('has every month from March 1958 to April 2020', () => {
    expect(record.times.length).toBe(741);
    expect([record.times[0], record.values[0]]).toEqual([1958 + 2.5 / 12, 315.7]);
    expect([record.times.at(-1), record.values.at(-1)]).toEqual([2020 + 3.5 / 12, 416.18]);
  });

  it('leaves out rows without a number and refuses what is no date', () => {
    expect(readRecord('Date,CO2\r\n2000-01-01,1\r\n2000-02-01,\r\n2000-03-01,3\r\n').values).toEqual(Float64Array.of(1, 3));
    expect(() => readRecord('Date,CO2\nJanuary,1')).toThrow('"January" is no date');
    expect(() => readRecord('')).toThrow('no row');
  });
});

/** The kernel in plain numbers, from the book's formula. */
function covariance(p: Hyperparameters<number>, a: number, b: number): number {
  const d = a - b;
  return p.trendSize ** 2 * Math.exp(-(d ** 2) / (2 * p.trendYears ** 2))
    + p.seasonSize ** 2 * Math.exp(-(d ** 2) / (2 * p.seasonYears ** 2) - (2 * Math.sin(Math.PI * d) ** 2) / p.seasonSmoothness ** 2)
    + p.mediumSize ** 2 * (1 + d ** 2 / (2 * p.mediumShape * p.mediumYears ** 2)) ** -p.mediumShape
    + (d === 0 ? p.noiseSize ** 2 : 0);
}

/** yᵀK⁻¹y, ln det K and K⁻¹ of a second column by elimination, which needs no Cholesky factor. */
function eliminate(times: readonly number[], p: Hyperparameters<number>, y: readonly number[], other: readonly number[]): { readonly form: number; readonly logDet: number; readonly cross: number; readonly own: number } {
  const rows = times.map((a, i) => [...times.map((b) => covariance(p, a, b)), y[i] as number, other[i] as number]);
  let logDet = 0;
  const n = times.length;
  for (let k = 0; k < n; k++) {
    logDet += Math.log(rows[k]![k]!);
    for (let i = 0; i < n; i++) if (i !== k) {
      const factor = rows[i]![k]! / rows[k]![k]!;
      for (let j = k; j < n + 2; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  const solved = (column: number): number[] => rows.map((row, k) => row[n + column]! / row[k]!);
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  return { form: dot(y, solved(0)), logDet, cross: dot(other, solved(0)), own: dot(other, solved(1)) };
}

describe('the Gaussian process', { timeout: 120_000 }, () => {
  const few = between(record, 2000, 2002);
  const [times, y] = [[...few.times], [...few.values].map((value) => value - 370)];
  const logs = mapHyperparameters(firstGuess, (value) => tensor(Math.log(value)));

  it('finds the likelihood and the forecast of plain elimination', async () => {
    const engine = await createGalleryEngine(['linalg']);
    const regression = createRegression(engine);
    const ahead = 2003.25;
    const { form, logDet, cross, own } = eliminate(times, firstGuess, y, times.map((time) => covariance(firstGuess, time, ahead)));
    const [value] = regression.surprise(logs, tensor(times), tensor(y));
    expect(value.item()).toBeCloseTo(0.5 * form + 0.5 * logDet + (times.length / 2) * Math.log(2 * Math.PI), 6);
    const { mean, deviation } = await regression.forecast(logs, tensor(times), tensor(y), tensor([ahead]));
    expect(mean[0]).toBeCloseTo(cross, 6);
    expect(deviation[0]).toBeCloseTo(Math.sqrt(covariance(firstGuess, ahead, ahead) - own), 6);
    engine.dispose();
  });

  it('has the gradient of central differences in every hyperparameter', async () => {
    const engine = await createGalleryEngine(['linalg']);
    const { surprise } = createRegression(engine);
    const [, gradient] = surprise(logs, tensor(times), tensor(y));
    for (const name of Object.keys(firstGuess) as (keyof Hyperparameters<number>)[]) {
      const moved = (h: number): number => surprise({ ...logs, [name]: tensor(Math.log(firstGuess[name]) + h) }, tensor(times), tensor(y))[0].item();
      const difference = (4 * (moved(5e-3) - moved(-5e-3)) / 1e-2 - (moved(1e-2) - moved(-1e-2)) / 2e-2) / 3;
      expect(Math.abs(gradient[name].item() - difference), name).toBeLessThan(1e-5 * Math.max(1, Math.abs(difference)));
    }
    engine.dispose();
  });

  it('learns the years 2005 to 2010 and foretells the next within its band', async () => {
    const engine = await createGalleryEngine(['linalg']);
    const regression = createRegression(engine);
    const [learnt, next] = [between(record, 2005, 2010), between(record, 2010, 2011)];
    const values = tensor(learnt.values.map((value) => value - 383));
    const falls: number[] = [];
    const { parameters } = await regression.learn(tensor(learnt.times), values, { maxIterations: 25, onStep: ({ value }) => void falls.push(value) });
    expect(falls.every((value, at) => at === 0 || value <= falls[at - 1]!)).toBe(true);
    const { mean, deviation } = await regression.forecast(parameters, tensor(learnt.times), values, tensor(next.times));
    const errors = next.values.map((value, at) => Math.abs(value - 383 - mean[at]!));
    expect(Math.max(...errors)).toBeLessThan(2);
    expect(errors.filter((error, at) => error < 3 * deviation[at]!).length).toBeGreaterThanOrEqual(10);
    engine.dispose();
  });
});
