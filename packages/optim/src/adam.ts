import { add, cast, checkOptions, conj, div, isComplex, mul, type Operand, pow, real, sqrt, square, sub } from '@tf/core';
import { penalised } from './descent.ts';
import { defineOptimizer, type LearningRate, magnitudeDType, type Optimizer, type Scalar, type Site } from './optimizer.ts';
import { requireFraction, requirePositive, requireWeight } from './settings.ts';

export interface AdamOptions {
  /** 0.001 by default. */
  readonly learningRate?: LearningRate;
  /** How much of the mean of the gradients stays in a step; 0.9 by default. */
  readonly beta1?: number;
  /** How much of the mean of their squares stays in a step; 0.999 by default. */
  readonly beta2?: number;
  /** Added to the root of the mean square; 1e-8 by default. */
  readonly epsilon?: number;
  /** `adam` adds `weightDecay · parameter` to the gradients, `adamw` to the direction (0.01 there by default). */
  readonly weightDecay?: number;
}

const checks = { learningRate: (): void => undefined, beta1: requireFraction, beta2: requireFraction, epsilon: requirePositive, weightDecay: requireWeight };

/** |g|², real. */
function squaredMagnitude(gradient: Operand): Operand {
  return isComplex(gradient.type.dtype) ? (real(mul(gradient, conj(gradient))) as Operand) : square(gradient);
}

/** A mean that starts at 0, divided by the weight that it has gathered: 1 − β^count. */
function corrected(mean: Operand, beta: number, count: Scalar): Operand {
  const weight = sub(1, pow(beta, count)) as Operand;
  return div(mean, cast(weight, magnitudeDType(mean.type.dtype))) as Operand;
}

const mixed = (beta: number, mean: Operand, next: Operand): Operand => add(mul(mean, beta), mul(next, 1 - beta)) as Operand;

function defineAdam(name: string, options: AdamOptions, decay: { readonly ofGradient: number; readonly ofDirection: number }): Optimizer {
  const { learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 } = options;
  return defineOptimizer({
    name,
    rate: learningRate,
    slots: { mean: 'parameter', meanSquare: 'magnitude' },
    step: ({ parameter, gradient, slots, count }: Site) => {
      const given = penalised(gradient, parameter, decay.ofGradient);
      const mean = mixed(beta1, slots['mean'] as Operand, given);
      const meanSquare = mixed(beta2, slots['meanSquare'] as Operand, squaredMagnitude(given));
      const direction = div(corrected(mean, beta1, count), add(sqrt(corrected(meanSquare, beta2, count)), epsilon)) as Operand;
      return { direction: penalised(direction, parameter, decay.ofDirection), slots: { mean, meanSquare } };
    },
  });
}

/**
 * Steps of about the size of the learning rate in each parameter: the mean of the gradients over the root of the mean of their squares,
 * both corrected for their start at 0 (Kingma & Ba 2015, "Adam: a method for stochastic optimization", algorithm 1). Of complex
 * parameters the square is |gradient|².
 *
 * @throws ArgumentError for a learning rate that is no positive number, means outside of [0, 1), or unknown options.
 * @example
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { EagerRuntime } from '@tf/eager';
 * import { adam, attach } from '@tf/optim';
 * const runtime = new EagerRuntime();
 * const x = runtime.variable([3, -4]);
 * runtime.session(await createEngine(), () => {
 *   const optimizer = attach(runtime, adam({ learningRate: 0.1 }), x);
 *   for (let step = 0; step < 300; step++) runtime.scope(() => {
 *     x.mul(x).sum().backward();
 *     optimizer.step();
 *   });
 *   if (x.abs().sum().item() > 0.01) throw new Error('unexpected');
 * });
 */
export function adam(options: AdamOptions = {}): Optimizer {
  checkOptions('adam', options, checks, 'adam({ learningRate: 0.001 })');
  return defineAdam('adam', options, { ofGradient: options.weightDecay ?? 0, ofDirection: 0 });
}

/**
 * {@link adam} with weights that decay by themselves, not through the gradients' mean squares (Loshchilov & Hutter 2019, "Decoupled
 * weight decay regularization", algorithm 2).
 *
 * @throws ArgumentError as {@link adam} does.
 */
export function adamw(options: AdamOptions = {}): Optimizer {
  checkOptions('adamw', options, checks, 'adamw({ learningRate: 0.001, weightDecay: 0.01 })');
  return defineAdam('adamw', options, { ofGradient: 0, ofDirection: options.weightDecay ?? 0.01 });
}
