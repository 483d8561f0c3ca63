import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import type { TestProjectInlineConfiguration } from 'vitest/config';

/** Tests read every workspace package from its source: no build is needed first. */
export const conditions: string[] = ['@tf/source', ...defaultServerConditions];

const engineSource = fileURLToPath(new URL('engines/cpu-wasm/src/', import.meta.url));

/** Tests of a folder once more, with every `cpu-wasm` engine in debug mode. */
export function debugMemory(folder: string, include: readonly string[], exclude: readonly string[] = []): TestProjectInlineConfiguration {
  return {
    extends: true,
    plugins: [
      {
        name: 'debug-memory',
        enforce: 'pre',
        resolveId: (source, importer) => (/^\.\.?\/defaults\.ts$/.test(source) && importer?.startsWith(engineSource) === true ? `${engineSource}defaults.testing.ts` : undefined),
      },
    ],
    test: { name: `${folder} in debug mode`, root: folder, include: [...include], exclude: [...exclude], testTimeout: 120_000 },
  };
}
