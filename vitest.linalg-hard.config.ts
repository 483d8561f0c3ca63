import { defineConfig } from 'vitest/config';
import { conditions } from './vitest.shared.ts';

// pnpm test:linalg-hard: every decomposition on the families of hard matrices; some minutes.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: [{ extends: true as const, test: { name: 'extensions/linalg, hard matrices', root: 'extensions/linalg', include: ['lapack-hard.slow.testing.ts'], globalSetup: ['../../scripts/kernels.setup.mjs'] } }],
  },
});
