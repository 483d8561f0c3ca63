import { existsSync, readdirSync } from 'node:fs';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Tests read every workspace package from its source: no build is needed first.
const conditions = ['@tf/source', ...defaultServerConditions];

const rooms = ['packages', 'extensions', 'engines', 'tests-integration', 'examples'];

const projects = rooms
  .filter((room) => existsSync(new URL(room, import.meta.url)))
  .flatMap((room) => readdirSync(new URL(room, import.meta.url)).map((name) => `${room}/${name}`))
  .concat('bench')
  .filter((folder) => existsSync(new URL(`${folder}/package.json`, import.meta.url)));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    projects: projects.map((folder) => ({
      extends: true as const,
      test: {
        name: folder,
        root: folder,
        include: ['src/**/*.test.ts'],
        testTimeout: 30_000,
      },
    })),
  },
});
