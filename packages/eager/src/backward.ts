import { isInexact, TfError } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import { cotangentFor, type Seed } from './cotangent.ts';
import type { BackwardOptions, EagerTensor, TensorLike } from './eager-tensor.ts';
import { asideKey, originKey } from './keys.ts';
import { liveRecord, type OwnTensor } from './own-tensor.ts';
import { findPrepared } from './prepare.ts';
import { runDerivative } from './run-derivative.ts';
import { setGradient, slotGradient } from './slot.ts';
import type { GradientSlot, TraceNode, TraceValue } from './trace.ts';
import { holdRecord, releaseRecord, type ValueRecord } from './value.ts';
import { type Leaf, reach, type Reached, type Wire } from './walk.ts';

/** Adds the gradients of `outputs` into the slots of what they depend on. The trace stays as it is. */
export function runBackward(core: RuntimeCore, outputs: readonly OwnTensor[], cotangents: readonly (TensorLike | undefined)[], { engine, inputs }: Omit<BackwardOptions, 'cotangent'>): void {
  const seeds = outputs.map((output, at) => seedOf(core, output, cotangents[at]));
  const only = inputs === undefined ? undefined : slotsOf(inputs);
  const reached = reach(outputs.map((output) => output[originKey] as TraceValue), core.nextVisit());
  const { wanted, slots } = targets(reached, only);
  if (inputs !== undefined) checkInputs(new Set(slots), inputs);
  if (wanted.length === 0) throw inactiveOutput();
  const home = core.bindings.current?.engine ?? engine ?? core.bound('backward').engine;
  const prepared = findPrepared(core, { direction: 'reverse', reached, wanted });
  const gradients = runDerivative(core, { prepared, reached, seeds: seeds.map(({ record }) => record), engine: engine ?? home, home });
  for (const gradient of gradients) holdRecord(gradient);
  core.slots = slots.length;
  slots.forEach((slot, at) => {
    const result = prepared.results[at];
    if (result === undefined) return;
    const gradient = gradients[result] as ValueRecord;
    const old = slotGradient(core, slot);
    // Old gradient plus new one, in the order in which backward is called.
    setGradient(core, slot, old === undefined ? gradient : core.compute(home, core.context.catalog.basis.add, [old, gradient], {}));
  });
  for (const gradient of gradients) releaseRecord(gradient);
}

function seedOf(core: RuntimeCore, output: OwnTensor, cotangent: TensorLike | undefined): Seed {
  const op = 'backward';
  liveRecord(output, op);
  if (!isInexact(output.type.dtype)) throw new TfError('NotDifferentiableError', `backward: ${output.type.key} values carry no gradient. Call backward on a floating tensor.`, { op, dtype: output.type.dtype });
  const seed = cotangentFor(core, op, output, cotangent);
  if (output[originKey] === undefined) throw inactiveOutput();
  return seed;
}

function inactiveOutput(): TfError {
  return new TfError('InactiveGradError', 'backward: the tensor depends on no tracked variable. Make the inputs with runtime.variable(…), and compute outside noGrad and without detach().', { op: 'backward' });
}

function slotsOf(inputs: readonly EagerTensor[]): ReadonlySet<GradientSlot> {
  return new Set(inputs.map((input, index) => {
    const slot = slotOf(input);
    if (slot !== undefined) return slot;
    throw new TfError('InactiveGradError', `backward: inputs[${index}], a tensor ${input.type.key}, has no gradient: it is no variable that requires one. Give variables, made with runtime.variable(…), or tensors that retain theirs (retainGrad).`, { op: 'backward', argument: `inputs[${index}]` });
  }));
}

function slotOf(input: EagerTensor): GradientSlot | undefined {
  return input.tracksGrad ? (input as OwnTensor)[asideKey]?.slot : undefined;
}

/** The values of a trace that have a slot: leaves in the order of their first use, then operations in theirs. */
function targets({ leaves, nodes }: Reached, only: ReadonlySet<GradientSlot> | undefined): { readonly wanted: readonly Wire[]; readonly slots: readonly GradientSlot[] } {
  const wanted: Wire[] = [];
  const slots: GradientSlot[] = [];
  const add = (slot: GradientSlot | undefined, place: number, index: number): void => {
    if (slot === undefined || (only !== undefined && !only.has(slot))) return;
    wanted.push({ place, index });
    slots.push(slot);
  };
  for (let at = 0; at < leaves.length; at++) add((leaves[at] as Leaf).origin.node.slots?.[0], -1 - at, 0);
  for (let at = 0; at < nodes.length; at++) (nodes[at] as TraceNode).slots?.forEach((slot, index) => add(slot, at, index));
  return { wanted, slots };
}

function checkInputs(slots: ReadonlySet<GradientSlot>, inputs: readonly EagerTensor[]): void {
  inputs.forEach((input, index) => {
    if (slots.has(slotOf(input) as GradientSlot)) return;
    throw new TfError('InactiveGradError', `backward: the tensor does not depend on inputs[${index}], a variable ${input.type.key}. Leave it out, or compute with it first.`, { op: 'backward', argument: `inputs[${index}]` });
  });
}
