import { createEngine } from '@tf/engine-cpu-wasm';
import { createCoreCases, engineSuite } from '@tf/testkit';
import { describe, it } from 'vitest';

engineSuite({ describe, it }, { name: 'cpu-wasm', create: (options) => createEngine(options), cases: createCoreCases() });
engineSuite({ describe, it }, { name: 'cpu-wasm on unshared memory', create: (options) => createEngine({ ...options, memory: { shared: false } }) });
