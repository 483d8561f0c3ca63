import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGalleryEngine, gallery, type GalleryExample, type GalleryResult } from '@tf/example-gallery';
import { readData } from '@tf/example-gallery/data';
import { fileOf } from '@tf/example-gallery/save';
import { writePicture } from './pictures.ts';
import { repository } from '../site/repository.ts';
import type { RecordedRun, ShownExample } from '../gallery/shown.ts';

/** Runs every example at its small size, and keeps what its page shows: pictures, numbers, code, and the data that it reads. */
export async function makeGallery(out: string): Promise<void> {
  mkdirSync(join(out, 'data'), { recursive: true });
  const shown: ShownExample[] = [];
  for (const example of gallery) {
    const start = performance.now();
    const { numbers, pictures } = await runExample(example, join(out, 'data'));
    const seconds = (performance.now() - start) / 1000;
    const folder = join(out, example.name);
    mkdirSync(folder, { recursive: true });
    for (const picture of pictures) writePicture(folder, picture);
    const { name, title, text } = example;
    shown.push({ name, title, text, seconds, numbers, ...recordedOf(name), pictures: pictures.map((picture) => ({ file: fileOf(picture).file, title: picture.title, explanation: picture.explanation })), code: codeOf(name) });
  }
  writeFileSync(join(out, 'gallery.json'), JSON.stringify(shown));
}

async function runExample(example: GalleryExample, data: string): Promise<GalleryResult> {
  const engine = await createGalleryEngine(example.kernels);
  try {
    return await example.run({
      engine, scale: 'quick', progress() {},
      readData: async (file) => {
        const text = await readData(file);
        writeFileSync(join(data, file), text);
        return text;
      },
    });
  } finally {
    engine.dispose();
  }
}

/** What people read first, then the rest; tests are left out. */
function codeOf(name: string): ShownExample['code'] {
  const folder = join(repository, 'examples/gallery/src', name);
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !/\.(test|bench|testing)\.ts$/.test(file));
  const rank = (file: string): number => ['problem.ts', 'run.ts'].indexOf(file) + 1 || 3;
  return files.sort((a, b) => rank(a) - rank(b)).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}

/** The run in full, where one is recorded. */
function recordedOf(name: string): { readonly full?: RecordedRun } {
  const path = join(repository, 'examples/gallery/recorded', `${name}.json`);
  return existsSync(path) ? { full: JSON.parse(readFileSync(path, 'utf8')) as RecordedRun } : {};
}
