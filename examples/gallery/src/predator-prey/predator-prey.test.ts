import { instructionCount, sum, tensor } from '@tf/core';
import { grad, jit, jvp, trace, type TracedTensor } from '@tf/traced';
import { afterAll, describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { holds } from '../example.ts';
import { readData } from '../read-data.ts';
import { createFit, oscillatorSlope, populations } from './problem.ts';
import { example } from './run.ts';

const engine = await createGalleryEngine(['linalg']);
afterAll(() => engine.dispose());

type T = TracedTensor<'float64'>;

describe('the derivative through the integrator', () => {
  it('is that of the powers of one number, as Runge and Kutta\'s method solves the oscillator', () => {
    // One step multiplies x − iy by 1 + z + z²/2 + z³/6 + z⁴/24 with z = iωh; n steps by its nth power.
    const [omega, t, steps] = [1.3, 10, 50];
    const z = (omega * t) / steps;
    const factor = { re: 1 - z ** 2 / 2 + z ** 4 / 24, im: z - z ** 3 / 6 };
    const [length, angle] = [Math.hypot(factor.re, factor.im), Math.atan2(factor.im, factor.re)];
    // d factor/dω = iT/n·(1 + z + z²/2 + z³/6)
    const slope = { re: -(t / steps) * (z - z ** 3 / 6), im: (t / steps) * (1 - z ** 2 / 2) };
    const before = { size: steps * length ** (steps - 1), angle: (steps - 1) * angle };
    const expected = before.size * (Math.cos(before.angle) * slope.re - Math.sin(before.angle) * slope.im);
    expect(oscillatorSlope(engine, omega, t, steps)).toBeCloseTo(expected, 11);
    expect(Math.abs(expected + t * Math.sin(omega * t))).toBeGreaterThan(1e-4);
  });

  it('converges to the exact one with the fourth power of the step', () => {
    const errors = [100, 200].map((steps) => Math.abs(oscillatorSlope(engine, 1.3, 10, steps) + 10 * Math.sin(13)));
    expect(Math.log2(errors[0]! / errors[1]!)).toBeCloseTo(4, 1);
  });

  it('agrees with differences for hares and lynxes', async () => {
    const times = { interval: 0.5, count: 6, steps: 4 };
    const at = [0.55, 0.84, 0.028, 0.026, 30, 4].map(Math.log);
    const direction = [0.3, -0.2, 0.1, 0.4, -0.5, 0.6];
    const value = jit((x: T) => populations(x, times), { engine });
    const slope = jit((x: T, v: T) => jvp((y: T) => populations(y, times), [x], [v])[1], { engine });
    const h = 1e-5;
    const [more, less] = await Promise.all([h, -h].map((step) => value(tensor(at.map((number, i) => number + step * direction[i]!))).data())) as [Float64Array, Float64Array];
    const found = await slope(tensor(at), tensor(direction)).data();
    found.forEach((number, i) => expect(number).toBeCloseTo((more[i]! - less[i]!) / (2 * h), 7));
  });

  it('keeps the program as short for a hundred observations as for one', () => {
    const lengths = [1, 100].map((count) => instructionCount(trace(grad((x: T) => sum(populations(x, { interval: 0.5, count, steps: 10 }))), tensor(new Float64Array(6))).program));
    expect(lengths[1]).toBe(lengths[0]);
  });
});

describe('the fit', () => {
  const settings = { interval: 0.5, count: 20, steps: 6, noise: 0.1 };
  const truth = Float64Array.of(0.55, 0.84, 0.028, 0.026, 30, 4).map(Math.log);

  it('finds the truth where there is no noise, from far away', async () => {
    const { fit, curve } = createFit(engine, settings);
    const all = await curve(truth);
    const observed = Float64Array.from({ length: 2 * (settings.count + 1) }, (_, at) => all[2 * settings.steps * Math.floor(at / 2) + (at % 2)]!);
    const { logUnknowns, converged } = await fit(observed, Float64Array.of(1, 1, 0.02, 0.02, 20, 10).map(Math.log));
    expect(converged).toBe(true);
    logUnknowns.forEach((value, at) => expect(value).toBeCloseTo(truth[at]!, 5));
  });
});

describe('the example', { timeout: 120_000 }, () => {
  it('finds what it promises', async () => {
    const { numbers, pictures } = await example.run({ engine, scale: 'quick', progress() {}, readData });
    expect(numbers.filter((number) => !holds(number))).toEqual([]);
    expect(pictures.map(({ name }) => name)).toEqual(['years', 'orbit', 'unknowns']);
  });
});
