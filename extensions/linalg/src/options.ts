/** Options that several decompositions share, and their checks. */
import { type OptionChecks, type Params, requireNumber, TfError, wrongArgument } from '@tf/core';

/**
 * `raw`: vectors as the kernel gives them, whose signs or phases mean nothing. `canonicalPivot`: the entry of largest modulus of each
 * vector (the first of equals) is real and positive.
 */
export type Gauge = 'raw' | 'canonicalPivot';

/**
 * Where values are equal the derivatives of single vectors do not exist. `broaden`: the share of such pairs is left out or broadened, which is
 * right for every loss that does not ask for single vectors of a pair. `throw`: the run that would need it fails, with a `LinalgError`.
 */
export type OnDegenerate = 'broaden' | 'throw';

export interface SpectralOptions {
  /** `raw` when absent. */
  readonly gauge?: Gauge;
  /** ε of 1/g → g/(g² + ε²) for relative gaps g; 1e-12, in single precision 1e-5, when absent. */
  readonly derivativeEps?: number;
  /** `broaden` when absent. */
  readonly onDegenerate?: OnDegenerate;
}

/** A check of options that are one of a few words. */
export function oneOf(...words: readonly string[]): (op: string, argument: string, value: unknown) => void {
  return (op, argument, value) => {
    if (!words.includes(value as string)) throw wrongArgument(op, argument, value, `one of ${words.map((word) => `'${word}'`).join(', ')}`);
  };
}

function requireBroadening(op: string, argument: string, value: unknown): void {
  requireNumber(op, argument, value);
  if (!(value >= 0 && value < 1)) throw new TfError('ArgumentError', `${op}: ${argument} is ${value}; it broadens relative gaps and lies between 0 and 1. Leave it out for the default.`, { op, argument });
}

export const spectralChecks: OptionChecks = { gauge: oneOf('raw', 'canonicalPivot'), derivativeEps: requireBroadening, onDegenerate: oneOf('broaden', 'throw') };

/** What the rule of a decomposition reads; null: the default of the dtype. */
export function spectralParams({ derivativeEps, onDegenerate = 'broaden' }: SpectralOptions): Params {
  return { derivativeEps: derivativeEps ?? null, onDegenerate };
}
