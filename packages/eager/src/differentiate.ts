import { allocate, checkOptions, conj, elementCount, type Engine, isComplex, isInexact, type Operand, TfError } from '@tf/core';
import { gradOptions } from './arguments.ts';
import type { RuntimeCore } from './core.ts';
import { cotangentFor, type Seed, seedFor } from './cotangent.ts';
import type { TensorLike } from './eager-tensor.ts';
import { asideKey, originKey } from './keys.ts';
import { liveRecord, type OwnTensor, traceOf } from './own-tensor.ts';
import { type DerivativeQuery, findPrepared } from './prepare.ts';
import { recordDerivative, runDerivative } from './run-derivative.ts';
import { createTensor } from './tensor.ts';
import type { TraceValue } from './trace.ts';
import { ValueRecord } from './value.ts';
import { type Leaf, reach, type Reached, type Wire } from './walk.ts';

/** How functional derivatives are taken. */
export interface GradOptions {
  /** A tensor that the result does not depend on has the gradient zero; otherwise that is an `InactiveGradError`. */
  readonly allowUnused?: boolean;
  /** Conjugate cotangents on their way in and gradients on their way out: JAX's convention for complex values. */
  readonly conjugate?: boolean;
  /** Where the derivative runs, when not on the session's engine: values are copied there and back. */
  readonly engine?: Engine;
}

export interface PullbackCall {
  readonly op: string;
  readonly outputs: readonly OwnTensor[];
  readonly cotangents: readonly (TensorLike | undefined)[];
  readonly inputs: readonly OwnTensor[];
  readonly options: GradOptions;
  /** Record whatever the binding says: a further derivative follows. */
  readonly recorded?: boolean;
}

/** The gradient of each input, which can be differentiated again; undefined where nothing flows. */
export function pullback(core: RuntimeCore, { op, outputs, cotangents, inputs, options, recorded }: PullbackCall): readonly (OwnTensor | undefined)[] {
  checkOptions(op, options, gradOptions);
  for (const tensor of [...outputs, ...inputs]) requireTangent(op, tensor);
  const conjugate = options.conjugate === true ? conjugated : same;
  const seeds = outputs.map((output, at) => cotangentFor(core, op, output, conjugate(cotangents[at])));
  const reached = reachInputs(core, outputs, inputs);
  if (reached === undefined) return inputs.map(() => undefined);
  const { wanted, groups } = reached;
  if (wanted.length === 0) return inputs.map(() => undefined);
  const results = derive(core, op, { direction: 'reverse', reached: reached.reached, wanted, groups }, { seeds, outputs, options, recorded });
  return results.map(conjugate);
}

export interface PushforwardCall {
  readonly op: string;
  readonly output: OwnTensor;
  readonly inputs: readonly OwnTensor[];
  readonly tangents: readonly TensorLike[];
  readonly options: Pick<GradOptions, 'engine'>;
}

/** The tangent of the output, which can be differentiated again; undefined where nothing flows. */
export function pushforward(core: RuntimeCore, { op, output, inputs, tangents, options }: PushforwardCall): OwnTensor | undefined {
  for (const tensor of [output, ...inputs]) requireTangent(op, tensor);
  refuseRepeated(op, inputs);
  const given = inputs.map((input, at) => seedFor(core, op, 'tangent', input, tangents[at] as TensorLike));
  const reached = reachInputs(core, [output], inputs);
  if (reached === undefined) return undefined;
  const { wanted, groups } = reached;
  if (wanted.length === 0) return undefined;
  const seeds = groups.flatMap((group, at) => group.map((wire) => ({ wire, seed: given[at] as Seed }))).sort((a, b) => a.wire - b.wire);
  return derive(core, op, { direction: 'forward', reached: reached.reached, wanted }, { seeds: seeds.map(({ seed }) => seed), outputs: [output], options, recorded: undefined })[0];
}

function refuseRepeated(op: string, inputs: readonly OwnTensor[]): void {
  inputs.forEach((input, at) => {
    const value = traceOf(input);
    const first = inputs.findIndex((other) => other === input || (value !== undefined && sameValue(value, traceOf(other))));
    if (first !== at) throw new TfError('ArgumentError', `${op}: inputs ${first} and ${at} are the same tensor, and would have two tangents. Give it once, with the sum of its tangents.`, { op, argument: String(at) });
  });
}

function sameValue(a: TraceValue, b: TraceValue | undefined): boolean {
  return b !== undefined && a.node === b.node && a.index === b.index;
}

interface DeriveOptions {
  readonly seeds: readonly Seed[];
  readonly outputs: readonly OwnTensor[];
  readonly options: Pick<GradOptions, 'engine'>;
  readonly recorded: boolean | undefined;
}

/** Runs a derivative; its operations become the trace of its results. */
function derive(core: RuntimeCore, op: string, query: DerivativeQuery, { seeds, outputs, options, recorded }: DeriveOptions): readonly (OwnTensor | undefined)[] {
  const binding = core.bindings.current;
  const records = recorded ?? binding?.recording ?? true;
  const home = binding?.engine ?? options.engine ?? core.bound(op).engine;
  const tracking = records ? seeds.map(({ origin }) => origin !== undefined) : undefined;
  const prepared = findPrepared(core, tracking === undefined ? query : { ...query, tracking });
  const run = { prepared, reached: query.reached, seeds: seeds.map(({ record }) => record), engine: options.engine ?? home, home };
  const values = runDerivative(core, run);
  const origins = recordDerivative(run, seeds.map(({ origin }) => origin), values);
  // What comes from a trace in which nothing tracks does not track either.
  const tracks = outputs.some((output) => output[originKey] !== undefined);
  return prepared.results.map((at) => {
    if (at === undefined) return undefined;
    const record = values[at] as ValueRecord;
    return tracks ? createTensor(core, record, origins[at]) : createTensor(core, record, undefined, origins[at]);
  });
}

interface Reach {
  readonly reached: Reached;
  readonly wanted: readonly Wire[];
  /** Per input: which of `wanted` are its values. */
  readonly groups: readonly (readonly number[])[];
}

/** Walks from the outputs to the inputs, where the trace is cut. Undefined when some output is of no trace. */
function reachInputs(core: RuntimeCore, outputs: readonly OwnTensor[], inputs: readonly OwnTensor[]): Reach | undefined {
  const roots = outputs.map(traceOf);
  if (!roots.every((root) => root !== undefined)) return undefined;
  const cuts: Leaf[] = [];
  let oldest = Infinity;
  const keys = inputs.map((input) => {
    const value = traceOf(input);
    if (value === undefined) return nothing;
    const { captured, slot } = input[asideKey] ?? {};
    if (value.node.recipe !== undefined) {
      oldest = Math.min(oldest, value.node.number);
      return [cutAt(cuts, value, liveRecord(input, ''))];
    }
    oldest = Math.min(oldest, value.node.number, captured?.node.number ?? Infinity, slot?.number ?? Infinity);
    return [value.node, captured?.node, slot];
  });
  const reached = reach(roots, core.nextVisit(), cuts, oldest);
  return { reached, ...chooseLeaves(reached.leaves, keys) };
}

/** The leaves that have one of an input's keys, each a value to differentiate by. */
function chooseLeaves(leaves: readonly Leaf[], keys: readonly (readonly unknown[])[]): Pick<Reach, 'wanted' | 'groups'> {
  const places = new Map<unknown, number[]>();
  leaves.forEach((leaf, at) => {
    const { node } = leaf.origin;
    for (const key of node.recipe === undefined ? [node, node.slots?.[0]] : [leaf]) {
      const known = places.get(key);
      if (known !== undefined) known.push(at);
      else if (key !== undefined) places.set(key, [at]);
    }
  });
  const chosen = new Map<number, number>();
  const wanted: Wire[] = [];
  const choose = (leaf: number): number => {
    let at = chosen.get(leaf);
    if (at === undefined) chosen.set(leaf, (at = wanted.push({ place: -1 - leaf, index: 0 }) - 1));
    return at;
  };
  const groups = keys.map((list) => [...new Set(list.flatMap((key) => places.get(key) ?? []))].sort((a, b) => a - b).map(choose));
  return { wanted, groups };
}

const nothing: readonly unknown[] = [];

/** The place in the middle of a trace at which the walk ends; the same one for tensors of the same value. */
function cutAt(cuts: Leaf[], origin: TraceValue, record: ValueRecord): Leaf {
  const known = cuts.find((cut) => sameValue(cut.origin, origin));
  if (known !== undefined) return known;
  const cut = { origin, record };
  cuts.push(cut);
  return cut;
}

function requireTangent(op: string, tensor: OwnTensor): void {
  liveRecord(tensor, op);
  const { key, dtype } = tensor.type;
  if (!isInexact(dtype)) throw new TfError('NotDifferentiableError', `${op}: a value ${key} carries no tangent: only floating and complex values have derivatives. Convert it before it enters the computation: convert(x, 'float64').`, { op, dtype });
}

function same<T>(value: T): T {
  return value;
}

function conjugated<T extends TensorLike | undefined>(value: T): T {
  const type = (value as Partial<Operand> | undefined)?.type;
  return type !== undefined && isComplex(type.dtype) ? (conj(value as Operand) as T) : value;
}

/** Zero, of the type of `tensor`: a constant. */
export function zerosLike(core: RuntimeCore, { type }: OwnTensor): OwnTensor {
  return createTensor(core, new ValueRecord(core.types.of(type), undefined, allocate(type.dtype, elementCount(type.shape) as number), 0, true), undefined);
}

export function inactiveInput(op: string, what: string, { type }: OwnTensor, known: boolean): TfError {
  const remedy = known ? 'Use gradOptional, which answers undefined, or { allowUnused: true }, which answers zeros.' : 'It is a constant: make it with runtime.variable(…), or compute inside runtime.captureTrace(() => …).';
  return new TfError('InactiveGradError', `${op}: the result does not depend on ${what}, a tensor ${type.key}. ${remedy}`, { op, argument: what });
}
