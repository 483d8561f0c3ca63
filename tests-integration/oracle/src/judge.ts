import { type Engine, isInexact, isTfError } from '@tf/core';
import { isFinite, mismatch } from './compare.ts';
import type { Alternative, Case, HostValue, Tolerance } from './format.ts';
import type { Directions, Front, Task } from './fronts/front.ts';
import type { OperationTable } from './operations/operation.ts';
import { bodyOf, missingFor } from './program.ts';

export interface Verdict {
  readonly id: string;
  readonly area: string;
  readonly op: string;
  readonly optional: boolean;
  readonly status: 'passed' | 'failed' | 'unsupported';
  /** How many tensors (or errors) were judged. */
  readonly checks: number;
  /** What differs, one text for each. */
  readonly faults: readonly string[];
  /** Operations that the case needs and tf lacks. */
  readonly missing: readonly string[];
  /** Which alternative matched, by field. */
  readonly matched: Readonly<Record<string, string>>;
}

export interface Bench {
  readonly front: Front;
  readonly engine: Pick<Engine, 'info'>;
  readonly operations: OperationTable;
}

/** What is found out about one case, as it is judged. */
class Findings {
  readonly faults: string[] = [];
  readonly matched: Record<string, string> = {};
  /** Operations that the engine refuses. */
  readonly refused = new Set<string>();
  checks = 0;

  /** Runs one field's judgement; whatever is thrown is a fault of that field. */
  async field(name: string, judge: () => Promise<void>): Promise<void> {
    try {
      await judge();
    } catch (thrown) {
      const refused = refusedBy(thrown);
      if (refused !== undefined) this.refused.add(refused);
      else this.faults.push(`${name}: ${thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)}`);
    }
  }
}

/** The operation that an engine says it cannot run, of engines whose operations are not those of tf's. */
function refusedBy(thrown: unknown): string | undefined {
  const { engine, op } = isTfError(thrown, 'UnsupportedOnEngineError') ? thrown.fields : {};
  return engine === 'xla' ? `${op} (on ${engine})` : undefined;
}

type Got = readonly (HostValue | undefined)[];
type Wanted = readonly (HostValue | null)[];

/** Everything that differs; counts what is compared. */
function differences(got: Got, want: Wanted, tolerance: Tolerance, signedZero: boolean, findings: Findings): readonly string[] {
  if (got.length !== want.length) return [`${got.length} tensors instead of ${want.length}`];
  return want.flatMap((expected, at) => {
    if (expected === null) return [];
    findings.checks++;
    const value = got[at];
    const fault = value === undefined ? 'there is none' : mismatch(value, expected, tolerance, signedZero);
    return fault === undefined ? [] : [`[${at}] ${fault}`];
  });
}

function compareAny(field: string, got: Got, alternatives: readonly Alternative[], tolerance: Tolerance, signedZero: boolean, findings: Findings): void {
  const faults: string[] = [];
  for (const { label, tensors } of alternatives) {
    const found = differences(got, tensors, tolerance, signedZero, findings);
    if (found.length === 0) {
      if (label !== '') findings.matched[field] = label;
      return;
    }
    faults.push(`${field}${label === '' ? '' : ` (${label})`}: ${found.join('; ')}`);
  }
  findings.faults.push(...(faults.length === 0 ? [`${field}: there is no alternative`] : faults));
}

/** The inputs whose derivatives some alternative judges. */
function judged(alternatives: readonly Wanted[]): readonly number[] {
  const count = Math.max(0, ...alternatives.map((tensors) => tensors.length));
  return Array.from({ length: count }, (_, at) => at).filter((at) => alternatives.some((tensors) => (tensors[at] ?? null) !== null));
}

/** Puts results for some positions where they belong among all inputs. */
function placed(results: Got, positions: readonly number[], count: number): Got {
  const all = new Array<HostValue | undefined>(count).fill(undefined);
  positions.forEach((position, at) => {
    all[position] = results[at];
  });
  return all;
}

async function judgeGradients({ front }: Bench, task: Task, test: Case, findings: Findings): Promise<void> {
  const { expect, derivatives } = test;
  const cotangents = test.cotangents as Directions;
  const count = test.inputs.length;
  const { grads, hvp } = expect;
  if (grads !== undefined) {
    await findings.field('grads', async () => {
      const wrt = judged(grads.map(({ tensors }) => tensors));
      compareAny('grads', placed(await front.vjp(task, wrt, cotangents), wrt, count), grads, derivatives, false, findings);
    });
  }
  if (expect.gradsFinite) {
    await findings.field('grads_finite', async () => {
      const wrt = [...test.inputs.keys()].filter((at) => isInexact((test.inputs[at] as HostValue).dtype));
      const found = await front.vjp(task, wrt, cotangents);
      findings.checks += found.length;
      found.forEach((value, at) => {
        if (!isFinite(value)) findings.faults.push(`grads_finite: [${wrt[at]}] is not finite`);
      });
    });
  }
  if (hvp !== undefined) {
    await findings.field('hvp', async () => {
      const wrt = judged([hvp]);
      const got = placed(await front.hvp(task, wrt, cotangents, test.tangents as Directions), wrt, count);
      compareAny('hvp', got, [{ label: '', tensors: hvp }], test.second, false, findings);
    });
  }
}

async function judgeValues(bench: Bench, task: Task, test: Case, findings: Findings): Promise<void> {
  const { front } = bench;
  const { outputs, jvp } = test.expect;
  if (outputs !== undefined) {
    await findings.field('outputs', async () => compareAny('outputs', await front.outputs(task), outputs, test.values, test.signedZero, findings));
  }
  if (jvp !== undefined) {
    await findings.field('jvp', async () => compareAny('jvp', await front.jvp(task, test.tangents as Directions), [{ label: '', tensors: jvp }], test.derivatives, false, findings));
  }
}

/** Passes with a tf error that is the user's; or, where the case says so, with a result that is not finite. */
async function judgeError({ front }: Bench, task: Task, { orNan }: { readonly orNan: boolean }, findings: Findings): Promise<void> {
  findings.checks++;
  try {
    const outputs = await front.outputs(task);
    if (orNan && outputs.some((value) => !isFinite(value))) return;
    if (front.throws === false) findings.refused.add('errors of runs');
    else findings.faults.push(`error: nothing was thrown${orNan ? ' and the result is finite' : ''}`);
  } catch (thrown) {
    const refused = refusedBy(thrown);
    if (refused !== undefined) return void findings.refused.add(refused);
    if (isTfError(thrown) && thrown.kind !== 'unsupported' && thrown.kind !== 'invariant') return;
    const what = isTfError(thrown) ? `a tf error of kind ${thrown.kind}` : 'no tf error';
    findings.faults.push(`error: what was thrown is ${what}: ${String(thrown)}`);
  }
}

/** An engine without int64 gets indices as int32: the format compares them by value. */
function given(value: HostValue, engine: Pick<Engine, 'info'>): HostValue {
  if (value.dtype !== 'int64' || engine.info.dtypes.includes('int64')) return value;
  return { ...value, dtype: 'int32', data: Int32Array.from(value.data as BigInt64Array, Number) };
}

/** Judges one case on one front end and engine. */
export async function judge(test: Case, bench: Bench): Promise<Verdict> {
  const { id, area, op, optional } = test;
  const missing = missingFor(test, bench.operations, bench.engine.info.name, bench.engine.info.dtypes);
  const findings = new Findings();
  if (missing.length === 0) {
    const task: Task = { body: bodyOf(test, bench.operations), inputs: test.inputs.map((value) => given(value, bench.engine)) };
    const { error } = test.expect;
    if (error !== undefined) await judgeError(bench, task, error, findings);
    await judgeValues(bench, task, test, findings);
    await judgeGradients(bench, task, test, findings);
    if (findings.checks === 0 && findings.faults.length === 0 && findings.refused.size === 0) findings.faults.push('the case checks nothing');
  }
  const { checks, faults, matched, refused } = findings;
  const lacking = [...missing, ...refused];
  const status = faults.length > 0 ? 'failed' : lacking.length > 0 ? 'unsupported' : 'passed';
  return { id, area, op, optional, status, checks, faults, missing: lacking, matched };
}
