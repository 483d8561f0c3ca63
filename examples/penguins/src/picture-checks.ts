import { parseHTML } from 'linkedom';
import type { Check } from './checks.ts';
import { speciesNames } from './data.ts';
import { colours, type CurvePoint, type Curves, ringCount, thin } from './pictures.ts';
import { type Grid, margins } from './regions.ts';
import type { Split } from './split.ts';

type Point = readonly [number, number];

/** Pixels by which a drawn point may be off: coordinates are written with three decimals. */
const tolerance = 0.01;

/** A drawn curve beside the values that it stands for. */
interface DrawnCurve {
  readonly points: readonly Point[];
  readonly wanted: readonly Point[];
}

/** Reads the loss picture back: four curves, each point where one scale puts its step and the logarithm of its loss. */
export function checkLossPicture(svg: string, { traced, eager }: Curves): Check {
  const picture = parseSvg(svg);
  const rings = thin(eager, ringCount);
  const curves = (['train', 'test'] as const).flatMap((part): readonly DrawnCurve[] => [
    { points: pathPoints(picture, `g.traced-${part} path`), wanted: logarithmic(traced, part) },
    { points: circlePoints(picture, `g.eager-${part} circle`), wanted: logarithmic(rings, part) },
  ]);
  const complete = curves.every(({ points, wanted }) => points.length === wanted.length && points.length > 1);
  const points = curves.flatMap((curve) => curve.points);
  const off = complete ? Math.max(...([0, 1] as const).map((axis) => misfit(curves.flatMap(({ wanted }) => wanted), points, axis))) : Infinity;
  const expected = curves.reduce((sum, { wanted }) => sum + wanted.length, 0);
  return { claim: 'loss picture: four curves, every point in its place', holds: off < tolerance, detail: `${points.length} of ${expected} points, at most ${off.toFixed(4)} px off` };
}

function logarithmic(points: readonly CurvePoint[], part: 'train' | 'test'): readonly Point[] {
  return points.map((point) => [point.step, Math.log(point[part])]);
}

/** Largest distance of the drawn coordinates from the straight line through them that fits best. */
function misfit(wanted: readonly Point[], drawn: readonly Point[], axis: 0 | 1): number {
  const mean = (points: readonly Point[]): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [from, to] = [mean(wanted), mean(drawn)];
  let [product, square] = [0, 0];
  wanted.forEach((point, at) => {
    product += (point[axis] - from) * (drawn[at]![axis] - to);
    square += (point[axis] - from) ** 2;
  });
  return Math.max(...wanted.map((point, at) => Math.abs(drawn[at]![axis] - to - (product / square) * (point[axis] - from))));
}

/** Reads the other picture back: a disc or ring for each penguin, and regions as large as the network's answers say. */
export function checkRegionPicture(svg: string, split: Split, grid: Grid): Check {
  const picture = parseSvg(svg);
  const missing = speciesNames.flatMap((species) => [
    split.train.penguins.filter((penguin) => penguin.species === species).length - count(picture, `g.penguins-training circle[fill="${colours[species]}"]`),
    split.test.penguins.filter((penguin) => penguin.species === species).length - count(picture, `g.penguins-held-out circle[stroke="${colours[species]}"]`),
  ]).reduce((sum, difference) => sum + Math.abs(difference), 0);
  const areas = speciesNames.map((species) => areaOf(pathPoints(picture, `g.region-${species} path`)));
  const whole = areas.reduce((sum, area) => sum + area, 0);
  const off = Math.max(...speciesNames.map((_, at) => Math.abs(areas[at]! / whole - share(grid, at))));
  const penguins = split.train.penguins.length + split.test.penguins.length;
  return {
    claim: 'region picture: every penguin, and regions of the right size',
    holds: missing === 0 && off < 0.01,
    detail: `${penguins - missing} of ${penguins} penguins; ${speciesNames.map((name, at) => `${name} ${(100 * areas[at]! / whole).toFixed(1)} %`).join(', ')} of the plane, at most ${(100 * off).toFixed(2)} % off`,
  };
}

/** The share of grid points where the network names a species. */
function share(grid: Grid, species: number): number {
  return margins(grid, species).filter((margin) => margin >= 0).length / (grid.columns * grid.rows);
}

function parseSvg(svg: string): Document {
  return parseHTML(`<!doctype html><html><body>${svg}</body></html>`).document as unknown as Document;
}

function count(picture: Document, selector: string): number {
  return picture.querySelectorAll(selector).length;
}

function circlePoints(picture: Document, selector: string): readonly Point[] {
  return Array.from(picture.querySelectorAll(selector), (circle) => [Number(circle.getAttribute('cx')), Number(circle.getAttribute('cy'))]);
}

/** The corners of a path of straight lines. */
function pathPoints(picture: Document, selector: string): readonly Point[] {
  const d = picture.querySelector(selector)?.getAttribute('d') ?? '';
  return [...d.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** The area inside one closed ring (Gauss's formula). */
function areaOf(ring: readonly Point[]): number {
  return Math.abs(ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0)) / 2;
}
