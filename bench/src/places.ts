import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `src` and `dist` both lie one below it. */
export const benchFolder: string = fileURLToPath(new URL('..', import.meta.url));
export const repositoryFolder: string = join(benchFolder, '..');
export const peersFolder: string = join(benchFolder, 'peers');
export const resultsFolder: string = join(benchFolder, 'results');
export const readmePath: string = join(repositoryFolder, 'README.md');
