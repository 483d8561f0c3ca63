import { describe, expect, it } from 'vitest';
import { describeData, loadPenguins, readPenguins, speciesNames } from './data.ts';

const row = { Species: 'Gentoo', 'Beak Length (mm)': 46, 'Beak Depth (mm)': 14, 'Flipper Length (mm)': 210, 'Body Mass (g)': 5000, Sex: 'MALE' };

describe('the penguins', () => {
  it('come in 344 rows, of which 342 have measurements', async () => {
    const data = await loadPenguins();
    expect([data.rows, data.withoutMeasurements, data.penguins.length]).toEqual([344, 2, 342]);
    expect(speciesNames.map((name) => data.penguins.filter(({ species }) => species === name).length)).toEqual([151, 68, 123]);
    for (const { measured } of data.penguins) expect(measured.every((value) => value > 10 && value < 7000)).toBe(true);
  });

  it('are kept without a sex, which is counted and said', async () => {
    const data = await loadPenguins();
    expect(data.withoutSex).toBe(9);
    expect(describeData(data).join(' ')).toContain('sex is missing in 9');
  });

  it('are left out when one measurement is missing', () => {
    const data = readPenguins([row, { ...row, 'Body Mass (g)': null }, { ...row, Sex: '.' }]);
    expect([data.penguins.length, data.withoutMeasurements, data.withoutSex]).toEqual([2, 1, 1]);
    expect(data.penguins[0]).toEqual({ species: 'Gentoo', measured: [46, 14, 210, 5000] });
  });

  it('are refused when the species is unknown', () => {
    expect(() => readPenguins([{ ...row, Species: 'King' }])).toThrow(/"King" is none of Adelie, Chinstrap, Gentoo/);
  });
});
