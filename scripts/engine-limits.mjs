// Runs loops of src/memory/loops.bench.ts, from source in one bundle, each in a process of its own.
//   node scripts/engine-limits.mjs [STEPS [LOOP …]]    1000000 steps of every loop unless told otherwise; a line of JSON for each;
// exit 1 when one takes more than 512 MB
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';

const [, , steps = '1000000', ...chosen] = process.argv;
const loops = chosen.length > 0 ? chosen : ['raw', 'chain', 'compiled', 'small'];
/** Resident bytes that no loop may exceed. */
const limit = 512e6;
const root = fileURLToPath(new URL('../engines/cpu-wasm/', import.meta.url));
const folder = mkdtempSync(join(root, 'node_modules', '.limits-'));
const conditions = ['@tf/source', ...defaultServerConditions];
try {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    ssr: { resolve: { conditions }, noExternal: true },
    build: { ssr: join('src', 'memory', 'loops.bench.ts'), outDir: folder, target: 'node20', minify: false, emptyOutDir: false, rollupOptions: { output: { entryFileNames: 'loops.mjs' } } },
  });
  for (const loop of loops) {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'loops.mjs'), loop, steps], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${loop} ended with ${status ?? signal}: ${stderr}`);
    process.stdout.write(stdout);
    const { rss } = JSON.parse(stdout);
    if (rss > limit) {
      console.error(`${loop}: ${rss} bytes are resident, at most ${limit} are allowed`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
