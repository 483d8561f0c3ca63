/** A folder served with the headers that a situation asks for; pages post what they did. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

export interface Site {
  readonly origin: string;
  /** What the next page posts. */
  outcome(): Promise<unknown>;
  close(): void;
}

export async function serveFolder(folder: string, headers: Readonly<Record<string, string>>): Promise<Site> {
  const waiting: ((outcome: unknown) => void)[] = [];
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'POST') {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => void parts.push(part));
      request.on('end', () => {
        waiting.shift()?.(JSON.parse(Buffer.concat(parts).toString()));
        response.end();
      });
      return;
    }
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
    readFile(file).then((bytes) => response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(bytes), () => response.writeHead(404).end());
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
