import { describe, it } from 'vitest';
import { createReferenceEngine } from '../reference-engine/engine.ts';
import { createCoreCases } from './core-cases.ts';
import { engineSuite } from './engine-suite.ts';

engineSuite({ describe, it }, { name: 'reference', create: () => createReferenceEngine(), cases: createCoreCases() });
engineSuite({ describe, it }, { name: 'reference, real dtypes', create: () => createReferenceEngine({ dtypes: ['float32', 'float64', 'int32', 'bool'] }) });
