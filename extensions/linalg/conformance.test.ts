import { AdContext, createCatalog } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine, engineSuite, extensionSuite } from '@tf/testkit';
import { describe, it } from 'vitest';
import { referenceOperations } from './reference.testing.ts';
import { linalgCases } from './src/cases.ts';
import { linalgExtension } from './src/index.ts';
import { linalgHost } from './src/modules/host.ts';

const [host, ids] = [linalgHost(), new Set(linalgExtension.operations.map(({ id }) => id))];
const kernels = { ...host, kernels: Object.fromEntries(Object.entries(host.kernels).filter(([symbol]) => ids.has(symbol.slice(0, symbol.lastIndexOf('.'))))) };
const operations = referenceOperations(linalgExtension.operations, host);
const context = new AdContext({ catalog: createCatalog([linalgExtension]) });

extensionSuite({ describe, it }, { extension: linalgExtension, cases: linalgCases, operations });

engineSuite({ describe, it }, { name: 'reference with kernels in JavaScript', create: (options) => createReferenceEngine({ ...options, modules: [...(options?.modules ?? []), kernels] }), cases: linalgCases, context, operations });
engineSuite({ describe, it }, { name: 'cpu-wasm with kernels in JavaScript', create: (options) => createEngine({ ...options, modules: [...(options?.modules ?? []), kernels] }), cases: linalgCases, context, operations });
