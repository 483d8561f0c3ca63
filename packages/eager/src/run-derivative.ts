import { type Engine, type EngineInput, nextNumber } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import type { Prepared } from './prepared.ts';
import type { Held, Link } from './recording.ts';
import { runScript } from './run-script.ts';
import { TraceNode, TraceValue } from './trace.ts';
import type { Source } from './trace-program.ts';
import type { KnownType } from './type-table.ts';
import { hostCopy, lend, moveToHost, ValueRecord } from './value.ts';
import type { Leaf, Reached, Wire } from './walk.ts';

/** One run of a prepared derivative on the values of one trace. */
export interface DerivativeRun {
  readonly prepared: Prepared;
  readonly reached: Reached;
  readonly seeds: readonly ValueRecord[];
  /** Where it runs. */
  readonly engine: Engine;
  /** Where its values belong: another engine lends its work only. */
  readonly home: Engine;
}

/** The outputs of the derivative, results first. */
export function runDerivative(core: RuntimeCore, { prepared, reached, seeds, engine, home }: DerivativeRun): readonly ValueRecord[] {
  const { sources, execution, outputTypes } = prepared;
  const state = core.stateOf(engine);
  core.recomputed += prepared.recomputed;
  const away = engine !== home;
  const records = new Array<ValueRecord>(sources.length + seeds.length);
  for (let at = 0; at < sources.length; at++) records[at] = retained(reached, sources[at] as Source);
  for (let at = 0; at < seeds.length; at++) records[sources.length + at] = seeds[at] as ValueRecord;
  if (execution.kind === 'script') {
    const outputs = runScript(core, { engine, state }, execution.script, away ? records.map((record) => hostCopy(record, engine)) : records);
    if (away) for (const output of outputs) moveToHost(output);
    return outputs;
  }
  const inputs = new Array<EngineInput>(records.length);
  for (let at = 0; at < inputs.length; at++) inputs[at] = lend(records[at] as ValueRecord, engine, away);
  const buffers = state.derivatives.of(prepared, execution.plans, engine).run(inputs);
  const outputs = buffers.map((buffer, at) => new ValueRecord(outputTypes[at] as KnownType, buffer, undefined, 0, true));
  if (away) for (const output of outputs) moveToHost(output);
  return outputs;
}

function retained({ nodes, leaves }: Reached, { place, at }: Source): ValueRecord {
  return (place >= 0 ? (nodes[place] as TraceNode).retained[at] : (leaves[-1 - place] as Leaf).record) as ValueRecord;
}

/** Appends the derivative's operations to the trace; gives where each of its outputs comes from. */
export function recordDerivative({ prepared: { recording }, reached, seeds }: DerivativeRun, origins: readonly (TraceValue | undefined)[], outputs: readonly ValueRecord[]): readonly (TraceValue | undefined)[] {
  if (recording === undefined) return [];
  const nodes: TraceNode[] = [];
  const follow = (link: Link): TraceValue => {
    if (link.kind === 'node') return new TraceValue(nodes[link.at] as TraceNode, link.index);
    return link.kind === 'seed' ? (origins[link.at] as TraceValue) : valueAt(reached, link.wire);
  };
  const find = (held: Held): ValueRecord => {
    if (held.kind === 'kept') return retained(reached, held.source);
    return (held.kind === 'seed' ? seeds : outputs)[held.at] as ValueRecord;
  };
  for (const step of recording.steps) {
    const producers = step.inputs.map(follow);
    const values = step.retained.map(find);
    for (const { node } of producers) node.holders++;
    for (const value of values) value.holders++;
    nodes.push(new TraceNode(step.recipe, producers, values, nextNumber(), undefined));
  }
  return recording.results.map((link) => (link === undefined ? undefined : follow(link)));
}

function valueAt({ nodes, leaves }: Reached, { place, index }: Wire): TraceValue {
  return place >= 0 ? new TraceValue(nodes[place] as TraceNode, index) : (leaves[-1 - place] as Leaf).origin;
}
