import { defineConfig } from 'vitest/config';
import { conditions } from './vitest.shared.ts';

// pnpm docs:test, after the site was built: its links, and its pages in Chromium.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: [{ extends: true as const, test: { name: 'site', root: 'docs', include: ['browser/*.test.ts'], testTimeout: 240_000, hookTimeout: 120_000, fileParallelism: false } }],
  },
});
