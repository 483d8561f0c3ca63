import { AdContext, createCatalog } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createRandom, createReferenceEngine, engineSuite, type ExtensionCase, extensionSuite, hostValue, randomValues } from '@tf/testkit';
import { describe, it } from 'vitest';
import { tropicalHost } from './src/host.ts';
import { tropicalExtension, tropicalMatmul } from './src/index.ts';

const random = createRandom(3);
const [a, b] = [randomValues('float64', [2, 3], random), randomValues('float64', [3, 4], random)];
const largest = Array.from({ length: 8 }, (_, at) => Math.max(...[0, 1, 2].map((k) => Number(a.data[Math.floor(at / 4) * 3 + k]) + Number(b.data[k * 4 + (at % 4)]))));

const cases: readonly ExtensionCase[] = [
  { name: 'matrices', f: (x, y) => tropicalMatmul(x!, y!), inputs: [a, b], expected: [hostValue('float64', [2, 4], largest)], branches: true },
  { name: 'a batch', f: (x, y) => tropicalMatmul(x!, y!), inputs: [randomValues('float64', [2, 2, 3], random), randomValues('float64', [2, 3, 2], random)], branches: true },
  { name: 'one', f: (x, y) => tropicalMatmul(x!, y!), inputs: [randomValues('float64', [1, 1], random), randomValues('float64', [1, 1], random)] },
];

extensionSuite({ describe, it }, { extension: tropicalExtension, cases });

/** The kernel, on both engines that can run it, against what the operation is lowered to. */
const context = new AdContext({ catalog: createCatalog([tropicalExtension]) });
engineSuite({ describe, it }, { name: 'reference with tropicalHost', create: ({ modules }) => createReferenceEngine({ modules: [...modules, tropicalHost] }), cases, context });
engineSuite({ describe, it }, { name: 'cpu-wasm with tropicalHost', create: ({ modules }) => createEngine({ modules: [...modules, tropicalHost] }), cases, context });
