import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';

/** Runs `limits/<name>.ts` by itself, from source in one bundle: nothing of the test runner is in its memory or its time. */
export async function runAlone(name: string, args: readonly string[], timeout: number): Promise<unknown> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = mkdtempSync(join(root, 'node_modules', '.limits-'));
  const conditions = ['@tf/source', ...defaultServerConditions];
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions },
      ssr: { resolve: { conditions }, noExternal: true },
      build: { ssr: join('src', 'limits', `${name}.ts`), outDir: folder, target: 'node20', minify: false, emptyOutDir: false },
    });
    const { status, stdout, stderr, signal } = spawnSync(process.execPath, ['--expose-gc', join(folder, `${name}.js`), ...args], { encoding: 'utf8', timeout });
    if (status !== 0) throw new Error(`${name} ended with ${status ?? signal}: ${stderr}`);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
