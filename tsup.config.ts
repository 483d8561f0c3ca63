import { existsSync, readFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { pureCalls, pureNamespaces } from './scripts/pure-calls.mjs';

type TsupConfig = ReturnType<typeof defineConfig>;

interface Manifest {
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
}

/** The entries of a package are what its exports name under the source condition: './src/modules/x.ts' → dist/modules/x. */
const sources = (manifest: Manifest): string[] =>
  Object.values(manifest.exports ?? {}).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['@tf/source'];
    return typeof source === 'string' ? [source] : [];
  });

const entryNames = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file.replace(/^\.\/src\//, '').replace(/\.ts$/, ''), file]));

/** A published package: ESM, CommonJS and types for both; its peers stay outside. */
const library = (entry: readonly string[]): Options => ({
  entry: entryNames(entry),
  format: ['esm', 'cjs'],
  target: 'es2022',
  tsconfig: 'tsconfig.src.json',
  // tsup hands the declaration compiler single entries, which a composite project refuses.
  dts: { compilerOptions: { composite: false, incremental: false } },
  clean: true,
  treeshake: true,
  // Written by scripts/kernels.mjs and published as it is: dist/modules lies as far from it as src/modules.
  external: [/\.wasm\.mjs$/],
  esbuildPlugins: [pureCalls],
  plugins: [pureNamespaces],
});

/** A private program that Node runs from its dist folder. */
const program: Options = {
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  tsconfig: 'tsconfig.json',
  clean: true,
};

const manifest = existsSync('package.json') ? (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest) : {};
const entry = sources(manifest);

const config: TsupConfig = defineConfig(entry.length > 0 ? library(entry) : program);
export default config;
