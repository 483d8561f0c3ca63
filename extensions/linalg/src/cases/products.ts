/** Uses of the exponential, of powers and products, and of what is made of systems. */
import { add, mul, type Operand, reshape } from '@tf/core';
import { type ExtensionCase, hostValue } from '@tf/testkit';
import { cross } from '../cross.ts';
import { matrixExp, matrixExpTangent } from '../matrix-exp/operation.ts';
import { matrixPower } from '../matrix-power.ts';
import { multiDot } from '../multi-dot.ts';
import { identityColumns } from '../permute.ts';
import { tensorinv, tensorsolve } from '../tensor-systems.ts';
import { vander } from '../vander.ts';
import { binary, label, unary, values } from './matrices.ts';

const dtypes = ['float64', 'complex128'] as const;

/** x + 3·I of the square matrix that x has as many elements as, in x's shape. */
function regular(x: Operand, size: number): Operand {
  return add(x, reshape(mul(identityColumns(x, size, size), 3) as Operand, x.type.shape)) as Operand;
}

const exponentials: readonly ExtensionCase[] = dtypes.flatMap((dtype) => [[1, 1], [3, 3], [2, 2, 2]].flatMap((shape, at): readonly ExtensionCase[] => [
  { name: `matrixExp, ${label(dtype, shape)}`, inputs: [values(dtype, shape, 150 + at)], f: unary((a) => matrixExp(a)) },
  { name: `the derivative of matrixExp, ${label(dtype, shape)}`, inputs: [values(dtype, shape, 153 + at), values(dtype, shape, 156 + at)], f: binary((a, e) => matrixExpTangent(a, e)) },
]));

/** One matrix needs no halving, the other several. */
const scaled: readonly ExtensionCase[] = [
  { name: 'matrixExp of matrices of different sizes', inputs: [hostValue('float64', [2, 2, 2], [0.1, 0.2, -0.3, 0.1, 1, 20, -20, -1])], f: unary((a) => matrixExp(a)) },
  { name: 'matrixExp of nothing', inputs: [values('float64', [2, 0, 0], 1)], f: unary((a) => matrixExp(a)) },
  { name: 'matrixExp of no matrices', inputs: [values('complex128', [0, 2, 2], 1)], f: unary((a) => matrixExp(a)) },
  { name: 'matrixExp of zero', inputs: [hostValue('float64', [2, 2], [0, 0, 0, 0])], f: unary((a) => matrixExp(a)), expected: [hostValue('float64', [2, 2], [1, 0, 0, 1])] },
  { name: 'matrixExp of a rotation', inputs: [hostValue('float64', [2, 2], [0, -7, 7, 0])], f: unary((a) => matrixExp(a)), expected: [hostValue('float64', [2, 2], [Math.cos(7), -Math.sin(7), Math.sin(7), Math.cos(7)])] },
];

const powers: readonly ExtensionCase[] = dtypes.flatMap((dtype) => [-2, 0, 1, 5].map((n): ExtensionCase => ({ name: `matrixPower ${n}, ${dtype}`, inputs: [values(dtype, [2, 2, 2], 160 + n)], f: unary((a) => matrixPower(add(a, mul(identityColumns(a, 2, 2), 2)) as Operand, n)) })));

const composed: readonly ExtensionCase[] = dtypes.flatMap((dtype, which): readonly ExtensionCase[] => [
  { name: `tensorinv, ${dtype}`, inputs: [values(dtype, [4, 2, 2], 170 + which)], f: unary((a) => tensorinv(regular(a, 4), 1)) },
  { name: `tensorsolve, ${dtype}`, inputs: [values(dtype, [2, 3, 6], 172 + which), values(dtype, [2, 3], 174 + which)], f: binary((a, b) => tensorsolve(regular(a, 6), b)) },
  { name: `tensorsolve with axes moved, ${dtype}`, inputs: [values(dtype, [4, 2, 2], 176 + which), values(dtype, [2, 2], 178 + which)], f: binary((a, b) => tensorsolve(regular(a, 4), b, [0])) },
  { name: `multiDot, ${dtype}`, inputs: [values(dtype, [2, 5], 180 + which), values(dtype, [5, 1], 182 + which)], f: binary((a, b) => multiDot([a, b, reshape(a, [1, 10]) as Operand])) },
  { name: `multiDot of vectors, ${dtype}`, inputs: [values(dtype, [3], 184 + which), values(dtype, [3, 3], 186 + which)], f: binary((a, b) => multiDot([a, b, b, a])) },
  { name: `cross, ${dtype}`, inputs: [values(dtype, [2, 1, 3], 188 + which), values(dtype, [4, 3], 190 + which)], f: binary((a, b) => cross(a, b)) },
  { name: `cross along a first axis, ${dtype}`, inputs: [values(dtype, [3, 2], 192 + which), values(dtype, [3, 2], 194 + which)], f: binary((a, b) => cross(a, b, -2)) },
  { name: `vander, ${dtype}`, inputs: [values(dtype, [2, 3], 196 + which)], f: unary((x) => vander(x, { n: 4 })) },
]);

const edges: readonly ExtensionCase[] = [
  { name: 'vander of zeros and integers', inputs: [hostValue('int32', [3], [0, 2, -1])], f: unary((x) => vander(x, { increasing: true })), expected: [hostValue('int32', [3, 3], [1, 0, 0, 1, 2, 4, 1, -1, 1])] },
  { name: 'vander at zero', inputs: [hostValue('float64', [2], [0, 3])], f: unary((x) => vander(x, { n: 3 })), expected: [hostValue('float64', [2, 3], [0, 0, 1, 9, 3, 1])] },
  { name: 'vander without columns', inputs: [values('float64', [2], 1)], f: unary((x) => vander(x, { n: 0 })) },
  { name: 'cross of integers', inputs: [hostValue('int32', [3], [1, 2, 3]), hostValue('int32', [3], [4, 5, 6])], f: binary((a, b) => cross(a, b)), expected: [hostValue('int32', [3], [-3, 6, -3])] },
];

export const productCases: readonly ExtensionCase[] = [...exponentials, ...scaled, ...powers, ...composed, ...edges];
