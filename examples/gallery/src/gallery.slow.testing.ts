import { describe, expect, it } from 'vitest';
import { createGalleryEngine } from './engine.ts';
import { holds } from './example.ts';
import { gallery } from './gallery.ts';
import { readData } from './read-data.ts';

describe('the gallery in full', () => {
  it.each(gallery.map((example) => [example.name, example] as const))('%s finds what it promises', async (_name, example) => {
    const engine = await createGalleryEngine(example.kernels);
    try {
      const { numbers } = await example.run({ engine, scale: 'full', progress() {}, readData });
      expect(numbers.filter((number) => !holds(number))).toEqual([]);
      expect(numbers.some(({ claim }) => claim !== undefined)).toBe(true);
    } finally {
      engine.dispose();
    }
  });
});
