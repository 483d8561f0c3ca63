import { describe, expect, it } from 'vitest';
import { loadPenguins, speciesNames } from './data.ts';
import { splitPenguins } from './split.ts';

describe('the split', () => {
  it('holds out a quarter of each species and loses nobody', async () => {
    const { penguins } = await loadPenguins();
    const { train, test } = splitPenguins(penguins, 1);
    expect([train.penguins.length, test.penguins.length]).toEqual([256, 86]);
    expect(new Set([...train.penguins, ...test.penguins]).size).toBe(342);
    expect(speciesNames.map((_, label) => test.labels.filter((own) => own === label).length)).toEqual([38, 17, 31]);
  });

  it('depends on the seed and on nothing else', async () => {
    const { penguins } = await loadPenguins();
    expect(splitPenguins(penguins, 7)).toEqual(splitPenguins(penguins, 7));
    expect(splitPenguins(penguins, 7).test.features).not.toEqual(splitPenguins(penguins, 8).test.features);
  });

  it('standardises both parts by the training part', async () => {
    const { penguins } = await loadPenguins();
    const { train, test, scale } = splitPenguins(penguins, 1);
    for (let column = 0; column < 4; column++) {
      const values = train.penguins.map((_, row) => train.features[row * 4 + column] as number);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + value * value, 0) / values.length;
      expect(mean).toBeCloseTo(0, 12);
      expect(variance).toBeCloseTo(1, 12);
      const first = test.penguins[0]!;
      expect(test.features[column]! * scale.deviation[column]! + scale.mean[column]!).toBeCloseTo(first.measured[column]!, 9);
    }
  });
});
