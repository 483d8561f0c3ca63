import { fileURLToPath } from 'node:url';
import { makeApi } from './make/api.ts';
import { makeBench } from './make/bench.ts';
import { makeFigures } from './make/figures.ts';
import { makeGallery } from './make/gallery.ts';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const makers: Readonly<Record<string, () => Promise<void>>> = {
  api: () => makeApi(path('api')),
  figures: () => makeFigures(path('public/made/figures')),
  gallery: () => makeGallery(path('public/made/gallery')),
  bench: async () => makeBench(path('public/made/bench')),
};

/** Makes what pages show and git does not keep. */
export async function main(args: readonly string[]): Promise<number> {
  const wanted = args.length === 0 ? Object.keys(makers) : args;
  const unknown = wanted.filter((name) => !Object.hasOwn(makers, name));
  if (unknown.length > 0) {
    console.log(`usage: node scripts/source.mjs docs [${Object.keys(makers).join('|')} …]`);
    return 2;
  }
  for (const name of wanted) {
    const start = performance.now();
    await makers[name]!();
    console.log(`made ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  }
  return 0;
}
