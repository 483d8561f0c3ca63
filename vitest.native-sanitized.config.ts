import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { conditions } from './vitest.shared.ts';

const memory = fileURLToPath(new URL('engines/cpu-blas-native/src/memory/', import.meta.url));

/** What is compiled with sanitizers lies in a folder of its own, beside what is shipped. */
const sanitized = {
  name: 'native-sanitized',
  enforce: 'pre' as const,
  resolveId: (source: string, importer?: string): string | undefined => (/\/place\.ts$/.test(source) && importer?.includes('place.sanitized') === false ? `${memory}place.sanitized.testing.ts` : undefined),
  transform: (code: string): string | undefined => (/\/(build|native-build)\//.test(code) ? code.replaceAll(/\/(build|native-build)\//g, '/$1/sanitized/') : undefined),
};

const project = (folder: string, include: readonly string[]): TestProjectInlineConfiguration => ({
  extends: true,
  plugins: [sanitized],
  test: { name: folder, root: folder, include: [...include], testTimeout: 600_000, hookTimeout: 600_000 },
});

// pnpm test:native-sanitized: what runs on the native engine, with every access to memory checked (scripts/native-sanitized.mjs).
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: false,
    fileParallelism: false,
    projects: [
      project('engines/cpu-blas-native', ['src/**/*.test.ts']),
      project('tests-integration/agreement', ['src/native-engine.test.ts']),
      project('tests-integration/fuzz', ['src/native-sanitized.testing.ts']),
      project('extensions/fft', ['native-sanitized.testing.ts']),
      project('extensions/linalg', ['native-sanitized.testing.ts']),
    ],
  },
});
