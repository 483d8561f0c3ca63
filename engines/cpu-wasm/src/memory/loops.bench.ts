/**
 * Synchronous loops that dispose of nothing against the same loops that dispose, one process per loop:
 * `scripts/engine-limits.mjs LOOP STEPS`. Tensors of 64 KiB; `small` has 512 bytes.
 */
import { type DeviceBuffer, type Engine, type Executable, loop, tensorType } from '@tf/core';
import { createEngineSync } from '../index.ts';
import { argumentOf, loopStep, planOf, viewOf } from '../testing/plans.ts';

interface Loop {
  readonly elements: number;
  /** One step on its state: the buffers it makes, of which the first `kept` are the next state. */
  readonly step: (state: readonly DeviceBuffer[]) => readonly DeviceBuffer[];
  readonly state: readonly DeviceBuffer[];
  readonly kept: number;
}

const engine = createEngineSync();

function elementwise(elements: number): Executable {
  const type = tensorType('float64', [elements]);
  const x = argumentOf('float64', 0);
  return engine.compile(planOf({ inputs: [type], outputs: [type], steps: [loopStep(['float64'], 'float64', [elements], [viewOf(0, [1])], viewOf(1, [1]), loop.add(x, loop.mul(x, loop.constant('f64', 0.5))))] }));
}

/** Like a compiled training step: weights and moments in, new ones and a loss of one element out. */
function trainingStep(elements: number): Executable {
  const type = tensorType('float64', [elements]);
  const [w, m] = [argumentOf('float64', 0), argumentOf('float64', 1)];
  const half = loop.constant('f64', 0.5);
  const reads = [viewOf(0, [1]), viewOf(1, [1])];
  const both = ['float64', 'float64'] as const;
  return engine.compile(planOf({
    inputs: [type, type],
    outputs: [type, type, tensorType('float64', [1])],
    steps: [
      loopStep(both, 'float64', [elements], reads, viewOf(3, [1]), loop.mul(half, loop.add(w, m))),
      loopStep(both, 'float64', [elements], reads, viewOf(2, [1]), loop.max(w, loop.mul(half, m))),
      { kind: 'copy', dtype: 'float64', elements: 1, from: { buffer: 2, offset: 0 }, to: { buffer: 4, offset: 0 } },
    ],
  }));
}

const ones = (of: Engine, elements: number): DeviceBuffer => of.upload('float64', [elements], new Float64Array(elements).fill(1));

function loopNamed(name: string): Loop {
  const elements = name === 'small' ? 64 : 8192;
  if (name === 'compiled') {
    const executable = trainingStep(elements);
    return { elements, step: ([w, m]) => executable.run([w!, m!]), state: [ones(engine, elements), ones(engine, elements)], kept: 2 };
  }
  const executable = elementwise(elements);
  return { elements, step: ([x]) => executable.run([x!]), state: [ones(engine, elements)], kept: name === 'chain' ? 1 : 0 };
}

/** Microseconds per step. */
function timed(steps: number, step: () => void): number {
  const start = performance.now();
  for (let i = 0; i < steps; i++) step();
  return (1e3 * (performance.now() - start)) / steps;
}

const [, , name = 'raw', count = '20000'] = process.argv;
const { step, state: initial, kept } = loopNamed(name);
const states = { disposing: initial, forgetting: initial };
const disposing = (): void => {
  const made = step(states.disposing);
  for (let i = kept; i < made.length; i++) made[i]!.dispose();
  if (kept === 0) return;
  if (states.disposing !== initial) for (let i = 0; i < kept; i++) states.disposing[i]!.dispose();
  states.disposing = made;
};
const forgetting = (): void => {
  const made = step(states.forgetting);
  if (kept > 0) states.forgetting = made;
};
/** In turn, many short rounds: each way has some that nothing disturbed, so the ratio of the minima holds under load. */
const rounds = 40;
const steps = Math.ceil(Number(count) / rounds);
const times: { readonly dispose: number; readonly forget: number; readonly copy: number }[] = [];
/** What the machine takes for that which an eviction cannot do without: another 64 KiB, written once. */
const source = new Float64Array(8192).fill(1);
let copied: Float64Array | undefined;
const copying = (): void => {
  copied = new Float64Array(source);
};
let rss = 0;
for (let round = 0; round < rounds; round++) {
  times.push({ dispose: timed(steps, disposing), forget: timed(steps, forgetting), copy: timed(steps, copying) });
  rss = Math.max(rss, process.memoryUsage.rss());
}
const dispose = Math.min(...times.map((time) => time.dispose));
const forget = Math.min(...times.map((time) => time.forget));
const copy = Math.min(...times.map((time) => time.copy));
const copies = (forget - dispose) / copy / (kept === 2 ? 2 : 1);
console.log(JSON.stringify({ loop: name, steps: Number(count), rss, ratio: forget / dispose, dispose, forget, copies, isCopied: copied !== undefined, reserved: engine.stats().bytesReserved }));
