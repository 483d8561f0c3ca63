import { type Operand, type Var } from '@tf/core';
import { type HostValue, interpretProgram, programOf } from '@tf/testkit';
import type { EinsumOptions } from './options.ts';
import { einsum } from './einsum.ts';

/** What the reference interpreter finds for a function of Vars. */
export function valueOf(f: (...operands: readonly Operand[]) => unknown, values: readonly HostValue[]): HostValue {
  const program = programOf((...vars) => f(...(vars as readonly Operand[])) as Var, values.map(({ type }) => type));
  return interpretProgram(program, values)[0] as HostValue;
}

export function einsumValue(equation: string, values: readonly HostValue[], options: EinsumOptions = {}): HostValue {
  return valueOf((...operands) => einsum(equation, operands, options), values);
}

/** The largest distance of two values, relative to the largest entry, 1 at least. */
export function distance(a: HostValue, b: HostValue): number {
  if (a.type.key !== b.type.key) return Infinity;
  const scale = Math.max(1, ...Array.from(b.data as ArrayLike<number>, (value) => Math.abs(Number(value))));
  return Math.max(0, ...Array.from(b.data as ArrayLike<number>, (value, at) => Math.abs(Number(a.data[at]) - Number(value)) / scale));
}
