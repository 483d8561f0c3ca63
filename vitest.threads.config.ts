import { defineConfig } from 'vitest/config';
import { conditions, onThreads } from './vitest.shared.ts';

/** What runs in processes of its own, which know nothing of the mode, or looks at the size of the memory or at time. */
const elsewhere = ['src/limits/**', 'src/traps/limits.test.ts', 'src/traps/packed.test.ts', 'src/traps/process.test.ts'];

// pnpm test:threads: the engine's suite and all that runs on it from outside, with every step on three threads.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: ['engines/cpu-wasm', 'tests-integration/agreement', 'tests-integration/oracle'].map((folder) => onThreads(folder, ['src/**/*.test.ts'], elsewhere)),
  },
});
