import { AdContext, createCatalog } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine, engineSuite, reportPresence } from '@tf/testkit';
import { describe, it } from 'vitest';
import { lapackPresence } from './lapack.testing.ts';
import { referenceOperations } from './reference.testing.ts';
import { linalgCases } from './src/cases.ts';
import { linalgExtension } from './src/index.ts';
import { linalgWasm } from './src/modules/cpu-wasm.ts';
import { linalgHost } from './src/modules/host.ts';

const host = linalgHost();
const shared = { cases: linalgCases, context: new AdContext({ catalog: createCatalog([linalgExtension]) }), operations: referenceOperations(linalgExtension.operations, host) };

engineSuite({ describe, it }, { name: 'reference with kernels in JavaScript', create: (options) => createReferenceEngine({ ...options, modules: [...(options?.modules ?? []), host] }), ...shared });
engineSuite({ describe, it }, { name: 'cpu-wasm with kernels in JavaScript', create: (options) => createEngine({ ...options, modules: [...(options?.modules ?? []), host] }), ...shared });
if (reportPresence({ it }, lapackPresence)) engineSuite({ describe, it }, { name: 'cpu-wasm with LAPACK', create: (options) => createEngine({ ...options, modules: [...(options?.modules ?? []), host, ...linalgWasm()] }), ...shared });
