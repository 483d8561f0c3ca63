import { defineConfig } from 'vitest/config';
import { conditions } from './vitest.shared.ts';

// pnpm test:slow: what npm test has one of each kind of. Every wrong rule, pass and engine is found within 2000 programs (pnpm fuzz:mutants
// runs these alone); every case of linear algebra on every engine; hard matrices; the gallery's promises in full.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: [
      { extends: true as const, test: { name: 'tests-integration/fuzz, slow', root: 'tests-integration/fuzz', include: ['src/**/*.slow.testing.ts'] } },
      { extends: true as const, test: { name: 'extensions/linalg, slow', root: 'extensions/linalg', include: ['*.slow.testing.ts'], testTimeout: 120_000, globalSetup: ['../../scripts/kernels.setup.mjs'] } },
      { extends: true as const, test: { name: 'examples/gallery, slow', root: 'examples/gallery', include: ['src/**/*.slow.testing.ts'], testTimeout: 3_600_000, globalSetup: ['../../scripts/kernels.setup.mjs'] } },
    ],
  },
});
