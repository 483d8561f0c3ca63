import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';

/** `everything.ts` (or another entry) as `everything.mjs` and `everything.cjs` in a folder of their own, where scripts can be run. */
export interface Bundle {
  /** What the script prints; an error when it does not end by itself with code 0. */
  readonly run: (script: string) => string;
  readonly remove: () => void;
  readonly folder: string;
}

export async function bundle(entry: string = 'everything'): Promise<Bundle> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = mkdtempSync(join(root, 'node_modules', '.traps-'));
  const conditions = ['@tf/source', ...defaultServerConditions];
  for (const [format, extension] of [['es', 'mjs'], ['cjs', 'cjs']] as const) {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions },
      ssr: { resolve: { conditions }, noExternal: true },
      build: { ssr: join('src', 'traps', `${entry}.ts`), outDir: folder, target: 'node20', minify: false, emptyOutDir: false, rollupOptions: { output: { format, entryFileNames: `${entry}.${extension}` } } },
    });
  }
  return {
    folder,
    run: (script) => {
      const file = join(folder, 'script.mjs');
      writeFileSync(file, script);
      const { status, stdout, stderr, signal } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000, cwd: folder });
      if (status !== 0) throw new Error(`ended with ${status ?? signal}: ${stdout}\n${stderr}`);
      return stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
