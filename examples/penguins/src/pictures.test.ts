import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPenguins } from './data.ts';
import { initialise, mapParameters } from './model.ts';
import { checkLossPicture, checkRegionPicture } from './picture-checks.ts';
import { type CurvePoint, drawLoss, drawRegions, savePictures } from './pictures.ts';
import { plainLossAndGradient, plainScores } from './reference.ts';
import { planeThrough } from './regions.ts';
import { splitPenguins } from './split.ts';

const { penguins } = await loadPenguins();
const split = splitPenguins(penguins, 1);

/** The plain network, trained: what the pictures show does not need the library. */
function trainPlainly(steps: number): { readonly curve: readonly CurvePoint[]; readonly parameters: ReturnType<typeof initialise> } {
  const parameters = initialise(1);
  const velocity = mapParameters(parameters, (values) => new Float64Array(values.length));
  const curve: CurvePoint[] = [];
  for (let step = 0; step < steps; step++) {
    const { loss, gradient } = plainLossAndGradient(parameters, split.train);
    curve.push({ step, train: loss, test: plainLossAndGradient(parameters, split.test).loss });
    mapParameters(parameters, (values, name) => values.forEach((_, at) => {
      velocity[name][at] = 0.9 * velocity[name][at]! + gradient[name][at]!;
      values[at]! -= 0.05 * velocity[name][at]!;
    }));
  }
  return { curve, parameters };
}

const { curve, parameters } = trainPlainly(60);
const plane = planeThrough(split.train.penguins, split.scale);
const grid = { ...plane, scores: plainScores(parameters, plane.features) };
const curves = { traced: curve, eager: curve };

describe('the loss picture', () => {
  const svg = drawLoss(curves, 'Loss');

  it('stands alone, with a title and labelled axes', () => {
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    for (const text of ['Loss', 'Step of gradient descent', 'Cross-entropy (nats', 'held-out part']) expect(svg).toContain(text);
  });

  it('contains the four curves', () => {
    expect(checkLossPicture(svg, curves)).toMatchObject({ holds: true });
  });

  it.each([
    ['a missing line', svg.replace(/<g [^>]*class="traced-test"[^>]*><path[^>]*>/, '<g>')],
    ['a ring too few', svg.replace(/<circle [^>]*>/, '')],
    ['no pictures at all', '<svg></svg>'],
  ])('is refused with %s', (_, broken) => {
    expect(broken).not.toBe(svg);
    expect(checkLossPicture(broken, curves).holds).toBe(false);
  });

  it('is refused when one value is drawn elsewhere', () => {
    const other = curve.map((point, at) => (at === 20 ? { ...point, train: point.train * 1.01 } : point));
    expect(checkLossPicture(svg, { traced: other, eager: curve }).holds).toBe(false);
  });
});

describe('the region picture', () => {
  const svg = drawRegions(grid, split, 'Regions');

  it('names both axes with their units', () => {
    for (const text of ['Bill length (mm)', 'Bill depth (mm)', 'Adelie', 'Chinstrap', 'Gentoo']) expect(svg).toContain(text);
  });

  it('has every penguin and regions of the size that the network says', () => {
    expect(checkRegionPicture(svg, split, grid)).toMatchObject({ holds: true });
  });

  it('is refused without a region, without a penguin, or for another network', () => {
    expect(checkRegionPicture(svg.replace('class="region-Adelie"', ''), split, grid).holds).toBe(false);
    expect(checkRegionPicture(svg.replace(/<circle [^>]*>/, ''), split, grid).holds).toBe(false);
    expect(checkRegionPicture(svg, split, { ...grid, scores: plainScores(initialise(2), plane.features) }).holds).toBe(false);
  });
});

it('pictures are written as files', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'penguins-')), 'out');
  const [path] = await savePictures(folder, { 'a.svg': '<svg></svg>' });
  expect(await readFile(path!, 'utf8')).toBe('<svg></svg>\n');
});
