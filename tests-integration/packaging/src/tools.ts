/** What `pnpm packaging` alone needs lies in `tools`, installed from its own lock file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { required } from './program.ts';

const folder = fileURLToPath(new URL('../tools/', import.meta.url));

export function tool(...path: readonly string[]): string {
  return join(folder, 'node_modules', ...path);
}

/** Where its modules are imported from. */
export const toolsManifest: string = join(folder, 'package.json');

export async function installTools(): Promise<void> {
  const [lock, installed] = [readFileSync(join(folder, 'package-lock.json'), 'utf8'), tool('.installed-lock.json')];
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  await required('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  writeFileSync(installed, lock);
}

export interface Runtime {
  readonly name: string;
  readonly program: string;
  /** What comes before a script. */
  readonly before: readonly string[];
}

export const nodes: readonly Runtime[] = [
  { name: `node ${process.versions.node}`, program: process.execPath, before: [] },
  { name: 'node 22', program: tool('node22/bin/node'), before: [] },
  { name: 'node 24', program: tool('node24/bin/node'), before: [] },
];

export const others: readonly Runtime[] = [
  { name: 'deno', program: tool('deno/deno'), before: ['run', '--allow-all', '--node-modules-dir=manual', '--no-remote'] },
  { name: 'bun', program: tool('bun/bin/bun'), before: [] },
];
