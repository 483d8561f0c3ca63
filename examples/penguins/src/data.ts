import { readFile } from 'node:fs/promises';

export const speciesNames = ['Adelie', 'Chinstrap', 'Gentoo'] as const;
export type Species = (typeof speciesNames)[number];

/** The four measurements, in the order of the columns that the network sees. */
export const measurements = [
  { column: 'Beak Length (mm)', label: 'Bill length', unit: 'mm' },
  { column: 'Beak Depth (mm)', label: 'Bill depth', unit: 'mm' },
  { column: 'Flipper Length (mm)', label: 'Flipper length', unit: 'mm' },
  { column: 'Body Mass (g)', label: 'Body mass', unit: 'g' },
] as const;

export interface Penguin {
  readonly species: Species;
  /** In the order of {@link measurements}, in millimetres and grams. */
  readonly measured: readonly number[];
}

export interface Dataset {
  readonly penguins: readonly Penguin[];
  readonly rows: number;
  readonly withoutMeasurements: number;
  /** Penguins that are kept although their sex is missing or unreadable: the network does not use it. */
  readonly withoutSex: number;
}

type Row = Readonly<Record<string, string | number | null>>;

/** The penguins of Palmer Station (Gorman, Williams and Fraser 2014; CC0), as the npm package vega-datasets brings them. */
export async function loadPenguins(): Promise<Dataset> {
  const file = new URL('../data/penguins.json', import.meta.resolve('vega-datasets'));
  return readPenguins(JSON.parse(await readFile(file, 'utf8')) as readonly Row[]);
}

/** Keeps the rows with all four measurements and counts what is missing. */
export function readPenguins(rows: readonly Row[]): Dataset {
  const penguins: Penguin[] = [];
  let withoutSex = 0;
  for (const row of rows) {
    const measured = measurements.map(({ column }) => row[column]);
    if (!measured.every((value) => typeof value === 'number' && Number.isFinite(value))) continue;
    if (row['Sex'] !== 'MALE' && row['Sex'] !== 'FEMALE') withoutSex++;
    penguins.push({ species: speciesOf(row), measured: measured as readonly number[] });
  }
  return { penguins, rows: rows.length, withoutMeasurements: rows.length - penguins.length, withoutSex };
}

function speciesOf(row: Row): Species {
  const species = speciesNames.find((name) => name === row['Species']);
  if (species === undefined) throw new Error(`penguins: the species ${JSON.stringify(row['Species'])} is none of ${speciesNames.join(', ')}.`);
  return species;
}

/** What is missing, in words. */
export function describeData({ penguins, rows, withoutMeasurements, withoutSex }: Dataset): readonly string[] {
  return [
    `${rows} penguins; ${withoutMeasurements} without measurements are left out, ${penguins.length} remain`,
    `sex is missing in ${withoutSex} of these; it is not an input of the network, so they stay`,
  ];
}
