import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readArguments, UsageError } from './arguments.ts';
import { holds } from './example.ts';
import { gallery } from './gallery.ts';
import { runGallery } from './main.ts';
import { numberLines } from './report.ts';

describe('the gallery', () => {
  it('has every folder with an example in its table, by its name', () => {
    const folders = readdirSync(new URL('.', import.meta.url)).filter((name) => existsSync(new URL(`${name}/run.ts`, import.meta.url)));
    expect(gallery.map(({ name }) => name).sort()).toEqual(folders.sort());
    expect(gallery.length).toBeGreaterThan(0);
  });

  it('says of each example what it is', () => {
    for (const { title, text } of gallery) {
      expect(title.length).toBeGreaterThan(10);
      expect(text.length).toBeGreaterThan(200);
    }
  });
});

describe('what is promised of a number', () => {
  const known = { value: 2, source: 'counting' };

  it('holds within a distance of the known answer, on the right side of a limit, and never for NaN', () => {
    expect(holds({ what: 'x', value: 2.1, known, claim: { within: 0.2 } })).toBe(true);
    expect(holds({ what: 'x', value: 1.7, known, claim: { within: 0.2 } })).toBe(false);
    expect(holds({ what: 'x', value: 2, claim: { within: 0.2 } })).toBe(false);
    expect(holds({ what: 'x', value: 3, claim: { atMost: 2 } })).toBe(false);
    expect(holds({ what: 'x', value: 3, claim: { atLeast: 2 } })).toBe(true);
    for (const claim of [{ within: 1 }, { atMost: 1 }, { atLeast: 1 }]) expect(holds({ what: 'x', value: NaN, known, claim })).toBe(false);
  });

  it('is printed beside the number, its known answer and its distance', () => {
    expect(numberLines([{ what: 'energy', value: 2.1, unit: 'J', known, claim: { within: 0.05 } }, { what: 'x', value: 1 }])).toEqual([
      '✗ energy  2.1 J  ·  counting 2, off by 1.0e-1  ·  wanted: within 0.05',
      '  x       1',
    ]);
  });
});

describe('the command line', () => {
  it('names examples, scale and folder', () => {
    expect(readArguments(['ising', '--quick', '--out', '/tmp/x'])).toMatchObject({ examples: [{ name: 'ising' }], scale: 'quick', out: '/tmp/x' });
    expect(readArguments([])).toMatchObject({ examples: gallery, scale: 'full' });
    expect(readArguments(['--list'])).toContain('ising: ');
  });

  it('refuses what it does not know, and says what there is', () => {
    expect(() => readArguments(['izing'])).toThrow(UsageError);
    expect(() => readArguments(['izing'])).toThrow(/no example "izing"[^]*ising/);
    expect(() => readArguments(['--fast'])).toThrow(/--fast[^]*--quick/);
  });

  it('refuses a folder that cannot be made before anything runs', async () => {
    const lines: string[] = [];
    const terminal = { line: (text: string) => void lines.push(text), progress: () => undefined, endProgress: () => undefined };
    const out = fileURLToPath(import.meta.url);
    await expect(runGallery({ examples: gallery, scale: 'quick', out }, terminal)).rejects.toThrow(UsageError);
    expect(lines).toEqual([]);
  });
});
