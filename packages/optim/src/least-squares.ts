import { checkOptions, requireCount, requireFunction, requireOptions, TfError } from '@tf/core';
import { dot, FlatVector, largest, plus } from './flat.ts';
import { requirePositive, requireWeight } from './settings.ts';

type Maybe<T> = T | Promise<T>;

/** A residual r(x) and the products by its derivative J: three compiled functions. */
export interface LeastSquaresProblem<T> {
  /** x ↦ r: a tree of tensors. */
  readonly residual: (x: T) => Maybe<unknown>;
  /** (x, v) ↦ J·v, of r's structure: `jvp`. */
  readonly push: (x: T, v: T) => Maybe<unknown>;
  /** (x, w) ↦ Jᵀ·w, of x's structure: `vjp`. */
  readonly pull: (x: T, w: never) => Maybe<unknown>;
}

export interface LeastSquaresStep<T = unknown> {
  /** Where the step led, as host tensors; in a result, the best point found. */
  readonly parameters: T;
  readonly iteration: number;
  /** ½ ‖r‖². */
  readonly cost: number;
  /** The largest magnitude in Jᵀ·r. */
  readonly gradientNorm: number;
  /** λ of Levenberg and Marquardt. */
  readonly damping: number;
}

export interface LeastSquaresOptions<T = unknown> {
  /** It ends where no element of Jᵀ·r is larger; 1e-8 by default. */
  readonly gradientTolerance?: number;
  /** It ends where a step is shorter than this times ‖x‖; 1e-10 by default. */
  readonly stepTolerance?: number;
  /** 100 by default. */
  readonly maxIterations?: number;
  /** The first λ, beside the size of JᵀJ; 1e-3 by default. Near 0 the steps are those of Gauss and Newton. */
  readonly damping?: number;
  /** At most so many products for one step; twice the number of unknowns, but not more than 1000, by default. */
  readonly maxProducts?: number;
  /** Called after each step that was taken, and waited for; `true` ends the search. */
  readonly onStep?: (step: LeastSquaresStep<T>) => unknown;
}

export interface LeastSquaresResult<T> extends LeastSquaresStep<T> {
  readonly converged: boolean;
  readonly reason: 'gradient' | 'step' | 'iterations' | 'stopped';
}

interface Maps {
  readonly push: (v: Float64Array) => Promise<Float64Array>;
  readonly pull: (w: Float64Array) => Promise<Float64Array>;
}

const op = 'leastSquares';

/**
 * Minimises ½ ‖r(x)‖² by Levenberg's and Marquardt's method, with the damping of Nielsen (1999). J is known by its products only: a step
 * solves (JᵀJ + λ)·δ = −Jᵀr by conjugate gradients on J (CGLS; Björck 1996, algorithm 7.4.1).
 *
 * @throws ArgumentError for functions or options that are missing or out of range, or where the residual at the start is not finite.
 * @example
 * import { square, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { leastSquares } from '@tf/optim';
 * import { jit, jvp, type TracedTensor, vjp } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const options = { engine: await createEngine() };
 * const residual = (x: T) => square(x).sub(tensor([4, 9]));
 * const { cost } = await leastSquares({
 *   residual: jit(residual, options),
 *   push: jit((x: T, v: T) => jvp(residual, [x], [v])[1], options),
 *   pull: jit((x: T, w: T) => vjp(residual, x)[1](w)[0], options),
 * }, tensor([1, 1]));
 * if (cost > 1e-20) throw new Error('unexpected');
 */
export async function leastSquares<T>(problem: LeastSquaresProblem<T>, start: T, options: LeastSquaresOptions<T> = {}): Promise<LeastSquaresResult<T>> {
  requireOptions(op, problem, ['residual', 'push', 'pull'], 'leastSquares({ residual, push, pull }, start)');
  for (const name of ['residual', 'push', 'pull'] as const) requireFunction(op, name, problem[name], 'leastSquares({ residual, push, pull }, start)');
  checkOptions(op, options, { gradientTolerance: requireWeight, stepTolerance: requireWeight, maxIterations: requireCount, damping: requirePositive, maxProducts: requireCount, onStep: requireFunction }, 'leastSquares(problem, start, { maxIterations: 100 })');
  return new Search(problem, start, options).run();
}

class Search<T> {
  readonly #problem: LeastSquaresProblem<T>;
  readonly #options: LeastSquaresOptions<T>;
  readonly #start: T;
  readonly #unknowns: FlatVector;
  #residuals: FlatVector | undefined;

  constructor(problem: LeastSquaresProblem<T>, start: T, options: LeastSquaresOptions<T>) {
    [this.#problem, this.#start, this.#options] = [problem, start, options];
    this.#unknowns = new FlatVector(op, start, 'start');
  }

  async run(): Promise<LeastSquaresResult<T>> {
    const { gradientTolerance = 1e-8, stepTolerance = 1e-10, maxIterations = 100, damping = 1e-3, onStep } = this.#options;
    let x = await this.#unknowns.read(this.#start, 'start');
    let r = await this.#residualAt(x);
    if (!Number.isFinite(dot(r, r))) throw new TfError('ArgumentError', `${op}: the residual at the start is not finite. Begin where it is.`, { op, argument: 'start' });
    let maps = this.#mapsAt(x);
    let gradient = await maps.pull(r);
    let lambda = damping * (await steepness(maps, gradient));
    let [growth, iteration] = [2, 0];
    const now = (): LeastSquaresStep<T> => ({ parameters: this.#unknowns.tensors(x) as T, iteration, cost: 0.5 * dot(r, r), gradientNorm: largest(gradient), damping: lambda });
    const ended = (reason: LeastSquaresResult<T>['reason']): LeastSquaresResult<T> => ({ ...now(), converged: reason === 'gradient' || reason === 'step', reason });
    while (largest(gradient) > gradientTolerance) {
      if (iteration === maxIterations) return ended('iterations');
      const step = await this.#solve(maps, r, lambda);
      if (Math.sqrt(dot(step, step)) <= stepTolerance * (Math.sqrt(dot(x, x)) + stepTolerance)) return ended('step');
      iteration++;
      const trial = plus(x, 1, step);
      const next = await this.#residualAt(trial);
      const [gained, promised] = [0.5 * (dot(r, r) - dot(next, next)), 0.5 * (lambda * dot(step, step) - dot(step, gradient))];
      const ratio = gained / promised;
      if (!(ratio > 0)) {
        lambda *= growth;
        growth *= 2;
        continue;
      }
      [x, r, maps] = [trial, next, this.#mapsAt(trial)];
      gradient = await maps.pull(r);
      lambda *= Math.max(1 / 3, 1 - (2 * ratio - 1) ** 3);
      growth = 2;
      if ((await onStep?.(now())) === true) return ended('stopped');
    }
    return ended('gradient');
  }

  async #residualAt(x: Float64Array): Promise<Float64Array> {
    const tree = await this.#problem.residual(this.#unknowns.tensors(x) as T);
    this.#residuals ??= new FlatVector(op, tree, 'the residual');
    return this.#residuals.read(tree, 'the residual');
  }

  #mapsAt(at: Float64Array): Maps {
    const x = this.#unknowns.tensors(at) as T;
    const residuals = this.#residuals as FlatVector;
    return {
      push: async (v) => residuals.read(await this.#problem.push(x, this.#unknowns.tensors(v) as T), 'the product by J'),
      pull: async (w) => this.#unknowns.read(await this.#problem.pull(x, residuals.tensors(w) as never), 'the product by the transpose of J'),
    };
  }

  async #solve({ push, pull }: Maps, residual: Float64Array, lambda: number): Promise<Float64Array> {
    const { maxProducts = Math.min(1000, 2 * this.#unknowns.length) } = this.#options;
    let delta: Float64Array = new Float64Array(this.#unknowns.length);
    let rest: Float64Array = residual.map((value) => -value);
    let s: Float64Array = await pull(rest);
    let [p, gamma]: [Float64Array, number] = [s, dot(s, s)];
    const enough = 1e-20 * gamma;
    for (let k = 0; k < maxProducts && gamma > enough; k++) {
      const q = await push(p);
      const alpha = gamma / (dot(q, q) + lambda * dot(p, p));
      if (!Number.isFinite(alpha)) break;
      delta = plus(delta, alpha, p);
      rest = plus(rest, -alpha, q);
      s = plus(await pull(rest), -lambda, delta);
      const next = dot(s, s);
      p = plus(s, next / gamma, p);
      gamma = next;
    }
    return delta;
  }
}

/** ‖J·g‖² / ‖g‖²: JᵀJ along the gradient. */
async function steepness({ push }: Maps, gradient: Float64Array): Promise<number> {
  const product = await push(gradient);
  const size = dot(product, product) / dot(gradient, gradient);
  return size > 0 ? size : 1;
}
