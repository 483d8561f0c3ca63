import { add, checkOptions, cos, div, minimum, mul, type Operand, pow, requireCount } from '@tf/core';
import type { LearningRate, Scalar } from './optimizer.ts';
import { requirePositive, requireWeight } from './settings.ts';

type Schedule = Exclude<LearningRate, number>;

export interface ExponentialDecayOptions {
  /** The rate of the first step. */
  readonly start: number;
  /** What the rate is multiplied by over `steps` steps, evenly. */
  readonly factor: number;
  readonly steps: number;
}

/** `start · factor^(count / steps)`. Throws ArgumentError for numbers that are not positive. */
export function exponentialDecay(options: ExponentialDecayOptions): Schedule {
  checkOptions('exponentialDecay', options, { start: requirePositive, factor: requirePositive, steps: requireCount }, 'exponentialDecay({ start: 0.1, factor: 0.5, steps: 1000 })');
  const { start, factor, steps } = options;
  return (count) => mul(pow(factor, div(count, steps)), start) as Operand;
}

export interface CosineDecayOptions {
  /** The rate of the first step. */
  readonly start: number;
  /** The rate from `steps` on; 0 by default. */
  readonly end?: number;
  readonly steps: number;
}

/** Half a period of a cosine from `start` to `end` (Loshchilov & Hutter 2017, "SGDR", equation 5). Throws ArgumentError for numbers that are not positive. */
export function cosineDecay(options: CosineDecayOptions): Schedule {
  checkOptions('cosineDecay', options, { start: requirePositive, end: requireWeight, steps: requireCount }, 'cosineDecay({ start: 0.1, steps: 1000 })');
  const { start, end = 0, steps } = options;
  return (count) => add(mul(add(cos(mul(minimum(count, steps), Math.PI / steps)), 1), 0.5 * (start - end)), end) as Operand;
}

/**
 * From `rate / steps` in even steps to `rate`, which may itself be a schedule.
 *
 * @throws ArgumentError for a number of steps that is not positive.
 */
export function warmup(steps: number, rate: LearningRate): Schedule {
  requireCount('warmup', 'steps', steps);
  if (typeof rate !== 'function') requirePositive('warmup', 'rate', rate, 'a positive number, or a function of the number of steps');
  return (count: Scalar) => mul(minimum(div(add(count, 1), steps), 1), typeof rate === 'number' ? rate : rate(count)) as Operand;
}
