import { checkOptions, type Engine, type OptionChecks, type Plan, type Program, requireEngine, TfError, wrongArgument, flattenTree, unflattenTree } from '@tf/core';
import { requireDonatedNames, requirePruneChoice, requireTracedList } from './arguments.ts';
import { bindInputs, type InputData } from './binding.ts';
import { eagerValue } from './eager-value.ts';
import { extractProgram, unlisted } from './extract.ts';
import { escapedTracer } from './leak.ts';
import type { InputOrigin, TracedValue } from './origin.ts';
import { load, residentLeaves, resultLeaves } from './run.ts';
import { requireTraced, type TracedTensor } from './traced-tensor.ts';
import type { ResultOf } from './tree-types.ts';

export interface CompileOptions {
  readonly engine: Engine;
  /** The inputs in order; data may then be given also for those that the results do not depend on. Default: those needed. */
  readonly inputs?: readonly TracedTensor[];
  /**
   * Inputs, by name, whose tensors each call takes: results may lie in their memory, and using them afterwards is a
   * DisposedError that names the donation. A call that is refused (shapes, dtypes) leaves them as they are, and
   * an eager tensor whose value a trace or another eager tensor holds too is left.
   */
  readonly donate?: readonly string[];
  /**
   * `exact`: no operation gives way to a cheaper or a larger one by another algorithm, whose last digits may differ. Without it a
   * family may declare such forms, e.g. where a value is wanted together with its gradient.
   */
  readonly prune?: 'exact';
}

const compileOptions: OptionChecks = { engine: requireEngine, inputs: requireTracedList, donate: requireDonatedNames, prune: requirePruneChoice };

/** A compiled tree of traced tensors. */
export interface Compiled<T> {
  (data: Readonly<Record<string, InputData>>): ResultOf<T>;
  /**
   * Loads and compiles what a run needs, without blocking. Needed before the first call only where the engine says so: a
   * browser's main thread compiles large modules in no other way.
   *
   * @example
   * import { createEngine } from '@tf/engine-cpu-wasm';
   * import { compile, input } from '@tf/traced';
   * const x = input('x', { shape: [] });
   * const square = compile(x.mul(x), { engine: await createEngine() });
   * await square.prepare();
   * console.log(square({ x: 3 }).item()); // → 9
   */
  prepare(): Promise<void>;
  /** Prepares, then runs; without blocking where the engine can. Data given are read when it runs. */
  runAsync(data: Readonly<Record<string, InputData>>): Promise<ResultOf<T>>;
  readonly program: Program;
  readonly plan: Plan;
}

/**
 * A tree of traced tensors as a function of the data of their inputs, by name. One plan serves all sizes of symbolic
 * extents.
 *
 * @throws ArgumentError for missing or unknown names, or when an input is needed that `inputs` does not list; ShapeError, DTypeError, DataLengthError for data that do not fit an
 * input; ConstraintError when sizes break what the program assumed of its symbols.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { compile, input } from '@tf/traced';
 * const [a, b] = [input('a', { shape: ['n'] }), input('b', { shape: ['n'] })];
 * const dot = compile({ value: a.mul(b).sum() }, { engine: await createEngine() });
 * console.log(dot({ a: tensor([1, 2]), b: tensor([3, 4]) }).value.item()); // → 11
 */
export function compile<const T>(tree: T, options: CompileOptions): Compiled<T> {
  checkOptions('compile', options, compileOptions, 'compile(tree, { engine })');
  const { engine, inputs: listed, donate = [] } = options;
  requireEngine('compile', 'engine', engine);
  for (const value of listed ?? []) requireTraced('compile', value);
  const { structure, leaves } = flattenTree(tree);
  const { outputs, slots } = resultLeaves('compile', leaves);
  if (outputs.length === 0) throw wrongArgument('compile', 'tree', tree, 'a traced tensor, or arrays and objects of them', 'Compute it from input(…).');
  const extraction = extractProgram(outputs, listed, (value) => (value.origin.kind === 'input' && value.origin.trace === undefined ? unlisted(value) : escapedTracer(value, 'compile')));
  const inputs = extraction.leaves.slice(0, extraction.program.inputs.length);
  for (const leaf of inputs) {
    if (leaf.origin.kind !== 'input') throw new TfError('ArgumentError', `compile: inputs lists a traced ${leaf.type.key} that is no input. List what input(...) gave.`, { op: 'compile', argument: 'inputs' });
    if (leaf.origin.trace !== undefined) throw escapedTracer(leaf, 'compile');
  }
  const loaded = load(extraction, engine, { donate: donate.map((name) => indexOfInput(name, inputs)), prune: options.prune });
  const run = (data: Readonly<Record<string, InputData>>): unknown => {
    const given = bindInputs(inputs, data, loaded.plan.constraints, engine);
    const isHeld = (index: number): boolean => eagerValue(data[((inputs[index] as TracedValue).origin as InputOrigin).name])?.sole === false;
    return unflattenTree(structure, residentLeaves(slots, leaves, loaded, loaded.run(given, isHeld)));
  };
  const runAsync = async (data: Readonly<Record<string, InputData>>): Promise<unknown> => {
    await loaded.prepare();
    return run(data);
  };
  return Object.freeze(Object.assign(run, { program: loaded.program, plan: loaded.plan, prepare: () => loaded.prepare(), runAsync })) as unknown as Compiled<T>;
}

function indexOfInput(name: string, inputs: readonly TracedValue[]): number {
  const names = inputs.map(({ origin }) => (origin as InputOrigin).name);
  const index = names.indexOf(name);
  if (index < 0) throw new TfError('ArgumentError', `compile: donate lists ${JSON.stringify(name)}, which is no input. The inputs are ${names.join(', ') || 'none'}.`, { op: 'compile', argument: 'donate', got: name, inputs: names });
  return index;
}
