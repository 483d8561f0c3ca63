import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { transpileModule, ModuleKind, ScriptTarget } from 'typescript';
import { decay } from './decay.ts';

const penguins = new URL('../../../examples/penguins/src/', import.meta.url);
const pages = new URL('../pages/', import.meta.url);

/** Built packages by their names. */
const packages: Readonly<Record<string, string>> = {
  '@tf/core': 'packages/core', '@tf/traced': 'packages/traced', '@tf/eager': 'packages/eager', '@tf/engine-cpu-wasm': 'engines/cpu-wasm',
};

export interface Site {
  readonly origin: string;
  /** What the next page posts. */
  outcome(): Promise<unknown>;
  close(): void;
}

/** Serves the built packages, untouched but for the names of what they import: import maps do not reach workers. */
export async function serve(headers: Readonly<Record<string, string>>): Promise<Site> {
  const waiting: ((outcome: unknown) => void)[] = [];
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (part: Buffer) => void (body += part.toString()));
      request.on('end', () => {
        waiting.shift()?.(JSON.parse(body));
        response.end();
      });
      return;
    }
    answer(request.url ?? '/', response).catch((error: unknown) => response.writeHead(404).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outcome: () => new Promise((resolve) => waiting.push(resolve)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  const send = (type: string, text: string): void => void response.setHeader('content-type', type).end(text);
  if (path === '/penguins.json') send('application/json', await penguinRows());
  else if (path.endsWith('.wasm')) response.setHeader('content-type', path.endsWith('as-text.wasm') ? 'text/plain' : 'application/wasm').end(decay);
  else if (path.endsWith('.html')) send('text/html', `<!doctype html><title>tf</title><script type="module" src="/pages/${path.slice(1, -5)}.mjs"></script>`);
  else send('text/javascript', named(await script(path)));
}

async function script(path: string): Promise<string> {
  const [, room = '', ...rest] = path.split('/');
  const file = rest.join('/');
  if (room === 'pages') return readFile(new URL(file, pages), 'utf8');
  if (room === 'dist') return readFile(new URL(`../../../${packages[`@tf/${file}`] ?? 'absent'}/dist/index.js`, import.meta.url), 'utf8');
  if (room === 'penguins') return transpileModule(await readFile(new URL(file, penguins), 'utf8'), { compilerOptions: { target: ScriptTarget.ES2022, module: ModuleKind.ESNext, verbatimModuleSyntax: true } }).outputText;
  // What Node alone has: the example imports it, and its core never calls it.
  if (room === 'node') return 'export const readFile = undefined;';
  throw new Error(`nothing is served at ${path}`);
}

/** Bare names become addresses. */
function named(text: string): string {
  return text.replace(/(\bfrom\s*|\bimport\s*\(?\s*)(["'])(@tf\/example-penguins\/|@tf\/|node:)([a-z./-]+)\2/g, (_, before: string, quote: string, scope: string, name: string) => `${before}${quote}${rooms[scope] ?? '/'}${name}${quote}`);
}

const rooms: Readonly<Record<string, string>> = { '@tf/example-penguins/': '/penguins/', '@tf/': '/dist/', 'node:': '/node/' };

/** As the example reads them. */
async function penguinRows(): Promise<string> {
  const rows = JSON.parse(await readFile(new URL('../data/penguins.json', import.meta.resolve('vega-datasets')), 'utf8')) as readonly Readonly<Record<string, string | number | null>>[];
  const columns = ['Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)'];
  const penguinsOf = rows.map((row) => ({ species: row['Species'], measured: columns.map((column) => row[column]) }));
  return JSON.stringify(penguinsOf.filter(({ measured }) => measured.every((value) => typeof value === 'number')));
}
