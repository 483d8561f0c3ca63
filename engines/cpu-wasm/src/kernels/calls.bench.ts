/**
 * What a call of a kernel costs beside an ordinary loop step: chains of steps on 64 elements, so that what a run costs by itself
 * is shared by all of them. `node scripts/kernels-bench.mjs calls`.
 */
import { loop, type Plan, type Step, tensorType } from '@tf/core';
import { i32 } from '../encoder/code.ts';
import { createEngineSync } from '../engine.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';
import { hostModule, moduleBytes, scaleBytes, symbol, wasmModule } from './kernels.testing.ts';

const ELEMENTS = 64;
const STEPS = 200;
const type = tensorType('float64', [ELEMENTS]);

/** y = 3·x, again and again, between two pieces of the arena. */
function chain(step: (from: number, to: number) => Step): Plan {
  const more = [0, 1].map((slot) => ({ dtype: 'float64' as const, elements: ELEMENTS, place: { kind: 'arena' as const, slot } }));
  const at = (index: number): number => (index === 0 ? 0 : index === STEPS ? 1 : 2 + (index % 2));
  return planOf({ inputs: [type], outputs: [type], more, slots: [[8 * ELEMENTS], [8 * ELEMENTS]], steps: Array.from({ length: STEPS }, (_, index) => step(at(index), at(index + 1))) });
}

const looping = chain((from, to) => loopStep(['float64'], 'float64', [ELEMENTS], [viewOf(from, [1])], viewOf(to, [1]), loop.mul(argumentOf('float64', 0), loop.constant('f64', 3))));
const calling = chain((from, to) => {
  const operand = (buffer: number): { readonly buffer: number; readonly offset: number; readonly dtype: 'float64'; readonly elements: number } => ({ buffer, offset: 0, dtype: 'float64', elements: ELEMENTS });
  return { kind: 'call', symbol, integers: [ELEMENTS, 1], inputs: [operand(from)], outputs: [operand(to)] };
});

/** Kernels that do nothing show what the way to them costs; the others, what 64 elements cost besides. */
const cases = [
  { name: 'loop step', engine: createEngineSync(), plan: looping },
  { name: 'wasm kernel', engine: createEngineSync({ modules: [wasmModule(scaleBytes())] }), plan: calling },
  { name: 'wasm kernel that does nothing', engine: createEngineSync({ modules: [wasmModule(moduleBytes({ functions: { scale: () => i32(0) } }))] }), plan: calling },
  { name: 'host kernel', engine: createEngineSync({ modules: [hostModule()] }), plan: calling },
  { name: 'host kernel that does nothing', engine: createEngineSync({ modules: [hostModule({ run: () => undefined })] }), plan: calling },
].map(({ name, engine, plan }) => {
  const executable = engine.compile(plan);
  const x = engine.upload('float64', [ELEMENTS], new Float64Array(ELEMENTS).fill(1e-90));
  return { name, run: (): void => executable.run([x]).forEach((output) => output.dispose()), times: [] as number[] };
});

for (let round = 0; round < 60; round++) {
  for (const { run, times } of cases) {
    const start = performance.now();
    for (let time = 0; time < 20; time++) run();
    times.push((1e6 * (performance.now() - start)) / (20 * STEPS));
  }
}
const base = Math.min(...cases[0]!.times);
for (const { name, times } of cases) {
  const least = Math.min(...times);
  console.log(`${name.padEnd(30)} ${least.toFixed(0).padStart(5)} ns per step  ${(least - base).toFixed(0).padStart(5)} ns more than a loop step`);
}
