import type { Engine, EngineInput, Plan } from '@tf/core';

/** Samples of one thing, and the milliseconds after which fewer must do. */
const samples = 5;
const budget = 150;

/** Microseconds of the fastest of several samples, each long enough for a browser's clock, which has steps of up to 0.1 ms. */
export function fastest(run: () => void): number {
  run();
  let best = Infinity;
  let taken = 0;
  const end = performance.now() + budget;
  for (let count = 1; taken < samples && (performance.now() < end || best === Infinity); ) {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    const elapsed = performance.now() - start;
    best = elapsed < 1 ? best : Math.min(best, (1000 * elapsed) / count);
    // A sample that was interrupted looks long with few runs: the next one shows it, and is repeated with more.
    if (elapsed < 1) count *= 2;
    else taken++;
  }
  return best;
}

export function planTime(engine: Engine, plan: Plan, inputs: readonly EngineInput[]): number {
  const executable = engine.compile(plan);
  return fastest(() => {
    for (const buffer of executable.run(inputs)) buffer.dispose();
  });
}

/**
 * Microseconds of each step of a plan, less what a run without steps takes. An engine runs a plan as one call, so each step is run as
 * a plan of its own on the same buffers: the times need not add up to that of the whole. Undefined where a step needs what others did.
 */
export function stepTimes(engine: Engine, plan: Plan, inputs: readonly EngineInput[]): readonly (number | undefined)[] {
  const alone = (steps: Plan['steps']): number => planTime(engine, { ...plan, steps }, inputs);
  const overhead = alone([]);
  return plan.steps.map((step) => {
    try {
      return Math.max(0, alone([step]) - overhead);
    } catch {
      return undefined;
    }
  });
}
