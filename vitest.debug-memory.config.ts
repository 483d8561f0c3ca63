import { defineConfig } from 'vitest/config';
import { conditions, debugMemory } from './vitest.shared.ts';

// pnpm test:debug-memory: the engine's suite and all that runs on it from outside, in debug mode.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: ['engines/cpu-wasm', 'tests-integration/agreement', 'tests-integration/oracle'].map((folder) => debugMemory(folder, ['src/**/*.test.ts'])),
  },
});
