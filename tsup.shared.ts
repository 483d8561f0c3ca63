import { defineConfig } from 'tsup';

type TsupConfig = ReturnType<typeof defineConfig>;

/** A published package: ESM, CommonJS and types for both, peers left outside. */
export const library = (entry: readonly string[] = ['src/index.ts']): TsupConfig =>
  defineConfig({
    entry: [...entry],
    format: ['esm', 'cjs'],
    target: 'es2022',
    tsconfig: 'tsconfig.src.json',
    // tsup hands the declaration compiler single entries, which a composite project refuses.
    dts: { compilerOptions: { composite: false, incremental: false } },
    clean: true,
    treeshake: true,
    sourcemap: false,
  });

/** A private program that Node runs from its dist folder. */
export const program = (entry: string): TsupConfig =>
  defineConfig({ entry: [entry], format: ['esm'], target: 'node20', platform: 'node', tsconfig: 'tsconfig.json', clean: true });
