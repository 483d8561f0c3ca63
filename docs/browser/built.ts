import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where `pnpm run docs` builds the site. */
export const built: string = fileURLToPath(new URL('../dist/', import.meta.url));

export function requireBuilt(): void {
  if (!existsSync(`${built}index.html`)) throw new Error('The site is not built: pnpm run docs');
}
