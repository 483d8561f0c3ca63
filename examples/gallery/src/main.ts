import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GalleryOptions, readArguments, UsageError } from './arguments.ts';
import { createGalleryEngine } from './engine.ts';
import { type GalleryExample, type GalleryResult, holds } from './example.ts';
import { savePictures } from './pictures/save.ts';
import { readData } from './read-data.ts';
import { numberLines } from './report.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** The command `pnpm gallery`: 0 where every promise holds. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readArguments(args);
    if (typeof options !== 'string') return await runGallery(options, createTerminal(process.stdout));
    console.log(options);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Runs examples one after the other, prints their numbers and writes their pictures. */
export async function runGallery(options: GalleryOptions, terminal: Terminal): Promise<number> {
  let broken = 0;
  // Before the minutes that the examples take.
  await mkdir(options.out, { recursive: true }).catch((error: unknown) => {
    throw new UsageError(`--out ${options.out}: no folder can be made there: ${error instanceof Error ? error.message : String(error)}`);
  });
  for (const example of options.examples) {
    terminal.line(`${example.name}: ${example.title}`);
    const { result, seconds } = await runOne(example, options, terminal);
    for (const text of numberLines(result.numbers)) terminal.line(text);
    for (const path of await saveResult(example, result, seconds, options)) terminal.line(`  → ${path}`);
    terminal.line(`  ${seconds.toFixed(1)} s\n`);
    broken += result.numbers.filter((number) => !holds(number)).length;
  }
  if (broken > 0) terminal.line(`${broken} ${broken === 1 ? 'number is' : 'numbers are'} not what the gallery promises (✗ above)`);
  return broken === 0 ? 0 : 1;
}

async function runOne(example: GalleryExample, { scale }: GalleryOptions, terminal: Terminal): Promise<{ readonly result: GalleryResult; readonly seconds: number }> {
  const engine = await createGalleryEngine(example.kernels);
  const start = performance.now();
  try {
    const result = await example.run({ engine, scale, progress: terminal.progress, readData });
    return { result, seconds: (performance.now() - start) / 1000 };
  } finally {
    terminal.endProgress();
    engine.dispose();
  }
}

/** The pictures, and `result.json` with the numbers. */
async function saveResult({ name, title }: GalleryExample, { numbers, pictures }: GalleryResult, seconds: number, { scale, out }: GalleryOptions): Promise<readonly string[]> {
  const folder = join(out, name);
  const paths = await savePictures(folder, pictures);
  const path = join(folder, 'result.json');
  const told = numbers.map((number) => ({ ...number, holds: holds(number) }));
  await writeFile(path, `${JSON.stringify({ name, title, scale, seconds, numbers: told, pictures: pictures.map((picture) => picture.name) }, undefined, 2)}\n`);
  return [...paths, path];
}
