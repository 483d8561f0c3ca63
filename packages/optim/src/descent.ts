import { add, checkOptions, mul, type Operand, requireFlag } from '@tf/core';
import { defineOptimizer, type LearningRate, type Optimizer } from './optimizer.ts';
import { requireFraction, requireWeight } from './settings.ts';

export interface SgdOptions {
  readonly learningRate: LearningRate;
  /** Adds `weightDecay · parameter` to each gradient: the gradient of ½ · weightDecay · ‖parameter‖². */
  readonly weightDecay?: number;
}

export interface MomentumOptions extends SgdOptions {
  /** How much of the velocity stays in a step; 0.9 by default. */
  readonly momentum?: number;
  /** Looks ahead by one step of the velocity (Nesterov 1983, in the form of Sutskever et al. 2013, "On the importance of initialization and momentum in deep learning"). */
  readonly nesterov?: boolean;
}

/** The rate is looked at by {@link defineOptimizer}. */
const sgdOptions = { learningRate: (): void => undefined, weightDecay: requireWeight };

/** The gradient of the loss and of the penalty on large weights. */
export function penalised(gradient: Operand, parameter: Operand, weightDecay: number): Operand {
  return weightDecay === 0 ? gradient : (add(gradient, mul(parameter, weightDecay)) as Operand);
}

/**
 * Gradient descent: `parameter − learningRate · gradient`.
 *
 * @throws ArgumentError for a learning rate that is no positive number, or unknown options.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { sgd } from '@tf/optim';
 * import { grad, jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const optimizer = sgd({ learningRate: 0.1 });
 * const step = jit((x: T) => optimizer.update(x, grad((y: T) => y.mul(y).sum())(x), optimizer.init(x)).parameters, { engine: await createEngine() });
 * console.log(step(tensor([1, -2])).toArray()); // → [ 0.8, -1.6 ]
 */
export function sgd(options: SgdOptions): Optimizer {
  checkOptions('sgd', options, sgdOptions, 'sgd({ learningRate: 0.1 })');
  const { learningRate, weightDecay = 0 } = options;
  return defineOptimizer({ name: 'sgd', rate: learningRate, slots: {}, step: ({ parameter, gradient }) => ({ direction: penalised(gradient, parameter, weightDecay), slots: {} }) });
}

/**
 * Gradient descent with a velocity: `velocity = momentum · velocity + gradient`, `parameter − learningRate · velocity` (Polyak 1964).
 *
 * @throws ArgumentError for a learning rate that is no positive number, a momentum outside of [0, 1), or unknown options.
 */
export function momentum(options: MomentumOptions): Optimizer {
  checkOptions('momentum', options, { ...sgdOptions, momentum: requireFraction, nesterov: requireFlag }, 'momentum({ learningRate: 0.1, momentum: 0.9 })');
  const { learningRate, weightDecay = 0, momentum: kept = 0.9, nesterov = false } = options;
  return defineOptimizer({
    name: 'momentum',
    rate: learningRate,
    slots: { velocity: 'parameter' },
    step: ({ parameter, gradient, slots }) => {
      const given = penalised(gradient, parameter, weightDecay);
      const velocity = add(mul(slots['velocity'] as Operand, kept), given) as Operand;
      return { direction: nesterov ? (add(given, mul(velocity, kept)) as Operand) : velocity, slots: { velocity } };
    },
  });
}
