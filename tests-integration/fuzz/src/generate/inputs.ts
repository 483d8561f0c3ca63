import { type DType, dtypes, isInexact, type TensorType, tensorType } from '@tf/core';
import { createRandom, type HostValue, hostValue } from '@tf/testkit';
import { at, type InputDraw, type ProgramDraw } from './draws.ts';

/**
 * What values inputs have. `tame`: of ordinary size, and steps that would leave it are softened; `ties`: few different
 * ones, the signed zeros among them; `special`: NaN, infinities, extremes; `mixed`: of any magnitude.
 */
export type Regime = 'tame' | 'ties' | 'special' | 'mixed';

export function regimeOf({ regime }: ProgramDraw): Regime {
  return regime < 62 ? 'tame' : regime < 76 ? 'ties' : regime < 88 ? 'special' : 'mixed';
}

/** No value of a program has more elements. */
export const maximumElements = 96;

const extents = [2, 1, 3, 2, 3, 4, 1, 2, 3, 5, 0, 2, 1, 3, 2, 4];

/** Cuts a shape down to {@link maximumElements}. */
function bounded(shape: readonly number[]): readonly number[] {
  let count = 1;
  return shape.map((extent) => {
    const kept = count * extent > maximumElements ? 1 : extent;
    count *= Math.max(1, kept);
    return kept;
  });
}

/** The base shape, an end of it, with ones for some axes, or something else. */
function shapeOf(base: readonly number[], { form, mask }: InputDraw): readonly number[] {
  const end = base.slice(mask % (base.length + 1));
  const withOnes = (shape: readonly number[]): readonly number[] => shape.map((extent, axis) => ((mask >> (axis + 2)) % 2 === 1 ? 1 : extent));
  switch (form % 8) {
    case 1:
      return end;
    case 2:
    case 3:
      return withOnes(base);
    case 4:
      return withOnes(end);
    case 5:
      return [];
    case 6:
      return [...base].reverse();
    case 7:
      return [at(extents, mask), ...base].slice(0, 4);
    default:
      return base;
  }
}

const profiles: readonly (readonly DType[])[] = [['float64'], ['float64', 'float64', 'float64', 'int32'], ['float32'], ['float32', 'float32', 'float32', 'bool'], ['float64', 'float32'], ['float64', 'float32', 'int32', 'bool'], ['float32', 'int32', 'int32'], ['float64', 'bool', 'int32', 'int32'], ['complex128'], ['complex128', 'float64', 'int32'], ['complex64', 'float32'], ['float64', 'complex128', 'int64'], ['int64', 'float64', 'float32', 'complex64']];

/** The inputs of a drawn program. The first is floating in nearly all of them. */
export function drawInputs(draw: ProgramDraw): readonly HostValue[] {
  const base = bounded(draw.base.map((extent) => at(extents, extent)));
  const profile = at(profiles, draw.profile);
  const regime = regimeOf(draw);
  return draw.inputs.map((input, index) => {
    const dtype = index === 0 && draw.profile % 20 !== 19 ? (profile[0] as DType) : at(profile, input.dtype);
    const shape = bounded(shapeOf(base, input));
    return hostValue(dtype, shape, values(dtype, shape.reduce((product, extent) => product * extent, 1), regime, input.seed) as number[]);
  });
}

const shapes: readonly (readonly number[])[] = [[2, 3], [3], [2, 2], [4], [1, 2], []];

/** An input that fits where none of the others does, of the shape of the first of them if it may be. */
export function inputFitting(fits: (type: TensorType) => boolean, regime: Regime, seed: number, first: readonly number[]): HostValue | undefined {
  const dtypeNames = Object.keys(dtypes) as DType[];
  const turned = dtypeNames.map((_, index) => dtypeNames[(index + seed) % dtypeNames.length] as DType);
  for (const shape of [first, ...shapes]) {
    const dtype = turned.find((candidate) => fits(tensorType(candidate, shape)));
    if (dtype !== undefined) return hostValue(dtype, shape, values(dtype, shape.reduce((product, extent) => product * extent, 1), regime, seed) as number[]);
  }
  return undefined;
}

/** Zeros twice each, as they are to meet each other. */
const tied = [1, -1, 0, 0.5, 2, -0, -0.5, -2, 0, -0];
/** Of these an operation treats each in its own way, and every pair of them. */
const singular = [NaN, 0, -0, Infinity, -Infinity];
const extremes = [1e-320, 1e300, -1e300, 3e38, -1e-40, 1.7976931348623157e308, 1, -1];
const extremeIntegers = [0, 2147483647, -2147483648, -1, 1];

/** Parts of complex numbers are drawn alike and apart. */
function values(dtype: DType, count: number, regime: Regime, seed: number): readonly number[] {
  const random = createRandom(seed * 7919 + count);
  const pick = (list: readonly number[]): number => list[Math.floor(random() * list.length)] as number;
  const ordinary = (): number => (random() < 0.5 ? -1 : 1) * (0.1 + 1.9 * random());
  const float = (): number => {
    if (regime === 'ties') return pick(tied);
    if (regime === 'special') return random() < 0.6 ? ordinary() : pick(random() < 0.6 ? singular : extremes);
    return regime === 'mixed' ? ordinary() * 10 ** (24 * random() - 12) : ordinary();
  };
  const integer = (): number => (regime === 'special' && random() < 0.2 ? pick(extremeIntegers) : Math.floor(9 * random()) - 4);
  return Array.from({ length: count * dtypes[dtype].lanes }, () => (isInexact(dtype) ? float() : dtype === 'bool' ? Number(random() < 0.5) : integer()));
}

const plainConstants = [2, 0.5, 1, -1, 0.1, 3, 0, -0, -1.5, 0.25];
const wildConstants = [...plainConstants, NaN, Infinity, -Infinity, 1e30, 1e-30, 2147483647];

/** A weak scalar. */
export function constantOf(regime: Regime, draw: number): number {
  return at(regime === 'special' || regime === 'mixed' ? wildConstants : plainConstants, draw);
}
