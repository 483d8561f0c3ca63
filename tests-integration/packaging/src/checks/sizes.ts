/** How many bytes of JavaScript bundles have, and that what is not used is not in them. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { CleanFolder } from '../clean-folder.ts';
import { entriesOf, type PackedPackage } from '../packed.ts';
import type { Section } from '../section.ts';

/** Bytes of gzip, by what is bundled. */
export interface Budgets {
  /** Programs with all that they import: `code`, and at most `gzip` bytes of it; none of `without` is in them. */
  readonly programs: Readonly<Record<string, { readonly code: string; readonly gzip: number; readonly without?: readonly string[] }>>;
  /** Entries whole, without what they import from other packages. */
  readonly entries: Readonly<Record<string, number>>;
}

export const budgetsFile: string = fileURLToPath(new URL('../../budgets.json', import.meta.url));

export function readBudgets(): Budgets {
  return JSON.parse(readFileSync(budgetsFile, 'utf8')) as Budgets;
}

interface Bundle {
  readonly text: string;
  readonly minified: number;
  readonly gzip: number;
}

/** `external`: what stays an import. */
export async function bundle(folder: string, code: string, external: readonly string[] = []): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'js' },
    bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', platform: 'neutral', logLevel: 'silent', external: ['node:*', ...builtinModules, ...external],
  });
  const [{ contents, text }] = outputFiles as [(typeof outputFiles)[0]];
  return { text, minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** What an entry leaves in a bundle that imports it and uses nothing of it. */
async function unusedFaults(folder: CleanFolder, entry: string): Promise<readonly string[]> {
  const lines = [`import ${JSON.stringify(entry)};`, `import * as unused from ${JSON.stringify(entry)};`];
  const left = await Promise.all(lines.map(async (line) => (await bundle(folder.path, line)).text.trim()));
  return left.filter((text) => text !== '').slice(0, 1).map((text) => `${entry}: imported and not used, it leaves ${text.length} bytes: ${text.slice(0, 80)}`);
}

export async function checkSizes(folder: CleanFolder, packages: readonly PackedPackage[], budgets: Budgets = readBudgets()): Promise<Section> {
  const entries = packages.flatMap(entriesOf);
  const faults: string[] = [];
  const notes: string[] = [];
  const judge = (name: string, { minified, gzip }: Bundle, budget: number | undefined): void => {
    notes.push(`${name}: ${kilobytes(gzip)} gzip (${kilobytes(minified)} minified), budget ${budget === undefined ? 'none' : kilobytes(budget)}`);
    if (budget === undefined) faults.push(`${name}: no budget in budgets.json; it has ${gzip} bytes`);
    else if (gzip > budget) faults.push(`${name}: ${gzip} bytes of gzip, ${gzip - budget} over its budget`);
  };
  for (const [name, { code, gzip, without = [] }] of Object.entries(budgets.programs)) {
    const bundled = await bundle(folder.path, code);
    judge(name, bundled, gzip);
    faults.push(...without.filter((text) => bundled.text.includes(text)).map((text) => `${name}: ${JSON.stringify(text)} is in it and is not used`));
  }
  // Nor do the kernels' codes count, which are loaded apart, as files or as text.
  const others = (entry: string): readonly string[] => [...packages.map(({ name }) => name).filter((name) => !(entry === name || entry.startsWith(`${name}/`))), '*.wasm.mjs'];
  for (const entry of entries) {
    judge(entry, await bundle(folder.path, `export * from ${JSON.stringify(entry)};`, others(entry)), budgets.entries[entry]);
    faults.push(...(await unusedFaults(folder, entry)));
  }
  faults.push(...Object.keys(budgets.entries).filter((entry) => !entries.includes(entry)).map((entry) => `budgets.json names ${entry}, which is no entry`));
  return { name: 'sizes', counted: { programs: Object.keys(budgets.programs).length, entries: entries.length, 'empty bundles': entries.length }, faults, notes };
}
