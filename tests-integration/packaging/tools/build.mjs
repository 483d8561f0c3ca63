// node build.mjs BUNDLER FOLDER OUT: builds the page of FOLDER with what the bundler does by itself. Nothing of tf is configured.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = (out, script) => writeFileSync(join(out, 'index.html'), `<!doctype html><title>tf</title><script type="module" src="./${script}"></script>`);

const bundlers = {
  vite: async (folder, out) => {
    const { build } = await import('vite');
    await build({ root: folder, configFile: false, logLevel: 'error', build: { outDir: out } });
  },
  webpack: async (folder, out) => {
    const { default: webpack } = await import('webpack');
    await new Promise((settle, refuse) => webpack({ mode: 'production', context: folder, entry: './page.mjs', output: { path: out } }, (error, stats) => (error || stats.hasErrors() ? refuse(error ?? new Error(stats.toString('errors-only'))) : settle())));
    page(out, 'main.js');
  },
  // These leave new URL(…, import.meta.url) as it is: the worker is an entry, and lies where its name says.
  esbuild: async (folder, out) => {
    const { build } = await import('esbuild');
    await build({ absWorkingDir: folder, entryPoints: ['page.mjs', 'worker.mjs'], bundle: true, minify: true, format: 'esm', outdir: out, outExtension: { '.js': '.mjs' }, logLevel: 'error' });
    page(out, 'page.mjs');
  },
  // As esbuild does it when nothing is said: no modules, and import.meta is empty.
  'esbuild as one script': async (folder, out) => {
    const { build } = await import('esbuild');
    await build({ absWorkingDir: folder, entryPoints: ['page.mjs'], bundle: true, outdir: out, logLevel: 'error' });
    writeFileSync(join(out, 'index.html'), '<!doctype html><title>tf</title><body><script src="./page.js"></script>');
  },
  rollup: async (folder, out) => {
    const { rollup } = await import('rollup');
    const { nodeResolve } = await import('@rollup/plugin-node-resolve');
    const bundle = await rollup({ input: [join(folder, 'page.mjs'), join(folder, 'worker.mjs')], plugins: [nodeResolve({ browser: true })] });
    await bundle.write({ dir: out, format: 'es', entryFileNames: '[name].mjs' });
    page(out, 'page.mjs');
  },
};

const [bundler, folder, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
await bundlers[bundler](folder, out);
