import { type Engine, type EngineInput, isTfError, type Plan, type Step } from '@tf/core';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine } from '@tf/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LARGEST, randomNestedPlan, SIZE } from './random-nested-plan.ts';

const wasm = await createEngine();
const guarded = await createEngine({ debug: 'memory' });

/** Inputs with which the symbol is `n`; the last index of some names no row. */
function inputsOf(n: number, seed: number): readonly EngineInput[] {
  const x = Float64Array.from({ length: SIZE }, (_, at) => Math.sin(seed + at));
  const indices = Int32Array.from({ length: SIZE }, (_, at) => ((7 * at + seed) % 8) - 4);
  if (seed % 2 === 0) indices[seed % SIZE] = 4 + (seed % 2);
  return [{ data: x, shape: [SIZE] }, { data: indices, shape: [SIZE] }, { data: new Float64Array(n), shape: [n] }];
}

/** Bits of the outputs, or the error. */
function outcome(engine: Engine, plan: Plan, inputs: readonly EngineInput[]): unknown {
  try {
    return engine.compile(plan).run(inputs).map((buffer) => {
      const values = Array.from(engine.read(buffer) as ArrayLike<number>, (value) => (Object.is(value, -0) ? '-0' : String(value)));
      buffer.dispose();
      return values.join();
    });
  } catch (error) {
    if (isTfError(error) && error.name === 'IndexError') return { name: error.name, fields: error.fields };
    throw error;
  }
}

/** Kinds of steps, each with the kind of the step around it. */
function kindsOf(steps: readonly Step[], around = 'plan'): readonly string[] {
  return steps.flatMap((step) => {
    const own = `${around} ${step.kind}`;
    switch (step.kind) {
      case 'repeat':
        return [own, ...kindsOf(step.steps, step.kind)];
      case 'while':
        return [own, ...kindsOf([...step.condition, ...step.steps], step.kind)];
      case 'branch':
        return [own, ...kindsOf(step.branches.flat(), step.kind)];
      default:
        return [own];
    }
  });
}

test('random steps inside steps: the engine agrees with the reference engine, run after run, errors included', { timeout: 120_000 }, () => {
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  fc.assert(fc.property(fc.array(fc.nat(2 ** 20), { minLength: 100, maxLength: 500 }), fc.nat(1000), (draws, seed) => {
    const plan = randomNestedPlan(draws);
    for (const kind of new Set(kindsOf(plan.steps))) count(kind);
    const reference = createReferenceEngine();
    // With the sizes of the last run, its table is used as it was left.
    [2, 2, 0, LARGEST, LARGEST].forEach((n, run) => {
      const inputs = inputsOf(n, seed + run);
      const expected = outcome(reference, plan, inputs);
      count(Array.isArray(expected) ? 'results' : 'errors');
      expect(outcome(wasm, plan, inputs)).toEqual(expected);
      if (run % 2 === 0) expect(outcome(guarded, plan, inputs)).toEqual(expected);
    });
  }), { numRuns: 80, seed: 5, endOnFailure: true });
  // The proof would be empty without them.
  const kinds = ['loop', 'copy', 'tile', 'contract', 'gather', 'scatter', 'repeat', 'while', 'branch'];
  const rare = [...['repeat', 'while', 'branch'].flatMap((around) => kinds.map((kind) => `${around} ${kind}`)), 'errors', 'results'].filter((what) => (seen.get(what) ?? 0) < 10);
  expect(rare).toEqual([]);
});
