import { type Argument, type DType, isInexact, isOperand, TfError } from '@tf/core';
import { type GradOptions, pullbackTraced, pushforwardTraced } from './differentiate.ts';
import type { Trace, TracedAtom } from './origin.ts';
import { asTraced, atomOfType, replay, requireTraced, traced, TracedTensor, zerosOf } from './traced-tensor.ts';
import { isTensorLeaf, openArgument, type OpenedArgument } from './transforms.ts';
import { type AnyFunction, callTraced } from './tracing.ts';
import { type Flat, flatten, sameStructure, unflatten } from './tree.ts';
import type { ArgumentsOf, GradientOf, TangentOf, TangentsOf, TensorArgument } from './tree-types.ts';

/** Cotangents of the arguments from those of the result; undefined stands for zero. */
export type Pullback<R, G> = (cotangents: TangentOf<R>) => G;

interface Opened {
  readonly args: readonly OpenedArgument[];
  readonly result: unknown;
  readonly flat: Flat;
  /** Per leaf of the result: the traced value, where it carries tangents. */
  readonly outputs: readonly (TracedTensor | undefined)[];
}

function open(op: string, f: AnyFunction, primals: readonly unknown[]): Opened {
  const trace: Trace = { name: op, open: true };
  const args = primals.map((primal, index) => openArgument(op, primal, index, true, trace, undefined));
  const result = callTraced(trace, f, args.map(({ value }) => value));
  const flat = flatten(result);
  const outputs = flat.leaves.map((leaf) => (isOperand(leaf) && isInexact(leaf.type.dtype) ? traced(leaf) : undefined));
  return { args, result, flat, outputs };
}

/** The atoms of a tangent or cotangent tree for the values given; undefined stands for zero and stays out. */
function atomsFor(op: string, what: string, tree: unknown, flat: Flat, values: readonly (TracedTensor | undefined)[]): readonly (TracedAtom | undefined)[] {
  const given = flatten(tree);
  if (tree !== undefined && !sameStructure(given.structure, flat.structure)) {
    throw new TfError('ArgumentError', `${op}: the ${what}s have another structure than the values they belong to: leaves ${given.paths.join(', ') || '(one)'} instead of ${flat.paths.join(', ') || '(one)'}.`, { op, argument: what });
  }
  return values.map((value, at) => {
    const leaf = tree === undefined ? undefined : given.leaves[at];
    if (leaf === undefined || leaf === null) return undefined;
    const label = `the ${what}${flat.paths[at] === '' ? '' : ` ${flat.paths[at]}`}`;
    if (!isTensorLeaf(leaf)) throw new TfError('ArgumentError', `${op}: ${label} is no tensor or number.`, { op, argument: what });
    if (value === undefined) throw new TfError('NotDifferentiableError', `${op}: ${label} belongs to a value that carries no tangent; leave it undefined.`, { op, argument: what });
    return atomOfType(op, label, leaf as Argument, value.type);
  });
}

/**
 * The cotangent of `x` from the cotangent `ct` of a traced value `y`; or, given a function and its arguments, its value
 * and the function that pulls cotangents of the result back to the arguments: `[value, pullback]`. The pullback gives one
 * tree per argument, zero where the result does not depend on a leaf, undefined at leaves without tangents.
 *
 * @throws ShapeError, DTypeError or ArgumentError when cotangents do not fit the result.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, type TracedTensor, vjp } from '@tf/traced';
 * const engine = await createEngine();
 * const [, pullback] = vjp((x: TracedTensor<'float64'>) => x.mul(x), tensor([1, 2]));
 * console.log(evaluate(pullback(tensor([10, 100])), engine)[0].toArray()); // → [ 20, 400 ]
 */
export function vjp<E extends DType>(y: TracedTensor, x: TracedTensor<E>, ct: Argument, options?: GradOptions): TracedTensor<E>;
export function vjp<R, const P extends readonly TensorArgument<'float64'>[]>(f: (...args: readonly TracedTensor<'float64'>[]) => R, ...primals: P): readonly [R, Pullback<R, { readonly [Index in keyof P]: TracedTensor<'float64'> }>];
export function vjp<A extends readonly unknown[], R>(f: (...args: A) => R, ...primals: NoInfer<ArgumentsOf<A>>): readonly [R, Pullback<R, { readonly [Index in keyof A]: GradientOf<A[Index]> }>];
export function vjp(target: TracedTensor | AnyFunction, ...rest: unknown[]): unknown {
  if (typeof target !== 'function') {
    requireTraced('vjp', target);
    return target.vjp(rest[0] as TracedTensor, rest[1] as Argument, rest[2] as GradOptions | undefined);
  }
  const { args, result, flat, outputs } = open('vjp', target, rest);
  const wrt = args.flatMap(({ fresh }) => fresh.filter((leaf) => leaf !== undefined));
  const pullback = (cotangents: unknown): unknown => {
    const atoms = atomsFor('vjp', 'cotangent', cotangents, flat, outputs);
    const live = outputs.flatMap((output, at) => (output === undefined || atoms[at] === undefined ? [] : [{ output, atom: atoms[at] }]));
    const found = pullbackTraced(replay, { op: 'vjp', outputs: live.map(({ output }) => output), cotangents: live.map(({ atom }) => atom), wrt, options: {} });
    let next = 0;
    return args.map(({ flat: own, fresh }) => unflatten(own.structure, fresh.map((leaf) => (leaf === undefined ? undefined : orZeros(found[next++], leaf)))));
  };
  return [result, pullback];
}

function orZeros(atom: TracedAtom | undefined, like: TracedTensor): TracedTensor {
  return atom === undefined ? zerosOf(like.type) : asTraced(atom);
}

/**
 * The tangent of a traced value `y` when `x` has the given tangent; or, given a function, its value and the tangent of
 * its result: `[value, tangent]`. Primals and tangents are lists, one tree per argument; undefined stands for zero.
 *
 * @throws ShapeError, DTypeError or ArgumentError when tangents do not fit their values.
 * @example
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { evaluate, jvp } from '@tf/traced';
 * const engine = await createEngine();
 * const [value, tangent] = evaluate(jvp((x) => x.mul(x), [3], [1]), engine);
 * console.log(value.item(), tangent.item()); // → 9 6
 */
export function jvp<D extends DType>(y: TracedTensor<D>, x: TracedTensor, tangent: Argument, options?: Pick<GradOptions, 'context'>): TracedTensor<D>;
export function jvp<R>(f: (...args: readonly TracedTensor<'float64'>[]) => R, primals: readonly TensorArgument<'float64'>[], tangents: readonly (TensorArgument<'float64'> | undefined)[]): readonly [R, GradientOf<R>];
export function jvp<A extends readonly unknown[], R>(f: (...args: A) => R, primals: NoInfer<ArgumentsOf<A>>, tangents: NoInfer<TangentsOf<A>>): readonly [R, GradientOf<R>];
export function jvp(target: TracedTensor | AnyFunction, ...rest: unknown[]): unknown {
  if (typeof target !== 'function') {
    requireTraced('jvp', target);
    return target.jvp(rest[0] as TracedTensor, rest[1] as Argument, rest[2] as GradOptions | undefined);
  }
  const [primals, tangents] = rest as [readonly unknown[], readonly unknown[]];
  if (primals.length !== tangents.length) throw new TfError('ArgumentError', `jvp: ${primals.length} primals and ${tangents.length} tangents; there must be one tangent per primal.`, { op: 'jvp', argument: 'tangents' });
  const { args, result, flat, outputs } = open('jvp', target, primals);
  const moved = args.flatMap(({ flat: own, fresh }, index) => {
    const atoms = atomsFor('jvp', 'tangent', tangents[index], own, fresh);
    return fresh.flatMap((leaf, at) => (leaf === undefined || atoms[at] === undefined ? [] : [{ leaf, atom: atoms[at] }]));
  });
  const live = outputs.filter((output) => output !== undefined);
  const found = pushforwardTraced(replay, { op: 'jvp', outputs: live, wrt: moved.map(({ leaf }) => leaf), tangents: moved.map(({ atom }) => atom), options: {} });
  let next = 0;
  return [result, unflatten(flat.structure, outputs.map((output) => (output === undefined ? undefined : orZeros(found[next++], output))))];
}
