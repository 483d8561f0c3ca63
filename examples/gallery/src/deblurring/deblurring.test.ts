import { AdContext, createCatalog, tensor } from '@tf/core';
import { fftExtension, rfft2 } from '@tf/fft';
import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';
import { afterAll, describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { holds } from '../example.ts';
import { readData } from '../read-data.ts';
import { createCamera, misfit, peakSignalToNoise, roughness, totalVariation } from './problem.ts';
import { example } from './run.ts';
import { type GreyImage, motionBlur, numberPlate } from './scene.ts';

const engine = await createGalleryEngine(['fft']);
afterAll(() => engine.dispose());

type T = TracedTensor<'float64'>;
const [width, height] = [24, 10];
const scene = numberPlate(width, height);
const kernel = motionBlur(width, height, 5, 0.35);

const at = ({ values }: GreyImage, row: number, column: number): number => values[((row + height) % height) * width + ((column + width) % width)]!;

describe('the blur', () => {
  it('is the sum of the image along the path, around the edges', async () => {
    // A path that is not the same backwards, so that the direction counts.
    const path = { ...kernel, values: kernel.values.map((value, i) => value * (1 + (i % 5))) };
    const { values } = await createCamera(engine, path).blurred(scene);
    for (const [row, column] of [[0, 0], [4, 11], [9, 23]] as const) {
      let expected = 0;
      for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) expected += at(path, i, j) * at(scene, row - i, column - j);
      expect(values[row * width + column]).toBeCloseTo(expected, 13);
    }
  });

  it('keeps the brightness and adds noise of the size that was asked for', async () => {
    const camera = createCamera(engine, motionBlur(64, 64, 9, 1));
    const flat = { width: 64, height: 64, values: new Float64Array(64 * 64).fill(0.5) };
    const seen = await camera.photograph(flat, 0.02, 5);
    expect(peakSignalToNoise(seen, flat)).toBeCloseTo(-20 * Math.log10(0.02), 0);
    expect(peakSignalToNoise(await camera.blurred(flat), flat)).toBeGreaterThan(200);
  });
});

describe('the penalties', () => {
  it('add up the differences to the right and down, around the edges', () => {
    const rounding = 0.1;
    const [total, rough] = [jit((x: T) => totalVariation(x, rounding), { engine }), jit(roughness, { engine })];
    let [lengths, squares] = [0, 0];
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const square = (at(scene, row, column + 1) - at(scene, row, column)) ** 2 + (at(scene, row + 1, column) - at(scene, row, column)) ** 2;
        lengths += Math.sqrt(square + rounding ** 2);
        squares += square;
      }
    }
    const x = tensor(scene.values).reshape([height, width]) as unknown as T;
    expect([total(x).item(), rough(x).item()]).toEqual([expect.closeTo(lengths, 10), expect.closeTo(squares / 2, 10)]);
  });
});

describe('the gradient', () => {
  it('agrees with differences through the transforms and the total variation', async () => {
    const options = { engine, context: new AdContext({ catalog: createCatalog([fftExtension]) }) };
    const shape = [height, width];
    const objective = (x: T, k: T, seen: T): T => misfit(x, rfft2(k), seen).add(totalVariation(x, 0.1).mul(0.3));
    const program = jit((x: T, k: T, seen: T) => valueAndGrad(objective)(x, k, seen), options);
    const [blurred, direction] = [scene.values.map((value) => 1 - value), scene.values.map((_, i) => Math.sin(3 * i))];
    const run = (step: number): ReturnType<typeof program> => program(tensor(scene.values.map((value, i) => value + step * direction[i]!), { shape }), tensor(kernel.values, { shape }), tensor(blurred, { shape }));
    const h = 1e-5;
    const slope = (await run(0)[1].data()).reduce((all, value, i) => all + value * direction[i]!, 0);
    expect(slope).toBeCloseTo((run(h)[0].item() - run(-h)[0].item()) / (2 * h), 6);
  });

  it('leads the search to the minimum that is known as a formula', async () => {
    const camera = createCamera(engine, kernel);
    const seen = await camera.photograph(scene, 0.01, 2);
    const [found, exact] = [await camera.restore(seen, { penalty: 'squares', weight: 0.01, maxIterations: 500 }), await camera.restoreByFormula(seen, 0.01)];
    found.image.values.forEach((value, i) => expect(value).toBeCloseTo(exact.values[i]!, 5));
  });
});

describe('the example', { timeout: 120_000 }, () => {
  it('finds what it promises', async () => {
    const { numbers, pictures } = await example.run({ engine, scale: 'quick', progress() {}, readData });
    expect(numbers.filter((number) => !holds(number))).toEqual([]);
    expect(pictures.map(({ name }) => name)).toEqual(['images', 'profile', 'course']);
  });
});
