/** Parameters of ordinary differential equations, fitted through the classical Runge–Kutta method that solves them. */
import { AdContext, concat, createCatalog, diagonal, type Engine, exp, flip, fori, type HostTensor, matmul, normal, type Operand, randomKey, reshape, scan, slice, sqrt, square, sub, sum, tensor, transpose } from '@tf/core';
import { inv, linalgExtension } from '@tf/linalg';
import { minimize } from '@tf/optim';
import { grad, jacobianForward, jit, type TracedTensor, valueAndGrad } from '@tf/traced';

type T = TracedTensor<'float64'>;

/** x′ as a function of x. */
export type Slope = (x: T) => T;

/** One step of length h: of fourth order (Kutta 1901). */
export function rungeKuttaStep(slope: Slope, x: T, h: number): T {
  const k1 = slope(x);
  const k2 = slope(x.add(k1.mul(h / 2)));
  const k3 = slope(x.add(k2.mul(h / 2)));
  const k4 = slope(x.add(k3.mul(h)));
  return x.add(k1.add(k2.mul(2)).add(k3.mul(2)).add(k4).mul(h / 6));
}

export interface Times {
  /** Between two observations. */
  readonly interval: number;
  /** How many follow the first. */
  readonly count: number;
  /** Runge–Kutta steps in each interval. */
  readonly steps: number;
}

/** The states after 1, 2, … `count` intervals, [count, n]: a loop in a loop, so the program is as short for a long time as for one step. */
export function trajectory(slope: Slope, start: T, { interval, count, steps }: Times): T {
  const h = interval / steps;
  const [, states] = scan((x: T) => {
    const next = fori(steps, (_step: Operand, y: T) => rungeKuttaStep(slope, y, h), x);
    return [next, next] as const;
  }, start, undefined, { length: count });
  return states;
}

/** x″ = −ω²·x as x′ = ω·y, y′ = −ω·x, whose solution from (1, 0) is (cos ωt, −sin ωt): what the method is checked with. */
export function oscillator(omega: T): Slope {
  return (x) => flip(x).mul(omega).mul(tensor([1, -1]));
}

/** What is fitted: all positive, so the search goes over their logarithms. */
export const unknownNames = ['growth of hares', 'death of lynxes', 'capture of hares', 'birth of lynxes', 'hares at first', 'lynxes at first'] as const;

/**
 * Lotka and Volterra's equations hares′ = hares·(growth − capture·lynxes), lynxes′ = lynxes·(births·hares − death), for the logarithms
 * of both: (ln hares)′ = growth − capture·lynxes, and so on.
 */
export function lotkaVolterra(logUnknowns: T): Slope {
  const coefficients = exp(slice(logUnknowns, [0], [4]));
  const own = slice(coefficients, [0], [2]).mul(tensor([1, -1]));
  const ofTheOther = slice(coefficients, [2], [4]).mul(tensor([-1, 1]));
  return (logs) => own.add(ofTheOther.mul(exp(flip(logs))));
}

/** Logarithms of the populations at each observation, [count + 1, 2], from logarithms of the six unknowns. */
export function populations(logUnknowns: T, times: Times): T {
  const start = slice(logUnknowns, [4], [6]);
  return concat([reshape(start, [1, 2]), trajectory(lotkaVolterra(logUnknowns), start, times)]);
}

/** Volterra's constant of the motion, which the exact solution keeps: births·hares − death·ln hares + capture·lynxes − growth·ln lynxes. */
export function constantOfMotion([growth, death, capture, births]: ArrayLike<number> & Iterable<number>, hares: number, lynxes: number): number {
  return births! * hares - death! * Math.log(hares) + capture! * lynxes - growth! * Math.log(lynxes);
}

export interface FitSettings extends Times {
  /** The standard deviation of the logarithm of each count. */
  readonly noise: number;
}

/** The compiled programs of a fit. */
export interface FitPrograms {
  /** Logarithms of hares and lynxes after each Runge–Kutta step, [2·(count·steps + 1)]. */
  readonly curve: (logUnknowns: Float64Array) => Promise<Float64Array>;
  /** Logarithms of the populations at the observations, [2·(count + 1)], with noise of its own for each seed. */
  readonly observe: (logUnknowns: Float64Array, seed: number) => Promise<Float64Array>;
  /** The most likely unknowns. `onEvaluation` sees every point that is tried. */
  readonly fit: (observed: Float64Array, start: Float64Array, onEvaluation?: (at: Float64Array, value: number) => void | Promise<void>) => Promise<Fit>;
  /** The standard deviation that the noise gives to each logarithm of an unknown: √ of the diagonal of (JᵀJ)⁻¹·noise². */
  readonly standardErrors: (logUnknowns: Float64Array) => Promise<Float64Array>;
}

export interface Fit {
  readonly logUnknowns: Float64Array;
  /** ½ Σ (residual/noise)²: about half the number of observations less half the number of unknowns. */
  readonly value: number;
  readonly evaluations: number;
  readonly converged: boolean;
}

export function createFit(engine: Engine, settings: FitSettings): FitPrograms {
  const { noise, interval, count, steps } = settings;
  const context = new AdContext({ catalog: createCatalog([linalgExtension]) });
  const options = { engine, context };
  const shape = [count + 1, 2];
  const fine = { interval: interval / steps, count: count * steps, steps: 1 };
  const curve = jit((x: T) => populations(x, fine), options);
  const observe = jit((x: T, key: TracedTensor<'int32'>) => populations(x, settings).add(normal(key, shape).mul(noise)), options);
  const misfit = (x: T, observed: T): T => sum(square(sub(populations(x, settings), observed))).mul(0.5 / noise ** 2);
  const misfitAndSlope = jit((x: T, observed: T) => valueAndGrad(misfit)(x, observed), options);
  const deviations = jit((x: T) => {
    const slopes = reshape(jacobianForward((at: T) => populations(at, settings))(x), [-1, unknownNames.length]);
    return sqrt(diagonal(inv(matmul(transpose(slopes), slopes)))).mul(noise);
  }, options);
  return {
    curve: async (x) => curve(tensor(x)).data(),
    observe: async (x, seed) => observe(tensor(x), randomKey(seed)).data(),
    standardErrors: async (x) => deviations(tensor(x)).data(),
    async fit(observed, start, onEvaluation) {
      const data = tensor(observed, { shape });
      const { parameters, value, evaluations, converged } = await minimize(async (x: HostTensor<'float64'>) => {
        const pair = misfitAndSlope(x, data);
        await onEvaluation?.(await x.data(), pair[0].item());
        return pair;
      }, tensor(start), { gradientTolerance: 1e-4 });
      return { logUnknowns: await parameters.data(), value, evaluations, converged };
    },
  };
}

/** ∂x/∂ω at time t of the oscillator that starts at (1, 0), through `steps` steps; the exact one is −t·sin ωt. */
export function oscillatorSlope(engine: Engine, omega: number, t: number, steps: number): number {
  const position = (at: T): T => sum(slice(trajectory(oscillator(at), tensor([1, 0]) as unknown as T, { interval: t, count: 1, steps }), [0, 0], [1, 1]));
  return jit((at: T) => grad(position)(at), { engine })(tensor(omega)).item();
}
