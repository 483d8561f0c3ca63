import * as core from '@tf/core';
import type { Operand, Var } from '@tf/core';
import { hostValue } from '../values.ts';
import { binary, binaryCases, functionCases, operand, spread, unary, vector } from './case-forms.ts';
import type { ExtensionCase } from './extension-suite.ts';

const bools = (...bits: readonly number[]): ReturnType<typeof hostValue> => hostValue('bool', [bits.length], bits);
const ints = (...values: readonly number[]): ReturnType<typeof hostValue> => hostValue('int32', [values.length], values);

function roundings(): readonly ExtensionCase[] {
  const points = vector(1.4, -1.4, 2.6, -0.3, 3.7);
  const rounding = (name: string, f: (x: Operand) => unknown, ...values: readonly number[]): ExtensionCase => ({ name, f: unary(f), inputs: [points], expected: [vector(...values)] });
  return [
    rounding('floor', core.floor, 1, -2, 2, -1, 3), rounding('ceil', core.ceil, 2, -1, 3, 0, 4), rounding('trunc', core.trunc, 1, -1, 2, 0, 3), rounding('round', core.round, 1, -1, 3, 0, 4),
    ...binaryCases('clamp from below', (x, y) => core.clamp(x, y), [-2, 2], [-2, 2], true),
    ...binaryCases('clamp from above', (x, y) => core.clamp(x, undefined, y), [-2, 2], [-2, 2], true),
    { name: 'clamp of known values', f: unary((x) => core.clamp(x, -1, 2)), inputs: [vector(-3, 0.5, 7)], expected: [vector(-1, 0.5, 2)], branches: true },
  ];
}

function ofCore(name: string): core.Operation {
  return core.coreExtension.operations.find((operation) => operation.name === name) as core.Operation;
}

/** Both words of the cipher of random numbers. */
function cipher(...words: readonly unknown[]): readonly Var[] {
  return ['first', 'second'].map((word) => core.applyOperation(ofCore('threefry2x32'), words as readonly Operand[], { word })[0] as unknown as Var);
}

/** Functions of booleans and integers, and those whose results are. */
function discrete(): readonly ExtensionCase[] {
  const [p, q] = [bools(0, 0, 1, 1), bools(0, 1, 0, 1)];
  const [a, b] = [ints(12, -7, 5, 1), ints(10, 3, -1, 40)];
  const pair = (name: string, f: (x: Operand, y: Operand) => unknown, inputs: readonly ReturnType<typeof hostValue>[], expected: ReturnType<typeof hostValue>): ExtensionCase => ({ name, f: binary(f), inputs, expected: [expected] });
  const classes = [core.isNan, core.isFinite, core.isInf, core.signbit];
  return [
    pair('logicalAnd', core.logicalAnd, [p, q], bools(0, 0, 0, 1)), pair('logicalOr', core.logicalOr, [p, q], bools(0, 1, 1, 1)), pair('logicalXor', core.logicalXor, [p, q], bools(0, 1, 1, 0)),
    { name: 'logicalNot', f: unary(core.logicalNot), inputs: [p], expected: [bools(1, 1, 0, 0)] },
    pair('bitwiseAnd', core.bitwiseAnd, [a, b], ints(8, 1, 5, 0)), pair('bitwiseOr', core.bitwiseOr, [a, b], ints(14, -5, -1, 41)), pair('bitwiseXor', core.bitwiseXor, [a, b], ints(6, -6, -6, 41)),
    { name: 'bitwiseNot', f: unary(core.bitwiseNot), inputs: [a], expected: [ints(-13, 6, -6, -2)] },
    pair('leftShift', core.leftShift, [a, b], ints(12288, -56, 0, 0)), pair('rightShift', core.rightShift, [a, b], ints(0, -1, 0, 0)),
    // The vectors of the Random123 distribution (kat_vectors: threefry 2x32, 20 rounds).
    { name: 'threefry2x32 of known answers', f: (...words) => cipher(...words), inputs: [ints(0, -1, 0x13198a2e), ints(0, -1, 0x03707344), ints(0, -1, 0x243f6a88), ints(0, -1, 0x85a308d3 | 0)], expected: [ints(0x6b200159, 0x1cb996fc, 0xc4923a9c | 0), ints(0x99ba4efe | 0, 0xbb002be7 | 0, 0x483df7a0)] },
    { name: 'unitFloat of extreme bits', f: (bits) => (['unit', 'open', 'signed'] as const).map((range) => core.applyOperation(ofCore('unitFloat'), [bits as Operand], { range })[0] as unknown as Var), inputs: [ints(0, -1)], expected: [[0, 1 - 2 ** -24], [2 ** -24, 1 - 2 ** -24], [2 ** -24 - 1, 1 - 2 ** -24]].map((values) => hostValue('float32', [2], values)) },
    { name: 'classification', f: (x) => classes.map((f) => f(operand(x)) as unknown as Var), inputs: [vector(1, -0, NaN, -Infinity)], expected: [bools(0, 0, 1, 0), bools(1, 1, 0, 0), bools(0, 0, 0, 1), bools(0, 1, 0, 1)] },
  ];
}

function activations(): readonly ExtensionCase[] {
  return [
    ...functionCases('square', core.square, [3, -0.5], [9, 0.25]), ...functionCases('reciprocal', core.reciprocal, [4, -0.5], [0.25, -2]),
    ...functionCases('logSigmoid', core.logSigmoid, [0, 3, -40], [-0.6931471805599453, -0.04858735157374196, -40]),
    { name: 'leakyRelu', f: unary((x) => core.leakyRelu(x, 0.25)), inputs: [vector(2, -2)], expected: [vector(2, -0.5)], branches: true },
    { name: 'elu', f: unary((x) => core.elu(x, 0.5)), inputs: [vector(2, -1)], expected: [vector(2, -0.3160602794142788)] },
    { name: 'hardSwish', f: unary(core.hardSwish), inputs: [vector(-4, -1, 1.5, 5)], expected: [vector(0, -1 / 3, 1.125, 5)], branches: true },
    { name: 'hardSwish of a matrix', f: unary(core.hardSwish), inputs: [spread([2, 3], 64)], branches: true },
  ];
}

function transcendental(): readonly ExtensionCase[] {
  return [
    ...functionCases('tan', core.tan, [1, -0.5], [1.5574077246549023, -0.5463024898437905], [-1.2, 1.2]),
    ...functionCases('asin', core.asin, [0.5, -0.9], [0.5235987755982989, -1.1197695149986342], [-0.8, 0.7]),
    ...functionCases('acos', core.acos, [0.5, -0.9], [1.0471975511965979, 2.6905658417935308], [-0.8, 0.7]),
    ...functionCases('atan', core.atan, [1, -3], [0.7853981633974483, -1.2490457723982544]),
    ...functionCases('sinh', core.sinh, [1, -3], [1.1752011936438014, -10.017874927409903]),
    ...functionCases('cosh', core.cosh, [1, -3], [1.5430806348152437, 10.067661995777765]),
    ...functionCases('asinh', core.asinh, [1, -3], [0.881373587019543, -1.8184464592320668]),
    ...functionCases('acosh', core.acosh, [1.5, 3], [0.9624236501192069, 1.762747174039086], [1.2, 4]),
    ...functionCases('atanh', core.atanh, [0.5, -0.9], [0.5493061443340548, -1.4722194895832204], [-0.8, 0.7]),
    ...functionCases('exp2', core.exp2, [0.5, -3], [Math.SQRT2, 0.125]),
    ...functionCases('log2', core.log2, [8, 0.3], [3, -1.7369655941662063], [0.3, 3]),
    ...functionCases('log10', core.log10, [100, 3], [2, 0.47712125471966244], [0.3, 3]),
    ...functionCases('cbrt', core.cbrt, [27, -2], [3, -1.2599210498948732]),
    ...functionCases('lgamma', core.lgamma, [0.5, 10, -1.5], [0.5723649429247001, 12.801827480081469, 0.8600470153764810], [0.3, 3]),
    ...functionCases('digamma', core.digamma, [1, 0.25, -1.5], [-0.5772156649015329, -4.227453533376265, 0.7031566406452432], [0.3, 3]),
    ...functionCases('polygamma of order 1', (x) => core.polygamma(1, x), [1, 0.25, -1.5], [1.6449340668482264, 17.197329154507110, 9.379246644989124], [0.3, 3]),
    ...functionCases('polygamma of order 2', (x) => core.polygamma(2, x), [1, 3], [-2.404113806319188, -0.15411380631918858], [0.3, 3]),
    ...functionCases('erfinv', core.erfinv, [0.5, -0.9], [0.4769362762044699, -1.1630871536766743], [-0.8, 0.7]),
    ...binaryCases('atan2', core.atan2), ...binaryCases('hypot', core.hypot), ...binaryCases('logAddExp', core.logAddExp),
    { name: 'atan2 of known values', f: binary(core.atan2), inputs: [vector(1, -1, 3), vector(-1, -2, 4)], expected: [vector(2.356194490192345, -2.677945044588987, 0.6435011087932844)] },
    { name: 'hypot of known values', f: binary(core.hypot), inputs: [vector(3, -1), vector(-4, 1)], expected: [vector(5, Math.SQRT2)] },
    { name: 'logAddExp of known values', f: binary(core.logAddExp), inputs: [vector(0, 3, -40), vector(0, 1, 1)], expected: [vector(Math.LN2, 3.1269280110429727, 1)] },
  ];
}

function remainders(): readonly ExtensionCase[] {
  const points = [vector(5.3, -5.3, 7.1), vector(3, 3, -2)];
  const [a, b] = [ints(7, -7, 7, -7, 3, 5), ints(3, 3, -3, -3, 0, -5)];
  const known = (name: string, f: (x: Operand, y: Operand) => unknown, floats: readonly number[], integers: readonly number[]): readonly ExtensionCase[] => [
    { name, f: binary(f), inputs: points, expected: [vector(...floats)] },
    { name: `${name} of integers`, f: binary(f), inputs: [a, b], expected: [ints(...integers)] },
    { name: `${name} with broadcasting`, f: binary(f), inputs: [hostValue('float64', [2, 1], [5.3, -0.7]), vector(0.4, -0.9)] },
  ];
  return [
    ...known('fmod', core.fmod, [2.3, -2.3, 1.0999999999999996], [1, -1, 1, -1, 0, 0]),
    ...known('remainder', core.remainder, [2.3, 0.7000000000000002, -0.9000000000000004], [1, 2, -2, -1, 0, 0]),
    ...known('floorDivide', core.floorDivide, [1, -2, -4], [2, -3, -3, 2, 0, -1]),
  ];
}

/** The functions of core on elements, beyond those in `core-cases.ts`. */
export function coreFunctionCases(): readonly ExtensionCase[] {
  return [...roundings(), ...transcendental(), ...remainders(), ...discrete(), ...activations()];
}
