import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine } from '@tf/testkit';
import { familyModules } from './tables/families.ts';
import { promotionText } from './tables/promotion-text.ts';
import { supportRows } from './tables/support.ts';
import { supportText } from './tables/support-text.ts';

export interface Page {
  readonly path: string;
  readonly text: string;
}

/** The generated pages of docs/. */
export async function generatedPages(): Promise<readonly Page[]> {
  const engines = [createReferenceEngine({ modules: familyModules.host }), await createEngine({ modules: familyModules.wasm })];
  const support = supportText(supportRows(engines), engines);
  for (const engine of engines) engine.dispose();
  return [{ path: pathOf('support.md'), text: support }, { path: pathOf('promotion.md'), text: promotionText() }];
}

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

export const isCurrent = ({ path, text }: Page): boolean => readFileSync(path, 'utf8') === text;

/** Writes the pages and gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.log('usage: pnpm support');
    return 2;
  }
  for (const { path, text } of await generatedPages()) writeFileSync(path, text);
  return 0;
}
