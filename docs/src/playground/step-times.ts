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

/** What is known of a step's time: microseconds, or that it takes fewer than those. */
export interface StepTime {
  readonly time: number;
  readonly isBelow: boolean;
}

/** Microseconds that no measurement here tells apart: a browser's clock is coarse, and a sample lasts about a millisecond. */
const finest = 0.01;
const repeats = 3;

/**
 * The time of each step of a plan, less what a run without steps takes. An engine runs a plan as one call, so each step is run as
 * a plan of its own on the same buffers: the times need not add up to that of the whole. Undefined where a step needs what others did.
 */
export function stepTimes(engine: Engine, plan: Plan, inputs: readonly EngineInput[]): readonly (StepTime | undefined)[] {
  const alone = (steps: Plan['steps']): number => planTime(engine, { ...plan, steps }, inputs);
  return timesOver(() => alone([]), plan.steps.map((step) => () => {
    try {
      return alone([step]);
    } catch {
      return undefined;
    }
  }));
}

/**
 * What each measurement is longer than an empty one. Empty ones differ among themselves: what is less than their difference is not
 * known, and is measured again, beside new empty ones, before that is said.
 */
export function timesOver(empty: () => number, measurements: readonly (() => number | undefined)[]): readonly (StepTime | undefined)[] {
  const empties = [empty(), empty()];
  const known = (measured: number): StepTime => {
    const least = Math.min(...empties);
    const noise = Math.max(finest, [...empties].sort((a, b) => a - b)[Math.floor(empties.length / 2)]! - least);
    const time = measured - least;
    return time < noise ? { time: noise, isBelow: true } : { time, isBelow: false };
  };
  return measurements.map((measure) => {
    let best = Infinity;
    for (let at = 0; at < repeats && (at === 0 || known(best).isBelow); at++) {
      if (at > 0) empties.push(empty());
      const measured = measure();
      if (measured === undefined) return undefined;
      best = Math.min(best, measured);
    }
    return known(best);
  });
}

/** Microseconds in the unit that people read, to three digits. */
export function timeText(microseconds: number): string {
  return microseconds < 1000 ? `${Number(microseconds.toPrecision(3))} µs` : microseconds < 1e6 ? `${Number((microseconds / 1000).toPrecision(3))} ms` : `${Number((microseconds / 1e6).toPrecision(3))} s`;
}

export function stepTimeText(step: StepTime | undefined): string {
  return step === undefined ? 'not alone' : step.isBelow ? `< ${timeText(Math.ceil(step.time * 100) / 100)}` : timeText(step.time);
}
