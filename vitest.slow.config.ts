import { defineConfig } from 'vitest/config';
import { conditions } from './vitest.shared.ts';

// pnpm fuzz:mutants: every wrong rule, pass and engine is found within 2000 programs.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: [{ extends: true as const, test: { name: 'tests-integration/fuzz, slow', root: 'tests-integration/fuzz', include: ['src/**/*.slow.testing.ts'] } }],
  },
});
