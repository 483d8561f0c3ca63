import { allSteps, compileProgram } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { nestedCases } from '../laws/engine/nested-plans.ts';
import { engineCases, orderCases } from '../laws/engine/programs.ts';
import { tileCases } from '../laws/engine/tiles.ts';
import { createReferenceEngine } from '../reference-engine/engine.ts';
import { createCoreCases } from './core-cases.ts';
import { engineSuite } from './engine-suite.ts';

engineSuite({ describe, it }, { name: 'reference', create: (options) => createReferenceEngine(options), cases: createCoreCases() });
engineSuite({ describe, it }, { name: 'reference, real dtypes', create: (options) => createReferenceEngine({ ...options, dtypes: ['float32', 'float64', 'int32', 'bool'] }) });

it('the suite meets every kind of step (calls have a law of their own), with and without reductions, reads and strides', () => {
  const engine = createReferenceEngine();
  const all = [...engineCases(engine), ...orderCases(engine), ...tileCases(engine)].flatMap(({ program }) => compileProgram(program).steps);
  const steps = allSteps([...all, ...nestedCases(engine).flatMap(({ plan }) => plan.steps)]);
  expect([...new Set(steps.map(({ kind }) => kind))].sort()).toEqual(['branch', 'contract', 'copy', 'extent', 'gather', 'iota', 'loop', 'repeat', 'scan', 'scatter', 'size', 'sort', 'tile', 'while']);
  const kernels = steps.flatMap((step) => (step.kind === 'loop' ? [step.kernel] : []));
  expect(kernels.some(({ reads }) => reads.length === 0)).toBe(true);
  expect(new Set(kernels.flatMap(({ reads }) => reads.map(({ inner }) => inner)))).toEqual(new Set(['contiguous', 'broadcast', 'strided']));
  expect(new Set(kernels.map(({ reduce }) => reduce?.axes))).toEqual(new Set([undefined, 1, 2]));
  expect(new Set(kernels.flatMap(({ writes }) => writes.map(({ dtype }) => dtype))).size).toBe(7);
});
