import { setImmediate as pause } from 'node:timers/promises';
import type { CurvePoint } from './pictures.ts';
import type { Parameters } from './model.ts';

/** Training in one of the two modes. */
export interface Trainer {
  readonly mode: 'traced' | 'eager';
  /** One step of gradient descent with momentum on the training part. */
  step(): void;
  /** The gradient that the last step used. */
  gradient(): Promise<Parameters<Float64Array>>;
  parameters(): Promise<Parameters<Float64Array>>;
  /** Losses of the present parameters on both parts. */
  losses(): Promise<Omit<CurvePoint, 'step'>>;
}

export interface Training {
  readonly firstGradient: Parameters<Float64Array>;
  readonly parameters: Parameters<Float64Array>;
  readonly curve: readonly CurvePoint[];
  /** Median, so that the first steps, which compile, do not count; looking at losses is not part of it. */
  readonly millisecondsPerStep: number;
  readonly millisecondsOfFirstStep: number;
}

/** How often the losses are looked at during a training run. */
const looks = 100;

/** Trains and keeps a record. `onStep` is told the number of steps done. */
export async function train(trainer: Trainer, steps: number, onStep: (done: number) => void = () => {}): Promise<Training> {
  const every = Math.max(1, Math.floor(steps / looks));
  const curve: CurvePoint[] = [{ step: 0, ...(await trainer.losses()) }];
  const times: number[] = [];
  let firstGradient: Parameters<Float64Array> | undefined;
  for (let done = 1; done <= steps; done++) {
    const from = performance.now();
    trainer.step();
    times.push(performance.now() - from);
    firstGradient ??= await trainer.gradient();
    if (done % every === 0 || done === steps) {
      curve.push({ step: done, ...(await trainer.losses()) });
      // A turn of the event loop, in which buffers that were garbage-collected go back to the engine.
      await pause();
    }
    onStep(done);
  }
  if (firstGradient === undefined) throw new Error('penguins: training needs at least one step.');
  return { firstGradient, parameters: await trainer.parameters(), curve, millisecondsPerStep: median(times), millisecondsOfFirstStep: times[0] as number };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
