import { measurements, type Penguin, speciesNames } from './data.ts';
import { createRandom, shuffle } from './random.ts';

/** Means and standard deviations of the training part, by which both parts are standardised. */
export interface Scale {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** Penguins as the network sees them. */
export interface Part {
  readonly penguins: readonly Penguin[];
  /** Row-major [penguins, 4], standardised. */
  readonly features: Float64Array;
  /** Index into `speciesNames` for each penguin. */
  readonly labels: Int32Array;
}

export interface Split {
  readonly train: Part;
  readonly test: Part;
  readonly scale: Scale;
}

/** Holds out a quarter of each species, so that both parts have the species in equal shares. */
export function splitPenguins(penguins: readonly Penguin[], seed: number, heldOut = 0.25): Split {
  const random = createRandom(seed);
  const train: Penguin[] = [];
  const test: Penguin[] = [];
  for (const name of speciesNames) {
    const group = shuffle(penguins.filter(({ species }) => species === name), random);
    const count = Math.round(group.length * heldOut);
    test.push(...group.slice(0, count));
    train.push(...group.slice(count));
  }
  const scale = measureScale(train);
  return { train: makePart(train, scale), test: makePart(test, scale), scale };
}

export function measureScale(penguins: readonly Penguin[]): Scale {
  const mean = measurements.map((_, column) => average(penguins.map(({ measured }) => measured[column] as number)));
  const deviation = mean.map((centre, column) => Math.sqrt(average(penguins.map(({ measured }) => ((measured[column] as number) - centre) ** 2))));
  return { mean, deviation };
}

/** (x − mean) / deviation for the measurements of one penguin. */
export function standardise(measured: readonly number[], { mean, deviation }: Scale): readonly number[] {
  return measured.map((value, column) => (value - (mean[column] as number)) / (deviation[column] as number));
}

function makePart(penguins: readonly Penguin[], scale: Scale): Part {
  return {
    penguins,
    features: Float64Array.from(penguins.flatMap(({ measured }) => standardise(measured, scale))),
    labels: Int32Array.from(penguins, ({ species }) => speciesNames.indexOf(species)),
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
