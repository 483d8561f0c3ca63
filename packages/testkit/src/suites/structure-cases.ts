import * as core from '@tf/core';
import type { Kind, Operand, Var } from '@tf/core';
import type { VarFunction } from '../programs.ts';
import { type HostValue, hostValue } from '../values.ts';
import { binary, complex, spread, unary } from './case-forms.ts';
import type { ExtensionCase } from './extension-suite.ts';

const matrix = hostValue('float64', [2, 3], [1, 2, 3, 4, 5, 6]);
const whole = (shape: readonly number[], ...values: readonly number[]): HostValue => hostValue('float64', shape, values);
const int32 = (shape: readonly number[], ...values: readonly number[]): HostValue => hostValue('int32', shape, values);

/** Six values, no two near each other. */
const apart = (shape: readonly number[]): HostValue => whole(shape, 0.5, -1.2, 1.7, -0.3, 0.9, 0.2);

/** Running values along an axis. */
function runningCases(): readonly ExtensionCase[] {
  const functions = { cumsum: core.cumsum, cumprod: core.cumprod, cummax: core.cummax, cummin: core.cummin, cumLogSumExp: core.cumLogSumExp };
  const branches = (name: string): boolean => name === 'cummax' || name === 'cummin';
  return [
    ...Object.entries(functions).flatMap(([name, f]): readonly ExtensionCase[] => [
      { name: `${name} along rows`, f: unary((x) => f(x, 1)), inputs: [apart([2, 3])], branches: branches(name) },
      { name: `${name} along columns from the end`, f: unary((x) => f(x, 0, { reverse: true })), inputs: [apart([3, 2])], branches: branches(name) },
      { name: `${name} of nothing`, f: unary((x) => f(x, 1)), inputs: [hostValue('float64', [2, 0], [])] },
    ]),
    { name: 'cumsum of known values', f: unary((x) => core.cumsum(x, 1)), inputs: [matrix], expected: [whole([2, 3], 1, 3, 6, 4, 9, 15)] },
    { name: 'cumprod with zeros', f: unary((x) => core.cumprod(x)), inputs: [whole([4], 2, 0, 3, 0)], expected: [whole([4], 2, 0, 0, 0)] },
    { name: 'cummax and cummin of known values', f: (x) => [core.cummax(x as unknown as Operand), core.cummin(x as unknown as Operand, -1, { reverse: true })] as unknown as Var[], inputs: [whole([4], 1, 3, 2, 5)], expected: [whole([4], 1, 3, 3, 5), whole([4], 1, 2, 2, 5)] },
    { name: 'cumLogSumExp of large values', f: unary((x) => core.cumLogSumExp(x)), inputs: [whole([3], 1000, 1000, -Infinity)], expected: [whole([3], 1000, 1000.6931471805599, 1000.6931471805599)], wrt: [] },
    { name: 'linearRecurrence', f: binary((a, b) => core.linearRecurrence(a, b)), inputs: [whole([3], 5, 2, 3), whole([3], 1, 1, 1)], expected: [whole([3], 1, 3, 10)] },
    { name: 'complex cumprod and linearRecurrence', f: binary((a, b) => core.linearRecurrence(core.cumprod(a, 0), b, 0)), inputs: [complex([3, 2], 240), complex([3, 2], 241)] },
  ];
}

/** Values in order. */
function orderCases(): readonly ExtensionCase[] {
  return [
    { name: 'sort along rows', f: unary((x) => core.sort(x, 1)), inputs: [apart([2, 3])], branches: true },
    { name: 'sort along columns, descending', f: unary((x) => core.sort(x, 0, { descending: true })), inputs: [apart([3, 2])], branches: true },
    { name: 'sort with NaN and zeros of both signs', f: unary((x) => core.sort(x)), inputs: [whole([5], NaN, 0, -0, -1, 0)], expected: [whole([5], -1, 0, -0, 0, NaN)], wrt: [] },
    { name: 'argsort of equal elements, either way', f: (x) => [core.argsort(x as unknown as Operand), core.argsort(x as unknown as Operand, 0, { descending: true })] as unknown as Var[], inputs: [whole([4], 2, 1, 2, 1)], expected: [int32([4], 1, 3, 0, 2), int32([4], 0, 2, 1, 3)] },
    { name: 'topk', f: (x) => { const { values, indices } = core.topk(x as unknown as Operand, 2); return [values, indices] as unknown as Var[]; }, inputs: [whole([2, 3], 1, 5, 3, 9, 2, 9)], expected: [whole([2, 2], 5, 3, 9, 9), int32([2, 2], 1, 2, 0, 2)], wrt: [] },
    { name: 'median and quantile', f: (x) => [core.median(x as unknown as Operand, { axes: 1 }), core.quantile(x as unknown as Operand, 0.25)] as unknown as Var[], inputs: [whole([2, 3], 1, 5, 3, 9, 2, 8)], expected: [whole([2], 3, 8), whole([], 2.25)] },
  ];
}

/** Elements replaced at places. */
function replacingCases(): readonly ExtensionCase[] {
  const at = int32([2, 2], 1, 1, 0, 2);
  const scattering = (f: (x: Operand, i: Operand<Kind, 'int32'>, u: Operand) => unknown): VarFunction => (x, i, u) => f(x as unknown as Operand, i as unknown as Operand<Kind, 'int32'>, u as unknown as Operand) as Var;
  return [
    { name: 'scatterSet, the last of equal places', f: scattering(core.scatterSet), inputs: [matrix, at, whole([2, 2], 7, 8, 9, 10)], expected: [whole([2, 3], 1, 8, 3, 9, 5, 10)] },
    { name: 'scatterMax', f: scattering(core.scatterMax), inputs: [matrix, at, whole([2, 2], 7, 8, 9, 0)], expected: [whole([2, 3], 1, 8, 3, 9, 5, 6)], branches: true },
    { name: 'scatterMin', f: scattering(core.scatterMin), inputs: [matrix, at, whole([2, 2], 0, 8, 9, -1)], expected: [whole([2, 3], 1, 0, 3, 4, 5, -1)], branches: true },
    { name: 'complex indexSet', f: scattering((x, i, u) => core.indexSet(x, i, u)), inputs: [complex([4, 2], 250), int32([2], 3, -4), complex([2, 2], 251)] },
    { name: 'getAt', f: (x, i) => core.getAt(x as unknown as Operand, [i as unknown as Operand<Kind, 'int32'>, [1, -1]]) as Var, inputs: [matrix, int32([3, 1], 1, 0, -1)], expected: [whole([3, 2], 5, 6, 2, 3, 5, 6)] },
    { name: 'getAt of axes apart', f: (x, i) => core.getAt(x as unknown as Operand, [i as unknown as Operand<Kind, 'int32'>, 1], { axes: [2, 0] }) as Var, inputs: [spread([2, 3, 4], 254), int32([2], 3, -4)] },
    { name: 'setAt, the last of equal places', f: scattering((x, i, u) => core.setAt(x, [0, i], u)), inputs: [matrix, int32([3], 1, 2, 1), whole([3], 7, 8, 9)], expected: [whole([2, 3], 1, 9, 8, 4, 5, 6)] },
    { name: 'addAt', f: scattering((x, i, u) => core.addAt(x, [i, i], u)), inputs: [matrix, int32([3], 1, 0, 1), whole([3], 10, 20, 30)], expected: [whole([2, 3], 21, 2, 3, 4, 45, 6)] },
    { name: 'maxAt', f: scattering((x, i, u) => core.maxAt(x, [i, i], u)), inputs: [matrix, int32([3], 1, 0, 1), whole([3], 7, -2, 6)], expected: [whole([2, 3], 1, 2, 3, 4, 7, 6)], branches: true },
    { name: 'minAt', f: scattering((x, i, u) => core.minAt(x, [i, i], u)), inputs: [matrix, int32([3], 1, 0, 1), whole([3], 7, -2, 4)], expected: [whole([2, 3], -2, 2, 3, 4, 4, 6)], branches: true },
    { name: 'dynamicSlice and dynamicUpdateSlice', f: scattering((x, i, u) => core.dynamicUpdateSlice(core.dynamicSlice(x, [i as Operand, 0], [2, 3]) as Operand, u, [i as Operand, 1])), inputs: [spread([4, 3], 252), int32([], 1), spread([1, 2], 253)] },
    { name: 'searchsorted', f: (x) => [core.searchsorted(x as unknown as Operand, x as unknown as Operand), core.searchsorted(x as unknown as Operand, x as unknown as Operand, 'right')] as unknown as Var[], inputs: [whole([5], 1, 2, 2, 3, NaN)], expected: [int32([5], 0, 1, 1, 3, 4), int32([5], 1, 3, 3, 4, 5)], wrt: [] },
  ];
}

/** Operations that arrange elements, choose among them, or are made of such. */
export function structureCases(): readonly ExtensionCase[] {
  return [
    ...runningCases(), ...orderCases(), ...replacingCases(),
    { name: 'flip of known values', f: unary((x) => core.flip(x, 1)), inputs: [matrix], expected: [whole([2, 3], 3, 2, 1, 6, 5, 4)] },
    { name: 'flip of all axes', f: unary((x) => core.flip(x)), inputs: [spread([2, 3, 2], 201)] },
    { name: 'flip of nothing', f: unary((x) => core.flip(x)), inputs: [hostValue('float64', [0, 3], [])] },
    { name: 'a flipped complex matrix product', f: unary((x) => core.matmul(core.flip(x, 0), core.flip(x, 1))), inputs: [complex([3, 3], 202)] },
    { name: 'roll', f: unary((x) => core.roll(x, 1, 1)), inputs: [matrix], expected: [whole([2, 3], 3, 1, 2, 6, 4, 5)] },
    { name: 'tril', f: unary((x) => core.tril(x)), inputs: [matrix], expected: [whole([2, 3], 1, 0, 0, 4, 5, 0)] },
    { name: 'triu above the diagonal', f: unary((x) => core.triu(x, 1)), inputs: [spread([2, 3, 3], 203)] },
    { name: 'diagonal', f: unary((x) => core.diagonal(x, { offset: 1 })), inputs: [matrix], expected: [whole([2], 2, 6)] },
    { name: 'diagEmbed', f: unary((x) => core.diagEmbed(x, { offset: -1 })), inputs: [whole([2], 7, 8)], expected: [whole([3, 3], 0, 0, 0, 7, 0, 0, 0, 8, 0)] },
    { name: 'trace of complex matrices', f: unary((x) => core.trace(x)), inputs: [complex([2, 3, 3], 204)] },
    { name: 'stack and split', f: unary((x) => core.stack(core.split(x, 3, 1), 0)), inputs: [spread([2, 3], 205)] },
    { name: 'tile and repeat', f: unary((x) => core.repeat(core.tile(x, [1, 2]), 2, 0)), inputs: [spread([2, 3], 206)] },
    { name: 'argmax and argmin', f: (x) => [core.argmax(x as unknown as Operand, { axis: 1 }), core.argmin(x as unknown as Operand)] as unknown as Var[], inputs: [hostValue('float64', [2, 4], [1, 3, 3, 0, NaN, 5, NaN, -1])], expected: [int32([2], 1, 0), int32([], 4)] },
    { name: 'any, all, countNonzero', f: (x) => [core.any(x as unknown as Operand, { axes: 1 }), core.all(x as unknown as Operand, { axes: 1 }), core.countNonzero(x as unknown as Operand)] as unknown as Var[], inputs: [whole([2, 2], 0, 0, NaN, 2)], expected: [hostValue('bool', [2], [0, 1]), hostValue('bool', [2], [0, 1]), int32([], 2)] },
    { name: 'vectorNorm', f: unary((x) => core.vectorNorm(x, { axes: 1 })), inputs: [whole([2, 2], 3, -4, 1e30, 0)], expected: [whole([2], 5, 1e30)], wrt: [] },
    { name: 'vectorNorm with its slope', f: unary((x) => core.vectorNorm(x, { axes: 1 })), inputs: [spread([2, 3], 211)] },
    { name: 'vectorNorm of order 3', f: unary((x) => core.vectorNorm(x, { ord: 3 })), inputs: [spread([2, 3], 207)] },
    { name: 'kron and outer', f: binary((x, y) => core.kron(core.outer(x, y), y)), inputs: [spread([2], 208), spread([3], 209)] },
    { name: 'complex vdot and vecdot', f: binary((x, y) => core.add(core.vdot(x, y), core.sum(core.vecdot(x, y)))), inputs: [complex([2, 3], 210), complex([2, 3], 211)] },
    { name: 'oneHot', f: unary((x) => core.oneHot(core.convert(x, 'int32'), 3, { dtype: 'int32' })), inputs: [whole([2], 2, 5)], expected: [int32([2, 3], 0, 0, 1, 0, 0, 0)], wrt: [] },
    { name: 'segmentSum', f: (x, i) => core.segmentSum(x as unknown as Operand, i as unknown as Operand<Kind, 'int32'>, 3) as unknown as Var, inputs: [spread([4, 2], 212), int32([4], 2, 0, 2, 2)] },
  ];
}
