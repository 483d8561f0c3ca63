// node scripts/source.mjs FOLDER [ARGUMENT …]: runs FOLDER/src/main.ts from source, as the tests do: no build is needed first.
import { fileURLToPath } from 'node:url';
import { createServer, createServerModuleRunner, defaultServerConditions } from 'vite';
import { buildKernels } from './kernels.mjs';

const [folder, ...args] = process.argv.slice(2);
const conditions = ['@tf/source', ...defaultServerConditions];

await buildKernels();
const server = await createServer({
  root: fileURLToPath(new URL(`../${folder}/`, import.meta.url)),
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  resolve: { conditions },
  ssr: { resolve: { conditions }, noExternal: [/^@tf\//] },
});
try {
  const runner = createServerModuleRunner(server.environments.ssr, { hmr: false });
  const { main } = await runner.import('/src/main.ts');
  // A script may put `--` before the arguments that it hands on.
  process.exitCode = await main(args.filter((arg, at) => at > 0 || arg !== '--'));
} finally {
  await server.close();
}
