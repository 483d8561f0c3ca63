import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';

/** Tests read every workspace package from its source: no build is needed first. */
export const conditions: string[] = ['@tf/source', ...defaultServerConditions];

const engineSource = fileURLToPath(new URL('engines/cpu-wasm/src/', import.meta.url));

/** Tests of a folder once more, with other defaults for every `cpu-wasm` engine. */
function again(folder: string, mode: string, defaults: string, include: readonly string[], exclude: readonly string[]): TestProjectInlineConfiguration {
  return {
    extends: true,
    plugins: [
      {
        name: defaults,
        enforce: 'pre',
        resolveId: (source, importer) => (/^\.\.?\/defaults\.ts$/.test(source) && importer?.startsWith(engineSource) === true ? `${engineSource}${defaults}` : undefined),
      },
    ],
    test: { name: `${folder} ${mode}`, root: folder, include: [...include], exclude: [...exclude], testTimeout: 120_000 },
  };
}

/** In debug mode. */
export function debugMemory(folder: string, include: readonly string[], exclude: readonly string[] = []): TestProjectInlineConfiguration {
  return again(folder, 'in debug mode', 'defaults.testing.ts', include, exclude);
}

/** On three threads, among which every step is divided that can be. */
export function onThreads(folder: string, include: readonly string[], exclude: readonly string[] = []): TestProjectInlineConfiguration {
  return again(folder, 'on threads', 'defaults.threads.testing.ts', include, exclude);
}

/** What runs in processes of its own, which know nothing of a mode, or looks at time or at the size of the memory. */
const elsewhere = ['src/limits/**', 'src/traps/limits.test.ts', 'src/traps/packed.test.ts', 'src/traps/process.test.ts'];

/** The engine's suite and all that runs on it from outside, in a mode; `without` what sets for itself what the mode sets. */
export function engineInMode(inMode: typeof debugMemory, without: readonly string[] = []): ViteUserConfig {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      passWithNoTests: false,
      projects: ['engines/cpu-wasm', 'tests-integration/agreement', 'tests-integration/oracle'].map((folder) => inMode(folder, ['src/**/*.test.ts'], [...elsewhere, ...without])),
    },
  };
}
