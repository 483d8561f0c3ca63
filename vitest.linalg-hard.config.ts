import { defineConfig } from 'vitest/config';
import { conditions } from './vitest.shared.ts';

// pnpm test:linalg-hard: every decomposition, and the functions against high precision, on the families of hard matrices. One file after the other: both write one table.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: [{ extends: true as const, test: { name: 'extensions/linalg, hard matrices', root: 'extensions/linalg', fileParallelism: false, include: ['*-hard.slow.testing.ts'], globalSetup: ['../../scripts/kernels.setup.mjs'] } }],
  },
});
