import { checkOptions, requireCount, requireFunction, TfError } from '@tf/core';
import { dot, FlatVector, largest, plus } from './flat.ts';
import { type LinePoint, searchLine } from './line-search.ts';
import { requireWeight } from './settings.ts';

export interface MinimizeStep<T = unknown> {
  /** Where the step led, as host tensors; in a result, the best point found. */
  readonly parameters: T;
  readonly iteration: number;
  readonly value: number;
  /** The largest magnitude among the elements of the gradient. */
  readonly gradientNorm: number;
}

export interface MinimizeOptions<T = unknown> {
  /** How many steps are remembered to approximate the second derivative; 10 by default. */
  readonly memory?: number;
  /** It ends where no element of the gradient is larger; 1e-6 by default. */
  readonly gradientTolerance?: number;
  /** It ends where a step lowers the value by no more than this times max(|value|, 1); 1e-14 by default. */
  readonly valueTolerance?: number;
  /** 1000 by default. */
  readonly maxIterations?: number;
  /** Called after each step, and waited for; `true` ends the search. */
  readonly onStep?: (step: MinimizeStep<T>) => unknown;
}

export interface MinimizeResult<T> extends MinimizeStep<T> {
  /** How often the function was called. */
  readonly evaluations: number;
  /** Whether the gradient is within its tolerance, or the value no longer falls. */
  readonly converged: boolean;
  readonly reason: 'gradient' | 'value' | 'no descent' | 'iterations' | 'stopped';
}

/** Value and gradient at a point: what `jit(valueAndGrad(f), { engine })` gives. */
type ValueAndGradient<T> = (parameters: T) => readonly [unknown, unknown] | Promise<readonly [unknown, unknown]>;

interface Point {
  readonly x: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array;
}

/**
 * The minimum of a smooth function by L-BFGS (Liu & Nocedal 1989) with a line search for the strong Wolfe conditions. The function runs
 * where its program runs; the vectors of the search are the host's, in float64. Complex parameters count as two real numbers.
 *
 * @param f value and gradient at a tree of tensors.
 * @param start where to begin: host, resident or eager tensors.
 * @throws ArgumentError for options out of range, where the value at the start is not finite, or where f gives something else.
 * @example
 * import { square, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { minimize } from '@tf/optim';
 * import { jit, type TracedTensor, valueAndGrad } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const f = jit(valueAndGrad((x: T) => square(x.sub(3)).sum()), { engine: await createEngine() });
 * const { value, converged } = await minimize(f, tensor([0, 10]));
 * console.log(value < 1e-20, converged); // → true true
 */
export async function minimize<T>(f: ValueAndGradient<T>, start: T, options: MinimizeOptions<T> = {}): Promise<MinimizeResult<T>> {
  const op = 'minimize';
  requireFunction(op, 'f', f, 'minimize(jit(valueAndGrad(f), { engine }), start)');
  checkOptions(op, options, { memory: requireCount, gradientTolerance: requireWeight, valueTolerance: requireWeight, maxIterations: requireCount, onStep: requireFunction }, 'minimize(f, start, { maxIterations: 100 })');
  const { memory = 10, gradientTolerance = 1e-6, valueTolerance = 1e-14, maxIterations = 1000, onStep } = options;
  const vector = new FlatVector(op, start, 'start');
  let evaluations = 0;
  const evaluate = async (x: Float64Array): Promise<Point> => {
    evaluations++;
    const [value, gradient] = requirePair(await f(vector.tensors(x) as T));
    return { x, value: (await new FlatVector(op, value, 'the value').read(value, 'the value'))[0] as number, gradient: await vector.read(gradient, 'the gradient') };
  };
  let at = await evaluate(await vector.read(start, 'start'));
  if (!Number.isFinite(at.value) || !Number.isFinite(largest(at.gradient))) throw new TfError('ArgumentError', `${op}: the value at the start is ${at.value}, the largest element of the gradient ${largest(at.gradient)}. Begin where both are finite.`, { op, argument: 'start' });
  const pairs = new Pairs(memory);
  let iteration = 0;
  const step = (): MinimizeStep<T> => ({ parameters: vector.tensors(at.x) as T, value: at.value, gradientNorm: largest(at.gradient), iteration });
  const ended = (reason: MinimizeResult<T>['reason']): MinimizeResult<T> => ({ ...step(), evaluations, converged: reason === 'gradient' || reason === 'value', reason });
  while (largest(at.gradient) > gradientTolerance) {
    if (iteration === maxIterations) return ended('iterations');
    const next = await descend(at, pairs, evaluate);
    if (next === undefined) return ended('no descent');
    const fall = at.value - next.value;
    pairs.add(plus(next.x, -1, at.x), plus(next.gradient, -1, at.gradient));
    at = next;
    iteration++;
    if ((await onStep?.(step())) === true) return ended('stopped');
    if (fall <= valueTolerance * Math.max(Math.abs(at.value), 1) && largest(at.gradient) > gradientTolerance) return ended('value');
  }
  return ended('gradient');
}

function requirePair(result: unknown): readonly [unknown, unknown] {
  if (Array.isArray(result) && result.length === 2) return result as unknown as readonly [unknown, unknown];
  throw new TfError('ArgumentError', 'minimize: f gives no pair of value and gradient. Write jit(valueAndGrad(f), { engine }).', { op: 'minimize', argument: 'f' });
}

/** Along the quasi-Newton direction; where that does not descend, along the gradient, forgetting what was remembered. */
async function descend(at: Point, pairs: Pairs, evaluate: (x: Float64Array) => Promise<Point>): Promise<Point | undefined> {
  for (const isFresh of pairs.isEmpty ? [true] : [false, true]) {
    if (isFresh) pairs.clear();
    const direction = pairs.apply(at.gradient).map((value) => -value);
    const slope = dot(direction, at.gradient);
    if (!(slope < 0)) continue;
    const along = async (t: number): Promise<LinePoint<Point>> => {
      const point = await evaluate(plus(at.x, t, direction));
      return { t, value: point.value, slope: dot(point.gradient, direction), point };
    };
    const first = isFresh ? Math.min(1, 1 / largest(at.gradient)) : 1;
    const found = await searchLine({ t: 0, value: at.value, slope, point: at }, first, along);
    if (found !== undefined) return found.point;
  }
  return undefined;
}

interface Pair {
  readonly s: Float64Array;
  readonly y: Float64Array;
  readonly sy: number;
}

/** The last steps s and the changes y of the gradient along them: the inverse of the second derivative, as far as it is known. */
class Pairs {
  readonly #most: number;
  #pairs: Pair[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#pairs.length === 0;
  }

  clear(): void {
    this.#pairs = [];
  }

  /** A step along which the gradient does not grow says nothing that keeps the approximation positive definite: it is left out. */
  add(s: Float64Array, y: Float64Array): void {
    const sy = dot(s, y);
    if (!(sy > 1e-16 * dot(y, y))) return;
    this.#pairs.push({ s, y, sy });
    if (this.#pairs.length > this.#most) this.#pairs.shift();
  }

  /** Nocedal's two-loop recursion (Nocedal & Wright 2006, algorithm 7.4). */
  apply(gradient: Float64Array): Float64Array {
    let q: Float64Array = gradient.slice();
    const alphas = new Array<number>(this.#pairs.length);
    for (let i = this.#pairs.length - 1; i >= 0; i--) {
      const { s, y, sy } = this.#pairs[i] as Pair;
      alphas[i] = dot(s, q) / sy;
      q = plus(q, -(alphas[i] as number), y);
    }
    const last = this.#pairs.at(-1);
    if (last !== undefined) {
      const size = dot(last.y, last.y);
      q = q.map((value) => (value * last.sy) / size);
    }
    this.#pairs.forEach(({ s, y, sy }, i) => {
      q = plus(q, (alphas[i] as number) - dot(y, q) / sy, s);
    });
    return q;
  }
}
