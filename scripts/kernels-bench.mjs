// Runs a benchmark of the CPU engine from source, in one bundle: of matrix products, or `calls` of kernels.
//   node scripts/kernels-bench.mjs [calls] [MILLISECONDS [TEXT [NODE]]]    the time of a case, part of the names of the cases wanted, another Node's binary
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';

const calls = process.argv[2] === 'calls';
const [milliseconds = '60', text = '', node = process.execPath] = process.argv.slice(calls ? 3 : 2);
const source = calls ? join('src', 'kernels', 'calls.bench.ts') : join('src', 'codegen', 'gemm', 'contract.bench.ts');
const root = fileURLToPath(new URL('../engines/cpu-wasm/', import.meta.url));
const folder = mkdtempSync(join(root, 'node_modules', '.kernels-'));
const conditions = ['@tf/source', ...defaultServerConditions];
try {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    ssr: { resolve: { conditions }, noExternal: true },
    build: { ssr: source, outDir: folder, target: 'node20', minify: false, emptyOutDir: false, rollupOptions: { output: { entryFileNames: 'bench.mjs' } } },
  });
  const { status, signal } = spawnSync(node, [join(folder, 'bench.mjs'), milliseconds, text], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the benchmark ended with ${status ?? signal}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
