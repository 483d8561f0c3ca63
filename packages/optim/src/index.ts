/** Optimisers and solvers: the same functions in compiled programs and in eager code. */
export { adam, type AdamOptions, adamw } from './adam.ts';
export { attach, type AttachedOptimizer } from './attach.ts';
export { clipByGlobalNorm, globalNorm } from './clip.ts';
export { conjugateGradient, type ConjugateGradientOptions, type ConjugateGradientResult } from './conjugate-gradient.ts';
export { momentum, type MomentumOptions, sgd, type SgdOptions } from './descent.ts';
export { leastSquares, type LeastSquaresOptions, type LeastSquaresProblem, type LeastSquaresResult, type LeastSquaresStep } from './least-squares.ts';
export { defineOptimizer, type LearningRate, type Method, type Optimizer, type OptimizerState, type Scalar, type Site, type Update } from './optimizer.ts';
export { minimize, type MinimizeOptions, type MinimizeResult, type MinimizeStep } from './minimize.ts';
export { cosineDecay, type CosineDecayOptions, exponentialDecay, type ExponentialDecayOptions, warmup } from './schedules.ts';
