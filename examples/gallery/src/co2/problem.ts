/** Gaussian process regression with learnt hyperparameters. */
import { AdContext, add, createCatalog, diagonal, div, type Engine, exp, eye, type HostTensor, log, log1p, matmul, mul, neg, reshape, sin, sqrt, square, sub, sum, tensor, transpose } from '@tf/core';
import { cholesky, choleskySolve, linalgExtension, triangularSolve } from '@tf/linalg';
import { minimize, type MinimizeResult, type MinimizeStep } from '@tf/optim';
import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';

type T = TracedTensor<'float64'>;
type Host = HostTensor<'float64'>;

/** What the kernel is made of, each positive; a tree of logarithms is what is learnt. Times are in years. */
export interface Hyperparameters<V> {
  /** A slow rise: its size and the years over which it bends. */
  readonly trendSize: V;
  readonly trendYears: V;
  /** The seasons: their size, the years over which their form changes, and how smooth they are within one. */
  readonly seasonSize: V;
  readonly seasonYears: V;
  readonly seasonSmoothness: V;
  /** What lies between: its size, its years, and how many scales are mixed in it (fewer for a larger number). */
  readonly mediumSize: V;
  readonly mediumYears: V;
  readonly mediumShape: V;
  /** Of a single month. */
  readonly noiseSize: V;
}

/** By eye, before anything is learnt. */
export const firstGuess: Hyperparameters<number> = {
  trendSize: 50, trendYears: 40, seasonSize: 3, seasonYears: 50, seasonSmoothness: 1, mediumSize: 1, mediumYears: 2, mediumShape: 1, noiseSize: 0.5,
};

export function mapHyperparameters<A, B>(all: Hyperparameters<A>, f: (value: A) => B): Hyperparameters<B> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, f(value as A)])) as unknown as Hyperparameters<B>;
}

/**
 * How much two times have in common, [times, others] (Rasmussen & Williams, Gaussian Processes for Machine Learning, section 5.4.3): a squared
 * exponential for the trend, one times a periodic kernel for the seasons, and a rational quadratic for what lies between.
 */
export function kernel(logs: Hyperparameters<T>, times: T, others: T): T {
  const p = mapHyperparameters(logs, (value) => exp(value));
  const apart = sub(reshape(times, [-1, 1]), others);
  const squared = square(apart);
  const bell = (size: T, years: T): T => mul(square(size), exp(mul(squared, div(-0.5, square(years)))));
  const withinYear = exp(mul(square(div(sin(mul(apart, Math.PI)), p.seasonSmoothness)), -2));
  const mixed = exp(mul(neg(p.mediumShape), log1p(div(squared, mul(mul(p.mediumShape, 2), square(p.mediumYears))))));
  return bell(p.trendSize, p.trendYears).add(bell(p.seasonSize, p.seasonYears).mul(withinYear)).add(mul(square(p.mediumSize), mixed));
}

/** The Cholesky factor of the covariance of what was measured. */
function factor(logs: Hyperparameters<T>, times: T): T {
  const noise = mul(eye(times.type.shape[0] as number), exp(mul(logs.noiseSize, 2)));
  return cholesky(add(kernel(logs, times, times), noise));
}

/** −ln p(values | times) = ½ yᵀK⁻¹y + Σ ln Lᵢᵢ + n/2 ln 2π, by K = L Lᵀ: what the hyperparameters make least. */
export function surprise(logs: Hyperparameters<T>, times: T, values: T): T {
  const l = factor(logs, times);
  const white = triangularSolve(l, values);
  const n = values.type.shape[0] as number;
  return sum(square(white)).mul(0.5).add(sum(log(diagonal(l)))).add(0.5 * n * Math.log(2 * Math.PI));
}

/** Mean and standard deviation at other times, of measurements there, noise included. */
export function forecast(logs: Hyperparameters<T>, times: T, values: T, wanted: T): { readonly mean: T; readonly deviation: T } {
  const l = factor(logs, times);
  const common = kernel(logs, wanted, times);
  const mean = matmul(common, choleskySolve(l, values));
  const explained = sum(square(triangularSolve(l, transpose(common, [1, 0]))), { axes: 0 });
  const own = exp(mul(logs.trendSize, 2)).add(exp(mul(logs.seasonSize, 2))).add(exp(mul(logs.mediumSize, 2))).add(exp(mul(logs.noiseSize, 2)));
  return { mean, deviation: sqrt(sub(own, explained)) };
}

export interface Regression {
  /** The gradient of the marginal likelihood, through the Cholesky factor, leads L-BFGS to the hyperparameters. */
  learn(times: Host, values: Host, options: { readonly maxIterations: number; readonly onStep: (step: MinimizeStep) => unknown }): Promise<MinimizeResult<Hyperparameters<Host>>>;
  forecast(logs: Hyperparameters<Host>, times: Host, values: Host, wanted: Host): Promise<{ readonly mean: Float64Array; readonly deviation: Float64Array }>;
  /** −ln p and its gradient. */
  surprise(logs: Hyperparameters<Host>, times: Host, values: Host): readonly [value: { item(): number }, gradient: Hyperparameters<{ item(): number }>];
}

export function createRegression(engine: Engine): Regression {
  const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
  const slopes = jit(valueAndGrad(surprise, { context }), { engine, context, name: 'surprise' });
  const ahead = jit(forecast, { engine, context, name: 'forecast' });
  const start = mapHyperparameters(firstGuess, (value): Host => tensor(Math.log(value)));
  return {
    learn: (times, values, options) => minimize((logs: Hyperparameters<Host>) => slopes(logs, times, values), start, { gradientTolerance: 1e-3, valueTolerance: 1e-9, ...options }),
    async forecast(logs, times, values, wanted) {
      const { mean, deviation } = ahead(logs, times, values, wanted);
      return { mean: await mean.data(), deviation: await deviation.data() };
    },
    surprise: slopes,
  };
}
