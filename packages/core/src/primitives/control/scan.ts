import { TfError } from '../../errors.ts';
import { chooseListener } from '../../program/dispatch.ts';
import { checkOptions, describe, type OptionChecks, requireCount, requireFlag, requireFunction } from '../../types/argument.ts';
import { type Dim, dimText, isDim, isKnown, sameDim } from '../../types/dim.ts';
import { isOperand, type Kind, type Operand } from '../../types/operand.ts';
import { type TensorType, tensorType, typeText } from '../../types/tensor-type.ts';
import { type FlatTree, flattenTree, type TreeStructure, unflattenTree } from '../../types/tree.ts';
import { argumentAs } from '../arguments.ts';
import { add } from '../arithmetic.ts';
import { reshape } from '../movement.ts';
import { concat, slice } from '../slicing.ts';
import { checkpoint } from './checkpoint.ts';
import { type Leaf, leafTypes, openRegion, type OpenedRegion, requireLeaves, requireSameStructure, requireSynchronous } from './region.ts';
import { sliceOf } from './scan-params.ts';
import { scanPrimitive } from './scan-primitive.ts';
import type { OpenedTree } from './tree-types.ts';

export interface ScanOptions {
  /** How many iterations, where no slices say it. */
  readonly length?: Dim;
  /** From the last slice to the first; results stay where their slices are. */
  readonly reverse?: boolean;
  /** Reverse mode keeps the carry every so many iterations only, and computes the rest again: less memory for one more forward pass. */
  readonly checkpointEvery?: number;
}

const scanOptions: OptionChecks = { length: requireLength, reverse: requireFlag, checkpointEvery: requireCount };

function requireLength(op: string, argument: string, value: unknown): void {
  if (isDim(value) && (!isKnown(value) || (Number.isInteger(value) && value >= 0))) return;
  throw new TfError('ArgumentError', `${op}: ${argument} is ${describe(value)}; it must be a whole number ≥ 0 or a symbolic dimension.`, { op, argument });
}

/**
 * Runs `f(carry, x) → [carry, y]` for each slice x of `xs` along its first axis, handing the carry on; gives the last carry and the
 * results y stacked along a first axis. Carries, slices and results are trees of tensors; `xs` may be undefined, then `length`
 * says how often. `f` is run once, to build its program: the compiled size does not depend on the number of iterations. The
 * carry keeps its types; a number to start with takes the dtype that comes back.
 *
 * @throws ShapeError when slices differ in number; DTypeError or ShapeError when a carry comes back with another type.
 * @example
 * import { add, mul, scan, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { jit, type TracedTensor } from '@tf/traced';
 * type T = TracedTensor<'float64'>;
 * const horner = jit((x: T, coefficients: T) => scan((sum: T, c: T) => [sum.mul(x).add(c), sum] as const, x.mul(0), coefficients)[0], { engine: await createEngine() });
 * console.log(horner(2, tensor([3, 0, 1])).item()); // → 13
 */
export function scan<C, X, Y, S = OpenedTree<C>, T = OpenedTree<X>>(f: (carry: S, x: T) => readonly [S, Y], init: C, xs: X, options: ScanOptions = {}): readonly [S, Y] {
  requireFunction('scan', 'f', f, 'scan((carry, x) => [carry, y], init, xs)');
  checkOptions('scan', options, scanOptions, 'scan(f, init, xs, { reverse: true })');
  return scanWith(f, init, xs, options, []);
}

/** A scan whose carries begin with the types that are given, where they are. */
function scanWith<S, T, Y>(f: (carry: S, x: T) => readonly [S, Y], init: unknown, xs: unknown, options: ScanOptions, fixed: readonly (TensorType | undefined)[]): readonly [S, Y] {
  const [carries, slices] = [flattenTree(init), flattenTree(xs === undefined || xs === null ? [] : xs)];
  const stacks = requireStacks(slices);
  const length = lengthOf(slices, stacks, options.length);
  const body = (carry: unknown, x: unknown): unknown => requirePair(f(carry as S, (xs === undefined || xs === null ? undefined : x) as T));
  const all = { structure: slices.structure, stacks };
  const { checkpointEvery } = options;
  if (checkpointEvery !== undefined && checkpointEvery >= 1) return checkpointed(f, init, xs, options, checkpointEvery, carryTypes('scan', body as Body, carries, all, fixed).types);
  const scanned = runScan('scan', body as Body, carries, all, length, options.reverse === true, fixed);
  return scanned as unknown as readonly [S, Y];
}

type Body = (...args: readonly unknown[]) => readonly [unknown, unknown];

interface Stacks {
  readonly structure: TreeStructure;
  readonly stacks: readonly Operand[];
}

/** The body as a region, and the types of its carries once numbers to start with have taken theirs. */
function carryTypes(op: string, body: Body, carries: FlatTree, { structure, stacks }: Stacks, fixed: readonly (TensorType | undefined)[]): { readonly types: readonly TensorType[]; readonly region: OpenedRegion } {
  const leaves = requireLeaves(op, 'init', carries);
  const open = (types: readonly TensorType[]): OpenedRegion => openRegion(op, [...leaves, ...stacks], (carry, x) => {
    const [next, y] = body(carry, x);
    requireSameStructure(op, 'the carry', flattenTree(next).structure, carries.structure);
    return [next, y];
  }, [{ structure: carries.structure, types }, { structure, types: stacks.map(({ type }) => sliceOf(type)) }]);
  const types = leafTypes(leaves, fixed, stacks);
  const region = open(types);
  const settled = settledTypes(leaves, types, region, fixed);
  return settled === types ? { types, region } : { types: settled, region: open(settled) };
}

/** The scan of a body that is known to give a pair. */
export function runScan(op: string, body: Body, carries: FlatTree, all: Stacks, length: Dim, reverse: boolean, fixed: readonly (TensorType | undefined)[] = []): readonly [unknown, unknown] {
  const { stacks } = all;
  const leaves = requireLeaves(op, 'init', carries);
  const { types, region } = carryTypes(op, body, carries, all, fixed);
  requireSameTypes(op, carries, types, region);
  const listener = chooseListener(op, [...region.captures, ...leaves, ...stacks]);
  const inputs = [
    ...region.captures.map((capture, at) => argumentAs(listener, capture, capture.type.dtype, op, at)),
    ...leaves.map((leaf, at) => argumentAs(listener, leaf, (types[at] as TensorType).dtype, op, at)),
    ...stacks.map((stack, at) => argumentAs(listener, stack, stack.type.dtype, op, at)),
  ];
  const outputs = listener.apply(scanPrimitive.operation, inputs, { body: region.program, constants: region.captures.length, carries: leaves.length, length, reverse, linear: [] });
  return unflattenTree(region.structure, outputs) as readonly [unknown, unknown];
}

/** Numbers to start with take the dtypes that come back. */
export function settledTypes(leaves: readonly Leaf[], types: readonly TensorType[], { program }: OpenedRegion, fixed: readonly (TensorType | undefined)[]): readonly TensorType[] {
  const settled = types.map((type, at) => {
    const weak = fixed[at] === undefined && (!isOperand(leaves[at]) || leaves[at].weak === true);
    const back = program.outputs[at]?.type;
    return weak && back !== undefined && back.dtype !== type.dtype && back.shape.length === type.shape.length ? tensorType(back.dtype, type.shape) : type;
  });
  return settled.every((type, at) => type === types[at]) ? types : settled;
}

/** A carry must come back as it went in. */
export function requireSameTypes(op: string, tree: FlatTree, types: readonly TensorType[], { program }: OpenedRegion): void {
  requireBackTypes(op, tree, types, program.outputs.map(({ type }) => type));
}

export function requireBackTypes(op: string, { paths }: FlatTree, types: readonly TensorType[], given: readonly TensorType[]): void {
  types.forEach((type, at) => {
    const back = given[at] as TensorType;
    if (back.key === type.key) return;
    const where = paths[at] === '' ? 'the carry' : `the carry ${String(paths[at])}`;
    const remedy = back.dtype === type.dtype ? `Start with that shape, e.g. zeros([${back.shape.map(dimText).join(', ')}]), or reduce what comes back.` : `Convert it: convert(carry, '${type.dtype}'), or start with ${back.dtype}.`;
    throw new TfError(back.dtype === type.dtype ? 'ShapeError' : 'DTypeError', `${op}: ${where} goes in as ${typeText(type)} and comes back as ${typeText(back)}. ${remedy}`, { op, expected: type.key, got: back.key });
  });
}

function requirePair(result: unknown): readonly [unknown, unknown] {
  requireSynchronous('scan', result);
  if (!Array.isArray(result) || result.length !== 2) throw new TfError('ArgumentError', `scan: the function returned ${describe(result)}; it must return [carry, y]. Return [carry, undefined] where there is nothing to stack.`, { op: 'scan', argument: 'f' });
  const [carry, y] = result as unknown as readonly [unknown, unknown];
  return [carry, y ?? []];
}

function requireStacks({ leaves, paths }: FlatTree): readonly Operand[] {
  return leaves.map((leaf, at) => {
    const where = paths[at] === '' ? 'xs' : `xs at ${String(paths[at])}`;
    if (!isOperand(leaf)) throw new TfError('ArgumentError', `scan: ${where} is ${describe(leaf)}, not a tensor. Wrap arrays: tensor([...]).`, { op: 'scan', argument: 'xs' });
    if (leaf.type.shape.length === 0) throw new TfError('ShapeError', `scan: ${where} is ${leaf.type.key}, a scalar, and has no slices. Capture it in the function, or give it a first axis.`, { op: 'scan', argument: 'xs' });
    return leaf;
  });
}

function lengthOf({ paths }: FlatTree, stacks: readonly Operand[], given: Dim | undefined): Dim {
  let length = given;
  stacks.forEach(({ type }, at) => {
    const own = type.shape[0] as Dim;
    if (length !== undefined && !sameDim(length, own)) throw new TfError('ShapeError', `scan: xs${paths[at] === '' ? '' : ` at ${String(paths[at])}`} has ${dimText(own)} slices, ${given !== undefined && sameDim(given, length) ? 'length says' : 'others have'} ${dimText(length)}. They must agree.`, { op: 'scan', argument: 'xs' });
    length = own;
  });
  if (length === undefined) throw new TfError('ArgumentError', 'scan: there are no slices and no length, so nothing says how often to run. Give { length }.', { op: 'scan', argument: 'length' });
  return length;
}

/** An outer scan over pieces of `every` iterations, each a checkpoint; what is left over goes last (first, in reverse). */
function checkpointed<S, T, Y>(f: (carry: S, x: T) => readonly [S, Y], init: unknown, xs: unknown, { length: given, reverse = false }: ScanOptions, every: number, types: readonly TensorType[]): readonly [S, Y] {
  const flat = flattenTree(xs === undefined || xs === null ? [] : xs);
  const stacks = requireStacks(flat);
  const length = lengthOf(flat, stacks, given);
  if (!isKnown(length)) throw new TfError('ShapeError', `scan: checkpointEvery needs a known number of iterations, and it is ${dimText(length)}. Bind that dimension first.`, { op: 'scan', argument: 'checkpointEvery' });
  const whole = Math.floor(length / every) * every;
  const hasXs = !(xs === undefined || xs === null);
  const part = (from: number, to: number, shape: (x: Operand) => Operand): unknown => (hasXs ? unflattenTree(flat.structure, stacks.map((x) => shape(slice(x, [from, ...x.type.shape.slice(1).map(() => 0)], [to, ...x.type.shape.slice(1)]) as Operand))) : undefined);
  const inner = (count: number) => (carry: unknown, x: unknown): readonly [unknown, unknown] => scanWith(f as unknown as Body, carry, x, { length: count, reverse }, types);
  const pieces = (carry: unknown): readonly [unknown, unknown] => {
    const chunked = part(0, whole, (x) => reshape(x, [whole / every, every, ...x.type.shape.slice(1)]) as Operand);
    const [last, ys] = scanWith((c: unknown, x: unknown) => checkpoint(inner(every))(c, x ?? []), carry, chunked, { length: whole / every, reverse }, types);
    const flatYs = flattenTree(ys);
    return [last, unflattenTree(flatYs.structure, flatYs.leaves.map((y) => reshape(y as Operand, [whole, ...(y as Operand).type.shape.slice(2)])))];
  };
  const rest = (carry: unknown): readonly [unknown, unknown] => inner(length - whole)(carry, part(whole, length, (x) => x));
  if (whole === length) return pieces(init) as never;
  if (whole === 0) return rest(init) as never;
  const [first, second] = reverse ? [rest, pieces] : [pieces, rest];
  const [middle, early] = first(init);
  const [last, late] = second(middle);
  return [last, joined(reverse ? late : early, reverse ? early : late)] as never;
}

function joined(a: unknown, b: unknown): unknown {
  const [first, second] = [flattenTree(a), flattenTree(b)];
  return unflattenTree(first.structure, first.leaves.map((leaf, at) => concat([leaf as Operand, second.leaves[at] as Operand], 0)));
}

/** How often `fori` runs: a number of times, or from a first index up to but not including a last. */
export type Times = Dim | readonly [number, number];

/**
 * Runs `f(i, carry) → carry` for i = 0 … count − 1, or for `[from, to]` from `from` on below `to`; i is an int32 scalar. As `scan`
 * without slices and results.
 *
 * @throws as {@link scan}.
 * @example
 * import { add, fori, tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { jit, type TracedTensor } from '@tf/traced';
 * const doubled = jit((x: TracedTensor<'float64'>) => fori(3, (_i, y: typeof x) => y.mul(2), x), { engine: await createEngine() });
 * console.log(doubled(tensor([1, 5])).toArray()); // → [ 8, 40 ]
 */
export function fori<C, S = OpenedTree<C>>(times: Times, f: (i: Operand<Kind, 'int32'>, carry: S) => S, init: C, options: Pick<ScanOptions, 'checkpointEvery'> = {}): S {
  requireFunction('fori', 'f', f, 'fori(10, (i, carry) => carry, init)');
  checkOptions('fori', options, { checkpointEvery: requireCount }, 'fori(10, f, init, { checkpointEvery: 4 })');
  const [from, to] = (Array.isArray(times) ? times : [0, times]) as readonly [number, Dim];
  if (isKnown(to) && (from < -(2 ** 31) || to >= 2 ** 31)) throw new TfError('ArgumentError', `fori: times goes from ${from} to ${to}; the index is an int32, so both lie between -2147483648 and 2147483647. Begin at 0 and add the rest in the body.`, { op: 'fori', argument: 'times' });
  const wrong = !Number.isInteger(from) || (isKnown(to) && !(Number.isInteger(to) && to >= from)) || (!isKnown(to) && from !== 0);
  if (wrong || !isDim(to)) throw new TfError('ArgumentError', `fori: times is ${describe(times)}; it must be a whole number ≥ 0, a symbolic dimension, or [from, to] with from ≤ to.`, { op: 'fori', argument: 'times' });
  const length = isKnown(to) ? to - from : to;
  const next = (carry: unknown): readonly [unknown, unknown] => {
    const [i, own] = carry as readonly [Operand<Kind, 'int32'>, S];
    const result = f(i, own);
    requireSynchronous('fori', result);
    requireLeaves('fori', 'what the function returns', flattenTree(result));
    return [[add(i, 1), result], []];
  };
  const types = [tensorType('int32', [])];
  const none = flattenTree([]);
  // Messages name the parts of the user's carry.
  const own = flattenTree([from, init]);
  const carries = { ...own, paths: own.paths.map((path) => path.replace(/^\[\d\]\.?/, '')) };
  const [[, last]] = (options.checkpointEvery === undefined
    ? runScan('fori', next, carries, { structure: none.structure, stacks: [] }, length, false, types)
    : scanWith(next, [from, init], undefined, { length, ...options }, types)) as readonly [readonly [unknown, unknown], unknown];
  return last as S;
}
