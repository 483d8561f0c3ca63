/** The complex arguments at which functions are measured. */
import { type Format, roundTo } from './format.ts';
import { type Random, randomFrom } from './random.ts';

/** Real and imaginary part; neither is 0. */
export type ComplexPoint = readonly [re: number, im: number];

const signed = (random: Random, magnitude: number): number => (random.word() % 2 === 0 ? magnitude : -magnitude);

/** Of any sign, evenly over the binades between. */
const between = (random: Random, low: number, high: number): number => signed(random, 2 ** random.uniform(low, high));

/** Where functions have their zeros, poles, branch points and cuts: multiples of ±π/2 and ±1 on either axis, and the unit circle. */
function special(random: Random): ComplexPoint {
  const angle = random.uniform(-Math.PI, Math.PI);
  const list: readonly ComplexPoint[] = [[1, 0], [-1, 0], [0, 1], [0, -1], [0, 0], [random.uniform(-2, 2), 0], [0, random.uniform(-2, 2)], [Math.cos(angle), Math.sin(angle)]];
  const turns = (1 + (random.word() % 8)) * (Math.PI / 2);
  const pick = random.word() % (list.length + 2);
  return list[pick] ?? (pick % 2 === 0 ? [signed(random, turns), 0] : [0, signed(random, turns)]);
}

/** A quarter at ordinary places, a quarter near special ones, a quarter with parts of very different size, a quarter over many binades. */
function drawn(random: Random, format: Format, index: number): ComplexPoint {
  const reach = format.largestExponent / 2 - 2;
  switch (index % 4) {
    case 0:
      return [signed(random, random.uniform(2 ** -6, 8)), signed(random, random.uniform(2 ** -6, 8))];
    case 1: {
      const [re, im] = special(random);
      const off = (): number => between(random, -format.stored - 8, -1);
      return [re + off(), im + off()];
    }
    case 2:
      return random.word() % 2 === 0 ? [between(random, -3, 3), between(random, -reach, -3)] : [between(random, -reach, -3), between(random, -3, 3)];
    default:
      return index % 8 === 3 ? [between(random, -10, 9), between(random, -10, 9)] : [between(random, -reach, reach), between(random, -reach, reach)];
  }
}

/** The angle of 2^z, y·ln 2, is known to twice the precision: the points end where that is used up. */
export function complexPointsOf(name: string, format: Format, count: number): readonly ComplexPoint[] {
  const random = randomFrom(`${name} ${format.dtype} complex`);
  const points: ComplexPoint[] = [];
  for (let index = 0; points.length < count; index++) {
    const [re, im] = drawn(random, format, index).map((part) => roundTo(format, part)) as unknown as ComplexPoint;
    if (re !== 0 && im !== 0 && (name !== 'exp2' || Math.abs(im) < 2 ** (format.stored - 4))) points.push([re, im]);
  }
  return points;
}
