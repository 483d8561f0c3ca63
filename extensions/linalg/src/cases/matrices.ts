/** Matrices that cases are tried on. */
import { type DType, type Operand, type Var } from '@tf/core';
import { createRandom, type ExtensionCase, type HostValue, randomValues } from '@tf/testkit';

export function values(dtype: 'float64' | 'complex128', shape: readonly number[], seed: number): HostValue {
  return randomValues(dtype, shape, createRandom(seed));
}

type CaseFunction = NonNullable<ExtensionCase['f']>;

/** A case's function of one operand, from one or several results. */
export function unary(f: (x: Operand) => Operand | readonly Operand[]): CaseFunction {
  return (x) => f(x as Operand) as Var | readonly Var[];
}

export function binary(f: (x: Operand, y: Operand) => Operand | readonly Operand[]): CaseFunction {
  return (x, y) => f(x as Operand, y as Operand) as Var | readonly Var[];
}

/** Names for cases: `float64 3x2`. */
export function label(dtype: DType, shape: readonly number[]): string {
  return `${dtype} ${shape.join('x')}`;
}
