import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { conditions, debugMemory } from './vitest.shared.ts';

const rooms = ['packages', 'extensions', 'engines', 'tests-integration', 'examples'];

const projects = rooms
  .filter((room) => existsSync(new URL(room, import.meta.url)))
  .flatMap((room) => readdirSync(new URL(room, import.meta.url)).map((name) => `${room}/${name}`))
  .concat('bench', 'docs')
  .filter((folder) => existsSync(new URL(`${folder}/package.json`, import.meta.url)));

/** Where kernels may run: they are compiled before the tests, if something changed. */
const kernelSetup = (folder: string): string[] => (/^(packages|engines)\//.test(folder) ? [] : [fileURLToPath(new URL('scripts/kernels.setup.mjs', import.meta.url))]);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    // On two cores vitest would leave one of them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      ...projects.map((folder) => ({
        extends: true as const,
        test: {
          name: folder,
          root: folder,
          include: ['src/**/*.test.ts', '*.test.ts'],
          testTimeout: 30_000,
          globalSetup: kernelSetup(folder),
        },
      })),
      // A small part of `pnpm test:debug-memory`.
      debugMemory('engines/cpu-wasm', ['src/executable.test.ts', 'src/codegen/indexed.test.ts', 'src/memory/guarded.test.ts']),
      debugMemory('tests-integration/agreement', ['src/mixing.test.ts', 'src/custom-operation.test.ts']),
    ],
  },
});
