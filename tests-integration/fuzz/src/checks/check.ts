import { dtypes, type Program, type TensorType } from '@tf/core';
import { firstDifference, type HostValue } from '@tf/testkit';

/** What is checked of each program. */
export const checkNames = ['reference', 'fronts', 'passes', 'text', 'well-formed', 'differences', 'adjoint', 'second order'] as const;
export type CheckName = (typeof checkNames)[number];

/** The part of a program that a check found wrong by itself: one instruction, and the operands that it had. */
export interface Culprit {
  readonly program: Program;
  readonly inputs: readonly HostValue[];
}

/** One thing that does not agree. */
export interface Disagreement {
  readonly check: CheckName;
  readonly what: string;
  readonly culprit?: Culprit;
}

/** What became of one check of one program: found wrong, or not decided because of `skipped`. */
export type Outcome = { readonly kind: 'agrees' } | { readonly kind: 'skipped'; readonly why: string } | { readonly kind: 'disagrees'; readonly what: string; readonly culprit?: Culprit };

export const agrees: Outcome = { kind: 'agrees' };

export function skipped(why: string): Outcome {
  return { kind: 'skipped', why };
}

export function disagrees(what: string, culprit?: Culprit): Outcome {
  return { kind: 'disagrees', what, ...(culprit === undefined ? {} : { culprit }) };
}

/** Where two values differ in bits, in words; undefined when nowhere. All NaNs count as one. */
export function bitDifference(a: HostValue, b: HostValue): string | undefined {
  if (a.type.key !== b.type.key) return `${a.type.key} and ${b.type.key}`;
  const at = firstDifference(a.data, b.data);
  return at === undefined ? undefined : `${a.type.key}${place(a.type, at)}: ${text(a.data[at])} and ${text(b.data[at])}`;
}

/** `[1, 2]`: the index of an element. */
export function place({ shape, dtype }: TensorType, lane: number): string {
  let rest = Math.floor(lane / dtypes[dtype].lanes);
  const index: number[] = [];
  for (const extent of [...(shape as readonly number[])].reverse()) {
    index.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return `[${index.join(', ')}]`;
}

export function text(value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
