import { tensor } from '@tf/core';
import { jit, jvp, type TracedTensor, vjp } from '@tf/traced';
import { afterAll, describe, expect, it } from 'vitest';
import { createGalleryEngine } from '../engine.ts';
import { holds } from '../example.ts';
import { readData } from '../read-data.ts';
import { createCalibration, project, rotate, type Unknowns } from './problem.ts';
import { example } from './run.ts';
import { board, corners, firstGuess, trueLens, truePoses } from './scene.ts';

const engine = await createGalleryEngine(['linalg']);
afterAll(() => engine.dispose());

type T = TracedTensor<'float64'>;
const treeOf = ({ lens, rotations, shifts }: Unknowns<Float64Array>) => ({ lens: tensor(lens), rotations: tensor(rotations, { shape: [rotations.length / 3, 3] }), shifts: tensor(shifts, { shape: [shifts.length / 3, 3] }) });

describe('the camera', () => {
  it('turns a quarter around the vertical axis, and not at all for no angle', () => {
    const turned = jit((x: T, r: T) => rotate(x, r), { engine })(tensor([[1, 2, 3]]), tensor([[0, Math.PI / 2, 0], [0, 0, 0]])).toArray() as number[][][];
    [3, 2, -1].forEach((value, at) => expect(turned[0]![0]![at]).toBeCloseTo(value, 12));
    [1, 2, 3].forEach((value, at) => expect(turned[1]![0]![at]).toBeCloseTo(value, 12));
  });

  it('sees a point as arithmetic by hand has it', () => {
    const unknowns = { lens: Float64Array.of(1.5, 2, 0.5, 0.25, -0.1, 0.01), rotations: new Float64Array(3), shifts: Float64Array.of(0.1, 0, 2) };
    const [x, y] = (jit((u: Unknowns<T>, p: T) => project(u, p), { engine })(treeOf(unknowns), tensor([[0.3, 0.4, 0]])).toArray() as number[][][])[0]![0]!;
    const bent = 1 - 0.1 * 0.08 + 0.01 * 0.08 ** 2;
    expect(x).toBeCloseTo(1.5 * 0.2 * bent + 0.5, 14);
    expect(y).toBeCloseTo(2 * 0.2 * bent + 0.25, 14);
  });

  it('is differentiated forward as differences have it, and in reverse as the transpose of that', async () => {
    const points = tensor(corners(board), { shape: [board.columns * board.rows, 3] });
    const at: Unknowns<Float64Array> = { lens: trueLens, ...truePoses(2) };
    const wave = (values: Float64Array, by: number): Float64Array => values.map((_, i) => Math.sin(by * (i + 1)));
    const direction = { lens: wave(at.lens, 2), rotations: wave(at.rotations, 3), shifts: wave(at.shifts, 5) };
    const moved = (step: number): Unknowns<Float64Array> => ({ lens: at.lens.map((value, i) => value + step * direction.lens[i]!), rotations: at.rotations.map((value, i) => value + step * direction.rotations[i]!), shifts: at.shifts.map((value, i) => value + step * direction.shifts[i]!) });
    const value = jit((x: Unknowns<T>, p: T) => project(x, p), { engine });
    const push = jit((x: Unknowns<T>, v: Unknowns<T>, p: T) => jvp((y: Unknowns<T>) => project(y, p), [x], [v])[1], { engine });
    const pull = jit((x: Unknowns<T>, w: T, p: T) => vjp((y: Unknowns<T>) => project(y, p), x)[1](w)[0], { engine });
    const pushed = await push(treeOf(at), treeOf(direction), points).data();
    const h = 1e-6;
    const [more, less] = [await value(treeOf(moved(h)), points).data(), await value(treeOf(moved(-h)), points).data()];
    pushed.forEach((slope, i) => expect(slope).toBeCloseTo((more[i]! - less[i]!) / (2 * h), 7));
    const weights = wave(pushed, 7);
    const pulled = pull(treeOf(at), tensor(weights, { shape: [2, board.columns * board.rows, 2] }), points);
    const inner = (a: Float64Array, b: Float64Array): number => a.reduce((all, number, i) => all + number * b[i]!, 0);
    const backwards = inner(await pulled.lens.data(), direction.lens) + inner(await pulled.rotations.data(), direction.rotations) + inner(await pulled.shifts.data(), direction.shifts);
    expect(backwards).toBeCloseTo(inner(pushed, weights), 10);
  });
});

describe('the calibration', () => {
  it('finds the lens to many digits where there is no noise, knowing nothing but pixels', async () => {
    const programs = createCalibration(engine, corners(board), 4);
    const pixels = await programs.photograph({ lens: trueLens, ...truePoses(4) }, 0, 0);
    const { unknowns, residual, converged } = await programs.calibrate(pixels, firstGuess(pixels, 4));
    expect(converged).toBe(true);
    expect(residual).toBeLessThan(1e-6);
    unknowns.lens.forEach((value, i) => expect(value).toBeCloseTo(trueLens[i]!, 4));
  });
});

describe('the example', { timeout: 120_000 }, () => {
  it('finds what it promises', async () => {
    const { numbers, pictures } = await example.run({ engine, scale: 'quick', progress() {}, readData });
    expect(numbers.filter((number) => !holds(number))).toEqual([]);
    expect(pictures.map(({ name }) => name)).toEqual(['views', 'residuals', 'course']);
  });
});
