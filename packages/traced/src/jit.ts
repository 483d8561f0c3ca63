import { type AdContext, BoundedCache, type CacheStats, checkOptions, dtypeOfArray, dtypes, elementCount, type Engine, type EngineInput, isOperand, isTypedArray, type OptionChecks, requireContext, requireCount, requireEngine, requireFunction, requireText, TfError, flattenTree, instructionCount, type TreeStructure, unflattenTree } from '@tf/core';
import { requireDonatedPositions, requireKeyChoice, requirePruneChoice } from './arguments.ts';
import { refuseCapturedKeys } from './captured-keys.ts';
import { eagerValue } from './eager-value.ts';
import { extractProgram } from './extract.ts';
import { escapedTracer, isOpen } from './leak.ts';
import type { TracedValue } from './origin.ts';
import { engineInput, load, type Loaded, residentLeaves, type ResultSlots, resultLeaves } from './run.ts';
import { Signatures } from './signatures.ts';
import { traced, TracedTensor } from './traced-tensor.ts';
import { type AnyFunction, isDynamic, tensorLeaf, traceFunction } from './tracing.ts';
import type { ArgumentsOf, ResultOf, TracedArgumentsOf } from './tree-types.ts';

export interface JitOptions {
  /** Where the compiled function runs. */
  readonly engine: Engine;
  /** Rules and caches for derivatives taken inside; by default core's rules. */
  readonly context?: AdContext;
  /** What errors call the function; by default its own name. */
  readonly name?: string;
  /** How many signatures are kept. Default 256; the least recently used leaves first. */
  readonly maximumEntries?: number;
  /**
   * Arguments, by position, whose tensors each call takes: results may lie in their memory, and using them afterwards is a
   * DisposedError that names the donation. A call that is refused (shapes, dtypes), and one that is inlined, leaves them;
   * so it does an eager tensor whose value a trace or another eager tensor holds too. A position beyond the arguments of a call is an ArgumentError.
   */
  readonly donate?: readonly number[];
  /**
   * `exact`: no operation gives way to a cheaper or a larger one by another algorithm, whose last digits may differ. Without it a
   * family may declare such forms, e.g. where a value is wanted together with its gradient.
   */
  readonly prune?: 'exact';
  /**
   * `reuse`: a key of random numbers that the function captures, or makes from a seed of its own, gives the same numbers in every call.
   * Without it such a function is refused.
   */
  readonly capturedKeys?: 'reuse';
}

const jitOptions: OptionChecks = { engine: requireEngine, context: requireContext, name: requireText, maximumEntries: requireCount, donate: requireDonatedPositions, prune: requirePruneChoice, capturedKeys: requireKeyChoice };

/** A compiled function. */
export interface Jitted<A extends readonly unknown[], R> {
  /** With traced arguments the function is inlined. */
  (...args: TracedArgumentsOf<A>): R;
  (...args: ArgumentsOf<A>): ResultOf<R>;
  /** Traces the function for the signature of these arguments, then loads and compiles what a call needs, without blocking. */
  prepare(...args: ArgumentsOf<A>): Promise<void>;
  /** Prepares, then calls; without blocking where the engine can. */
  runAsync(...args: ArgumentsOf<A>): Promise<ResultOf<R>>;
  /** `misses` is how often the function was traced; `retainedBytes` is about what programs and captured constants take. */
  stats(): CacheStats;
  /** Forgets every compiled signature. */
  clear(): void;
}

/** One signature of a jitted function. */
interface Entry {
  readonly loaded: Loaded | undefined;
  readonly structure: TreeStructure;
  readonly leaves: readonly unknown[];
  readonly slots: ResultSlots;
  /** Leaves of the arguments that are inputs. */
  readonly dynamic: readonly number[];
  /** Names of the inputs, for messages. */
  readonly names: readonly string[];
}

/**
 * The function, compiled: it runs once per signature (nesting of its arguments, their dtypes and shapes) on traced
 * tensors, and what it built runs on the engine from then on. Arguments are trees of tensors of any front end, typed
 * arrays (vectors), and numbers, which arrive as traced scalars, so that another number compiles nothing. Strings,
 * booleans, null and undefined are handed to the function as they are and belong to the signature. Results are trees of
 * tensors that stay on the engine. The function must be pure: what it reads besides its arguments is read once. The key of
 * random numbers is therefore an argument: with a captured one every call would draw the same numbers. `splitKey` it outside, or
 * return the rest.
 *
 * @throws TracerLeakError when a traced value is used as a JavaScript value, or one kept from another call is used; ArgumentError when
 * random numbers are drawn with a key that no argument has a part in, unless `capturedKeys: 'reuse'` says that this is meant.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { grad, jit, type TracedTensor } from '@tf/traced';
 * const loss = (w: TracedTensor<'float64'>) => w.mul(w).sum();
 * const step = jit((w: TracedTensor<'float64'>, rate: TracedTensor<'float64'>) => w.sub(grad(loss)(w).mul(rate)), { engine: await createEngine() });
 * const once = step(tensor([1, 2]), 0.25);
 * console.log(once.toArray(), step(once, 0.5).toArray(), step.stats().misses); // → [ 0.5, 1 ] [ 0, 0 ] 1
 */
export function jit<A extends readonly unknown[] = readonly TracedTensor<'float64'>[], const R = unknown>(f: (...args: A) => R, options: JitOptions): Jitted<A, R> {
  requireFunction('jit', 'f', f, 'jit((x) => …, { engine })');
  checkOptions('jit', options, jitOptions, 'jit(f, { engine })');
  requireEngine('jit', 'engine', options.engine);
  const name = options.name ?? (f.name === '' ? 'anonymous' : f.name);
  const title = `jit(${name})`;
  const { engine, context, maximumEntries = 256, donate = [], prune, capturedKeys } = options;
  const signatures = new Signatures(leafText);
  const cache = new BoundedCache<string, Entry>({ hash: (key) => signatures.hash(key), same: (a, b) => a === b, maximumEntries, bytes: retained, maximumBytes: Infinity });
  /** The entry of a signature, or undefined for a call that is part of another function's program. */
  const find = (args: readonly unknown[], leaves: unknown[]): Entry | undefined => {
    const key = signatures.of(args, leaves);
    if (leaves.some((leaf) => leaf instanceof TracedTensor)) return undefined;
    let foreign: TracedValue | undefined;
    const refuse = (leaf: TracedValue): TfError => escapedTracer((foreign = leaf), title);
    try {
      return cache.getOrCreate(key, () => createEntry(f, title, args, { engine, context, donate, prune, capturedKeys }, refuse));
    } catch (error) {
      // It captured a value of a function that is being traced around it, so it is part of that function's program.
      if (foreign !== undefined && isOpen(foreign)) return undefined;
      throw error;
    }
  };
  const call = (...args: readonly unknown[]): unknown => {
    const leaves: unknown[] = [];
    const entry = find(args, leaves);
    return entry === undefined ? inline(f, args) : run(entry, leaves, engine);
  };
  const prepare = async (...args: readonly unknown[]): Promise<void> => find(args, [])?.loaded?.prepare();
  const runAsync = async (...args: readonly unknown[]): Promise<unknown> => {
    await prepare(...args);
    return call(...args);
  };
  return Object.freeze(Object.assign(call, { prepare, runAsync, stats: () => cache.stats(), clear: () => cache.clear() })) as unknown as Jitted<A, R>;
}

/** An estimate of what a compiled signature keeps alive: its program, and the constants that the function captured. */
function retained(key: string, { loaded }: Entry): number {
  if (loaded === undefined) return 2 * key.length;
  const constants = loaded.program.bound.reduce((bytes, { variable: { type } }) => bytes + dtypes[type.dtype].bytes * (elementCount(type.shape) as number), 0);
  return 2 * key.length + 256 * instructionCount(loaded.program) + constants;
}

/** What a leaf contributes to the signature. */
function leafText(leaf: unknown): string {
  if (isOperand(leaf)) return leaf.type.key;
  if (typeof leaf === 'number') return '#';
  if (leaf === null || leaf === undefined || typeof leaf === 'boolean') return String(leaf);
  if (typeof leaf === 'string') return JSON.stringify(leaf);
  if (isTypedArray(leaf)) return `${dtypes[dtypeOfArray(leaf)].short}[${leaf.length}]`;
  throw new TfError('ArgumentError', `jit: an argument of type ${typeof leaf} is no tensor, typed array, number, string, boolean or null. Wrap data with tensor(...), and let the function capture what is neither.`, { op: 'jit', argument: 'args' });
}

/** Runs the function on traced arguments as part of the program under construction. */
function inline(f: AnyFunction, args: readonly unknown[]): unknown {
  const { structure, leaves } = flattenTree(args);
  const lifted = leaves.map((leaf) => (isDynamic(leaf) ? traced(tensorLeaf(leaf)) : leaf));
  return f(...(unflattenTree(structure, lifted) as never[]));
}

interface EntryOptions extends Pick<JitOptions, 'engine' | 'donate'> {
  readonly context: AdContext | undefined;
  readonly prune: 'exact' | undefined;
  readonly capturedKeys: 'reuse' | undefined;
}

function createEntry(f: AnyFunction, name: string, args: readonly unknown[], { engine, context, donate, prune, capturedKeys }: EntryOptions, refuse: (leaf: TracedValue) => TfError): Entry {
  const trace = traceFunction(f, name, args, context);
  const { structure, leaves } = flattenTree(trace.result);
  const results = resultLeaves(name, leaves);
  const extraction = results.outputs.length === 0 ? undefined : extractProgram(results.outputs, trace.inputs, refuse);
  if (extraction !== undefined && capturedKeys !== 'reuse') refuseCapturedKeys(name, extraction.program);
  const loaded = extraction === undefined ? undefined : load(extraction, engine, { donate: donate === undefined ? [] : donatedInputs(name, args, donate), prune });
  const kept = leaves.map((leaf) => (isOperand(leaf) ? undefined : leaf));
  const dynamic = flattenTree(args).leaves.flatMap((leaf, at) => (isDynamic(leaf) ? [at] : []));
  return { loaded, structure, leaves: kept, slots: results.slots, dynamic, names: trace.names };
}

/** Positions among all tensors and numbers of the arguments. */
function donatedInputs(name: string, args: readonly unknown[], donate: readonly number[]): readonly number[] {
  const beyond = donate.find((position) => position >= args.length);
  if (beyond !== undefined) throw new TfError('ArgumentError', `${name}: donate lists argument ${beyond}, but ${countText(args.length)} given. Arguments count from 0: { donate: [0] }.`, { op: name, argument: 'donate', got: beyond, count: args.length });
  let next = 0;
  return args.flatMap((arg, position) => {
    const inputs = flattenTree([arg]).leaves.filter(isDynamic).map(() => next++);
    return donate.includes(position) ? inputs : [];
  });
}

function countText(count: number): string {
  return count === 1 ? '1 argument was' : `${count === 0 ? 'no' : count} arguments were`;
}

function run({ loaded, structure, leaves, slots, dynamic, names }: Entry, args: readonly unknown[], engine: Engine): unknown {
  if (loaded === undefined) return unflattenTree(structure, leaves);
  const inputs = new Array<EngineInput>(dynamic.length);
  for (let at = 0; at < dynamic.length; at++) inputs[at] = engineInput(names[at] as string, args[dynamic[at] as number], engine);
  const buffers = loaded.run(inputs, (index) => eagerValue(args[dynamic[index] as number])?.sole === false);
  return unflattenTree(structure, residentLeaves(slots, leaves, loaded, buffers));
}
