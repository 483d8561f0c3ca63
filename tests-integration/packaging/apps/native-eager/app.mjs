// Eager mode and linear algebra on the native engine; on WebAssembly where this machine has no OpenBLAS.
import { createRequire } from 'node:module';
import { AdContext, createCatalog, isTfError, sum } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine as createNative } from '@tf/engine-cpu-blas-native';
import { linalgExtension, inv } from '@tf/linalg';
import { linalgNative } from '@tf/linalg/cpu-blas-native';

const version = (name) => createRequire(import.meta.url)(`${name}/package.json`).version;
try {
  const engine = await createNative({ modules: [linalgNative()], threads: 1 });
  const runtime = new EagerRuntime({ context: new AdContext({ catalog: createCatalog([linalgExtension]) }) });
  const x = runtime.variable([[2, 0], [0, 4]]);
  runtime.session(engine, () => sum(inv(x)).backward());
  const libraries = process.report.getReport().sharedObjects.filter((path) => path.includes('node_modules'));
  console.log(JSON.stringify({ slope: x.grad.toArray(), libraries, versions: ['@tf/core', '@tf/eager', '@tf/linalg', '@tf/engine-cpu-blas-native'].map(version) }));
} catch (error) {
  if (!isTfError(error, 'EngineUnavailableError')) throw error;
  console.log(JSON.stringify({ absent: error.message }));
}
