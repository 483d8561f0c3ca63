import { readFileSync } from 'node:fs';
import { exampleMarkdown, galleryMarkdown } from '../src/gallery/markdown.ts';
import type { ShownExample } from '../src/gallery/shown.ts';

interface Path {
  readonly params: { readonly name: string };
  readonly content: string;
}

/** What `src/make/gallery.ts` kept of the runs. */
export default {
  paths(): readonly Path[] {
    const examples = JSON.parse(readFileSync(new URL('../public/made/gallery/gallery.json', import.meta.url), 'utf8')) as readonly ShownExample[];
    return [{ params: { name: 'index' }, content: galleryMarkdown(examples) }, ...examples.map((example) => ({ params: { name: example.name }, content: exampleMarkdown(example) }))];
  },
};
