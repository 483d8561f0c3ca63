import { dtypes, type TensorType, type TypedArray } from '@tf/core';
import { type HostValue, positionText } from '../values.ts';

/** How far a check came to its limit: `worst` ≤ `tolerance`, both relative to the size of what was compared. */
export interface Finding {
  readonly worst: number;
  readonly tolerance: number;
}

/** A law by name and as the equation it states. */
export interface Law<S> {
  readonly name: string;
  readonly equation: string;
  /** Whether the law says anything about this subject; always when absent. */
  readonly concerns?: (subject: S) => boolean;
  /** Throws a {@link LawError} where the law is broken. */
  readonly check: (subject: S) => Finding | undefined | Promise<Finding | undefined>;
}

/** A law was broken: which one, by whom, and the worst place. Not an error of tf but of what was tested. */
export class LawError extends Error {
  override readonly name = 'LawError';
  readonly law: string;
  readonly subject: string;

  constructor(law: string, subject: string, what: string, options?: ErrorOptions) {
    super(`${subject} breaks the law "${law}": ${what}`, options);
    this.law = law;
    this.subject = subject;
  }
}

/** Runs a check; whatever it throws becomes a {@link LawError} of this law. */
export async function applyLaw<S extends { readonly name: string }>(law: Law<S>, subject: S): Promise<Finding | undefined> {
  try {
    return await law.check(subject);
  } catch (error) {
    if (error instanceof LawError) throw error;
    throw new LawError(law.name, subject.name, `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`, { cause: error });
  }
}

/** Names of the laws that a subject breaks, in the laws' order. */
export async function brokenLaws<S extends { readonly name: string }>(laws: readonly Law<S>[], subject: S): Promise<readonly LawError[]> {
  const broken: LawError[] = [];
  for (const law of laws) {
    if (law.concerns?.(subject) === false) continue;
    try {
      await applyLaw(law, subject);
    } catch (error) {
      broken.push(error as LawError);
    }
  }
  return broken;
}

function magnitude(data: TypedArray): number {
  let largest = 0;
  for (const value of data) if (Number.isFinite(Number(value))) largest = Math.max(largest, Math.abs(Number(value)));
  return largest;
}

/**
 * Compares lane by lane, relative to the largest entry (at least `floor`). NaN agrees with NaN, infinities with
 * themselves. Throws with the worst entry's place and both values.
 */
export function compare(law: string, subject: string, what: string, actual: HostValue, expected: HostValue, tolerance: number, floor = 1): Finding {
  if (actual.type.key !== expected.type.key) throw new LawError(law, subject, `${what} is ${actual.type.key}, expected ${expected.type.key}.`);
  const scale = Math.max(floor, magnitude(expected.data));
  let worst = 0;
  let where = 0;
  for (let at = 0; at < expected.data.length; at++) {
    const distance = distanceOf(actual.data[at] as number | bigint, expected.data[at] as number | bigint) / scale;
    if (distance > worst) [worst, where] = [distance, at];
  }
  if (worst <= tolerance) return { worst, tolerance };
  throw new LawError(law, subject, `${what}${positionText(expected.type, where)} is ${String(actual.data[where])}, expected ${String(expected.data[where])} (relative distance ${worst.toExponential(2)}, allowed ${tolerance.toExponential(2)}).`);
}

function distanceOf(a: number | bigint, b: number | bigint): number {
  if (Object.is(a, b) || a === b) return 0;
  const distance = Math.abs(Number(a) - Number(b));
  return Number.isNaN(distance) ? Infinity : distance;
}

/** The looser of two findings. */
export function worse(a: Finding | undefined, b: Finding | undefined): Finding | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.worst / b.tolerance > a.worst / a.tolerance ? b : a;
}

/** Roundoff of a dtype's parts. */
export function roundoff(value: { readonly type: TensorType }): number {
  const { bytes, lanes } = dtypes[value.type.dtype];
  return bytes / lanes === 4 ? 2 ** -24 : 2 ** -53;
}
