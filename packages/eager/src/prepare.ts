import { type Derivative, instructionCount } from '@tf/core';
import type { RuntimeCore } from './core.ts';
import { addGroups, executionOf } from './execution.ts';
import { Plans } from './plans.ts';
import type { Prepared } from './prepared.ts';
import { recordingOf } from './recording.ts';
import { scriptOf } from './script.ts';
import { traceProgram } from './trace-program.ts';
import type { Reached, Wire } from './walk.ts';

/** What is asked of a walked trace. */
export interface DerivativeQuery {
  readonly direction: 'reverse' | 'forward';
  readonly reached: Reached;
  /** The values differentiated by. */
  readonly wanted: readonly Wire[];
  /** Reverse: per result, which of `wanted` add up to it. Each is one result when absent. */
  readonly groups?: readonly (readonly number[])[];
  /** Which seeds (cotangents of the outputs, or tangents of `wanted`) have producers; absent when nothing is recorded. */
  readonly tracking?: readonly boolean[];
}

/** Derivatives with more instructions than this run one operation at a time. */
const maximumPlanned = 2000;

/** The prepared derivative for a query: one that equals it, or a new one. */
export function findPrepared(core: RuntimeCore, query: DerivativeQuery): Prepared {
  const key = completeKey(query);
  const hash = core.derivativeHash(key);
  for (const entry of core.derivatives.bucket(hash)) {
    if (!sameKey(entry.key, key)) continue;
    core.derivatives.hit(entry);
    return entry;
  }
  const prepared = prepare(core, query, key, hash);
  core.derivatives.add(prepared);
  return prepared;
}

/** The walk's key, and what is asked. Lists come after their lengths, so that keys of different queries differ. */
function completeKey({ direction, reached, wanted, groups, tracking }: DerivativeQuery): readonly number[] {
  const { key } = reached;
  key.push(direction === 'reverse' ? 1 : 2, wanted.length);
  for (const { place, index } of wanted) key.push(place, index);
  key.push(groups === undefined ? -1 : groups.length);
  for (const group of groups ?? []) {
    key.push(group.length);
    for (const at of group) key.push(at);
  }
  key.push(tracking === undefined ? -1 : tracking.length);
  if (tracking !== undefined) for (const is of tracking) key.push(is ? 1 : 0);
  return key;
}

function sameKey(a: Int32Array, b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * Step 1, semantic: the derivative of the trace, and the trace that it leaves. Step 2, execution: what was kept enters as
 * inputs, and what the new trace keeps comes out beside the results (contracts.md §4).
 */
function prepare({ context, types, nextRecipe }: RuntimeCore, { direction, reached, wanted, groups, tracking }: DerivativeQuery, key: readonly number[], hash: number): Prepared {
  const trace = traceProgram(reached);
  const request = { program: trace.program, wrt: wanted.map((wire) => trace.positionOf(wire)), live: trace.program.outputs.map(() => true) };
  const whole: Derivative = direction === 'reverse' ? context.pullback(request) : context.pushforward(request);
  const derivative = groups === undefined ? whole : addGroups(context, whole, groups);
  const recording = tracking === undefined ? undefined : recordingOf(context, trace, derivative, tracking, nextRecipe);
  const { program, sources, recomputed } = executionOf(trace, derivative, recording?.extras ?? []);
  return {
    hash, slot: -1, lastUsed: 0,
    key: Int32Array.from(key),
    bytes: 512 * (instructionCount(trace.program) + instructionCount(program)) + 1024,
    execution: program.instructions.length > maximumPlanned ? { kind: 'script', script: scriptOf(program) } : { kind: 'plan', plans: new Plans(program) },
    sources,
    results: derivative.results,
    outputTypes: program.outputs.map((output) => types.of(output.type)),
    recording,
    recomputed,
  };
}
