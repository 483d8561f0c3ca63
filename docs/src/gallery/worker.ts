/** Runs one example of the gallery. The page ends this worker after it, or when a person stops it. */
import { createGalleryEngine, gallery } from '@tf/example-gallery';
import type { GalleryMessage, GalleryRequest } from './messages.ts';

const scope = globalThis as unknown as { postMessage(message: GalleryMessage): void; onmessage: ((event: { readonly data: GalleryRequest }) => void) | null };

async function run({ name, scale, data }: GalleryRequest): Promise<GalleryMessage> {
  const example = gallery.find((candidate) => candidate.name === name);
  if (example === undefined) throw new Error(`The gallery has no example ${name}.`);
  const start = performance.now();
  const engine = await createGalleryEngine(example.kernels);
  const result = await example.run({
    engine, scale,
    progress: (progress) => scope.postMessage({ kind: 'progress', progress }),
    readData: async (file) => {
      const response = await fetch(`${data}${file}`);
      if (!response.ok) throw new Error(`${file}: ${response.status}`);
      return response.text();
    },
  });
  return { kind: 'result', result, seconds: (performance.now() - start) / 1000 };
}

scope.onmessage = ({ data }) => void run(data).then((message) => scope.postMessage(message), (thrown: unknown) => scope.postMessage({ kind: 'failure', name: thrown instanceof Error ? thrown.name : 'Thrown', message: thrown instanceof Error ? thrown.message : String(thrown) }));
