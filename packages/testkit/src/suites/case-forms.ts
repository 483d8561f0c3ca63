/** How cases of operations on elements are written. */
import type { Operand, Var } from '@tf/core';
import type { VarFunction } from '../programs.ts';
import { createRandom, randomValues } from '../random.ts';
import { type HostValue, hostValue } from '../values.ts';
import type { ExtensionCase } from './extension-suite.ts';

export type Of1 = (x: Operand) => unknown;
export type Of2 = (x: Operand, y: Operand) => unknown;

export const unary = (f: Of1): VarFunction => (x) => f(x as Operand) as Var;
export const binary = (f: Of2): VarFunction => (x, y) => f(x as Operand, y as Operand) as Var;
export const operand = (x: unknown): Operand => x as Operand;

/** A value of every sign, without zeros, ties or kinks nearby. */
export function spread(shape: readonly number[], seed: number, low = -2, high = 2): HostValue<'float64'> {
  const random = createRandom(seed);
  return randomValues('float64', shape, random, () => {
    const value = low + (high - low) * random();
    return Math.abs(value) < 0.1 ? value + 0.2 : value;
  });
}

export const complex = (shape: readonly number[], seed: number): HostValue => randomValues('complex128', shape, createRandom(seed));
export const vector = (...values: readonly number[]): HostValue<'float64'> => hostValue('float64', [values.length], values);
export const scalar = (value: number): HostValue<'float64'> => hostValue('float64', [], [value]);

/** f on a matrix, a scalar and nothing; and with values from elsewhere. */
export function functionCases(name: string, f: Of1, points: readonly number[], values: readonly number[], range: readonly [number, number] = [-2, 2]): readonly ExtensionCase[] {
  return [
    { name: `${name} of known values`, f: unary(f), inputs: [vector(...points)], expected: [vector(...values)] },
    { name: `${name} of a matrix`, f: unary(f), inputs: [spread([2, 3], name.length, ...range)] },
    { name: `${name} of a scalar`, f: unary(f), inputs: [spread([], name.length + 1, ...range)] },
    { name: `${name} of nothing`, f: unary(f), inputs: [hostValue('float64', [0, 3], [])] },
  ];
}

/** f on equal shapes, with broadcasting either way, with a scalar, on nothing. */
export function binaryCases(name: string, f: Of2, y: readonly [number, number] = [-2, 2], x: readonly [number, number] = [-2, 2], branches = false): readonly ExtensionCase[] {
  const shapes: readonly (readonly [readonly number[], readonly number[]])[] = [[[2, 3], [2, 3]], [[2, 3], [3]], [[2, 1], [1, 3]], [[], [4]], [[2, 3], []], [[0, 3], [3]]];
  return shapes.map(([a, b], at) => ({ name: `${name} of ${JSON.stringify(a)} and ${JSON.stringify(b)}`, f: binary(f), inputs: [spread(a, at + 20, ...x), spread(b, at + 40, ...y)], branches }));
}
