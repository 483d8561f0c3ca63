import { type Engine, type EngineInput, isComplex, isInexact, TfError, type TensorType } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import type { BackwardOptions, EagerTensor } from './eager-tensor.ts';
import { otherType } from './faults.ts';
import { originKey } from './keys.ts';
import { prepare, type Prepared, sameKey, type Source } from './prepare.ts';
import { runScript } from './run-script.ts';
import { setGradient, slotGradient } from './slot.ts';
import type { OwnTensor } from './own-tensor.ts';
import type { GradientSlot, TraceNode, TraceValue } from './trace.ts';
import type { KnownType } from './type-table.ts';
import { holdRecord, lend, releaseRecord, ValueRecord } from './value.ts';
import { hashKey, reach, type Reached } from './walk.ts';

/** Adds the gradients of `loss` into the slots of the leaves it depends on. The trace stays as it is. */
export function runBackward(core: RuntimeCore, loss: OwnTensor, cotangent: ValueRecord | undefined, options: BackwardOptions): void {
  const origin = loss[originKey];
  checkLoss(loss.type, origin, cotangent);
  const only = options.inputs === undefined ? undefined : slotsOf(options.inputs);
  const reached = reach(origin as TraceValue, core.nextVisit(), only);
  if (options.inputs !== undefined) checkInputs(reached, options.inputs);
  const prepared = find(core, origin as TraceValue, reached);
  const home = core.bindings.current?.engine ?? options.engine ?? core.bound('backward').engine;
  const gradients = run(core, options.engine ?? home, prepared, reached, cotangent, loss.type);
  core.recomputed += prepared.recomputed;
  for (const gradient of gradients) holdRecord(gradient);
  reached.wanted.forEach((leaf, at) => {
    const result = prepared.results[at];
    if (result !== undefined) accumulate(core, home, (reached.leaves[leaf] as TraceNode).slot as GradientSlot, gradients[result] as ValueRecord);
  });
  for (const gradient of gradients) releaseRecord(gradient);
}

function checkLoss(type: TensorType, origin: TraceValue | undefined, cotangent: ValueRecord | undefined): void {
  const op = 'backward';
  if (!isInexact(type.dtype)) throw new TfError('NotDifferentiableError', `backward: ${type.key} values carry no gradient. Call backward on a floating tensor.`, { op, dtype: type.dtype });
  if (cotangent === undefined && (type.shape.length > 0 || isComplex(type.dtype))) {
    throw new TfError('NonScalarGradError', `backward: needs a real scalar, got ${type.key}. Reduce it first (sum), or pass backward({ cotangent }) of type ${type.key}.`, { op, shape: type.shape, dtype: type.dtype });
  }
  if (origin === undefined) throw new TfError('InactiveGradError', 'backward: the tensor depends on no tracked variable. Make the inputs with runtime.variable(…), and compute outside noGrad and without detach().', { op });
  if (cotangent !== undefined && cotangent.type.key !== type.key) throw otherType('backward', 'cotangent', type, cotangent.type);
}

function slotsOf(inputs: readonly EagerTensor[]): ReadonlySet<GradientSlot> {
  return new Set(inputs.map((input, index) => {
    const slot = (input as OwnTensor)[originKey]?.node.slot;
    if (slot !== undefined) return slot;
    throw new TfError('InactiveGradError', `backward: inputs[${index}], a tensor ${input.type.key}, has no gradient: it is no variable that requires one. Give variables, made with runtime.variable(…).`, { op: 'backward', argument: `inputs[${index}]` });
  }));
}

function checkInputs({ leaves }: Reached, inputs: readonly EagerTensor[]): void {
  const slots = new Set(leaves.map((leaf) => leaf.slot));
  inputs.forEach((input, index) => {
    if (slots.has((input as OwnTensor)[originKey]?.node.slot)) return;
    throw new TfError('InactiveGradError', `backward: the tensor does not depend on inputs[${index}], a variable ${input.type.key}. Leave it out, or compute with it first.`, { op: 'backward', argument: `inputs[${index}]` });
  });
}

function find(core: RuntimeCore, loss: TraceValue, reached: Reached): Prepared {
  const hash = hashKey(reached.key);
  for (const entry of core.derivatives.bucket(hash)) {
    if (!sameKey(entry.key, reached.key)) continue;
    core.derivatives.hit(entry);
    return entry;
  }
  const prepared = prepare(core.context, core.types, loss, reached, hash);
  core.derivatives.add(prepared);
  return prepared;
}

function run(core: RuntimeCore, engine: Engine, prepared: Prepared, reached: Reached, cotangent: ValueRecord | undefined, type: TensorType): readonly ValueRecord[] {
  const { sources, execution, resultTypes } = prepared;
  const state = core.stateOf(engine);
  if (execution.kind === 'script') return runScript(core, { engine, state }, execution.script, [...sources.map((source) => retained(reached, source)), cotangent ?? new ValueRecord(core.types.of(type), undefined, undefined, 1, true)]);
  const inputs = new Array<EngineInput>(sources.length + 1);
  for (let at = 0; at < sources.length; at++) inputs[at] = lend(retained(reached, sources[at] as Source), engine);
  inputs[sources.length] = cotangent === undefined ? 1 : lend(cotangent, engine);
  const buffers = state.derivatives.of(prepared, execution.plan, engine).run(inputs);
  return buffers.map((buffer, at) => new ValueRecord(resultTypes[at] as KnownType, buffer, undefined, 0, true));
}

function retained({ nodes, leaves }: Reached, source: Source): ValueRecord {
  const node = (source.node >= 0 ? nodes[source.node] : leaves[-1 - source.node]) as TraceNode;
  return node.retained[source.at] as ValueRecord;
}

/** Old gradient plus new one, in the order in which backward is called. */
function accumulate(core: RuntimeCore, engine: Engine, slot: GradientSlot, gradient: ValueRecord): void {
  const old = slotGradient(core, slot);
  setGradient(core, slot, old === undefined ? gradient : core.compute(engine, core.context.catalog.basis.add, [old, gradient], {}));
}
