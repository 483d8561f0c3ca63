import * as core from '@tf/core';
import { type Operand, type Var } from '@tf/core';
import { hostValue } from '../values.ts';
import { binary, binaryCases, functionCases, operand, scalar, spread, unary, vector } from './case-forms.ts';
import { coreControlCases } from './core-control-cases.ts';
import { dynamicCases } from './dynamic-cases.ts';
import { coreFunctionCases } from './core-function-cases.ts';
import { complexCases } from './complex-cases.ts';
import type { ExtensionCase } from './extension-suite.ts';
import { structureCases } from './structure-cases.ts';

function functions(): readonly ExtensionCase[] {
  return [
    ...functionCases('exp', core.exp, [0, 1, -1, 10], [1, Math.E, 0.36787944117144233, 22026.465794806718]),
    ...functionCases('expm1', core.expm1, [1e-10, 1], [1.00000000005e-10, 1.718281828459045]),
    ...functionCases('log', core.log, [1, Math.E, 10], [0, 1, 2.302585092994046], [0.3, 3]),
    ...functionCases('log1p', core.log1p, [1e-10, 1], [9.9999999995e-11, 0.6931471805599453], [-0.7, 2]),
    ...functionCases('tanh', core.tanh, [0.5, -1], [0.46211715726000973, -0.7615941559557649]),
    ...functionCases('sqrt', core.sqrt, [4, 2, 0.25], [2, Math.SQRT2, 0.5], [0.3, 3]),
    ...functionCases('rsqrt', core.rsqrt, [4, 0.25], [0.5, 2], [0.3, 3]),
    ...functionCases('sin', core.sin, [1, -3], [0.8414709848078965, -0.1411200080598672]),
    ...functionCases('cos', core.cos, [1, -3], [0.5403023058681398, -0.9899924966004454]),
    ...functionCases('erf', core.erf, [0.5, -1, 2], [0.5204998778130465, -0.8427007929497149, 0.9953222650189527]),
    ...functionCases('erfc', core.erfc, [0.5, 2, 5], [0.4795001221869535, 0.004677734981047266, 1.5374597944280349e-12]),
    ...functionCases('ndtr', core.ndtr, [0.5, -2, -9], [0.6914624612740131, 0.022750131948179207, 1.1285884059538406e-19]),
    ...functionCases('sigmoid', core.sigmoid, [0, 2, -30], [0.5, 0.8807970779778823, 9.357622968839299e-14]),
    ...functionCases('softplus', core.softplus, [0, 3, -40], [0.6931471805599453, 3.048587351573742, 4.248354255291589e-18]),
    ...functionCases('neg', core.neg, [1, -2], [-1, 2]),
    ...functionCases('abs', core.abs, [1.5, -2], [1.5, 2]),
    { name: 'stopGradient', f: (x, y) => core.mul(core.stopGradient(operand(x)) as Operand, operand(y)) as unknown as Var, inputs: [spread([2], 1), spread([2], 2)], wrt: [1] },
    { name: 'sign', f: unary(core.sign), inputs: [vector(1.5, -2, -0.5)], expected: [vector(1, -1, -1)] },
    { name: 'identity', operation: core.identityOperation, inputs: [spread([2, 3], 3)] },
    { name: 'constrain', f: unary((x: Operand) => core.constrain(x, [{ left: 2, right: 3, relation: 'atMost', reason: 'rows' }])), inputs: [spread([2, 3], 3)] },
    { name: 'barrier', f: unary(core.barrier), inputs: [spread([2, 3], 3)] },
  ];
}

function arithmetic(): readonly ExtensionCase[] {
  return [
    ...binaryCases('add', core.add), ...binaryCases('sub', core.sub), ...binaryCases('mul', core.mul),
    ...binaryCases('div', core.div, [0.5, 2]), ...binaryCases('divideOrZero', core.divideOrZero, [0.5, 2]), ...binaryCases('multiplyOrZero', core.multiplyOrZero),
    ...binaryCases('pow', core.pow, [-2, 3], [0.3, 2]),
    ...binaryCases('maximum', core.maximum, [-2, 2], [-2, 2], true), ...binaryCases('minimum', core.minimum, [-2, 2], [-2, 2], true),
    { name: 'mul of known values', f: binary(core.mul), inputs: [vector(3, -2), vector(-4, 0.5)], expected: [vector(-12, -1)] },
    { name: 'pow of known values', f: binary(core.pow), inputs: [vector(2, 9, 1.5), vector(10, 0.5, -2)], expected: [vector(1024, 3, 4 / 9)] },
    { name: 'a negative base to whole powers', f: (x) => core.pow(operand(x), 3) as unknown as Var, inputs: [vector(-2, -0.5, 1.5)], expected: [vector(-8, -0.125, 3.375)] },
    { name: 'weak numbers', f: (x) => core.add(core.mul(operand(x), 3) as Operand, -1) as unknown as Var, inputs: [vector(-2, 0.5)], expected: [vector(-7, 0.5)] },
    { name: 'one value used twice', f: (x) => core.mul(core.add(operand(x), operand(x)) as Operand, operand(x)) as unknown as Var, inputs: [spread([3], 5)] },
    ...complexCases(),
  ];
}

function choices(): readonly ExtensionCase[] {
  const infinite = vector(1, Infinity, NaN, -3);
  return [
    { name: 'select', f: (x, y) => core.select(core.less(operand(x), 0.5) as Operand<core.Kind, 'bool'>, operand(x), operand(y)) as unknown as Var, inputs: [spread([2, 3], 61), spread([3], 62)], branches: true },
    { name: 'select away from infinite values', f: (x, y) => core.select(core.less(operand(x), 5) as Operand<core.Kind, 'bool'>, operand(y), operand(x)) as unknown as Var, inputs: [vector(9, 1, 1, 9), infinite], wrt: [0], branches: true, tolerance: Infinity },
    { name: 'relu', f: unary(core.relu), inputs: [spread([2, 3], 63)], branches: true },
    { name: 'reduceMax', f: unary((x) => core.reduceMax(x, { axes: 1 })), inputs: [spread([2, 4], 64)], branches: true },
    { name: 'reduceMin over all', f: unary((x) => core.reduceMin(x)), inputs: [spread([2, 4], 65)], branches: true },
    { name: 'reduceMax of known values', f: unary((x) => core.reduceMax(x, { axes: 1 })), inputs: [hostValue('float64', [2, 2], [1, -2, -3, -0.5])], expected: [vector(1, -0.5)] },
    { name: 'reduceMin of known values', f: unary((x) => core.reduceMin(x)), inputs: [hostValue('float64', [2, 2], [1, -2, -3, -0.5])], expected: [scalar(-3)] },
    { name: 'comparisons', f: (x, y) => [core.equal, core.notEqual, core.less, core.lessEqual, core.greater, core.greaterEqual].map((f) => f(operand(x), operand(y)) as unknown as Var), inputs: [vector(1, 2, 3), vector(3, 2, 1)], expected: [[0, 1, 0], [1, 0, 1], [1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1]].map((bits) => hostValue('bool', [3], bits)) },
    { name: 'convert to int and back', f: unary((x) => core.mul(core.convert(core.convert(x, 'int32') as Operand, x.type.dtype) as Operand, x)), inputs: [vector(1.7, -2.3)], expected: [vector(1.7, 4.6)] },
    { name: 'convert through float32', f: unary((x) => core.convert(core.convert(x, 'float32') as Operand, 'float64')), inputs: [vector(1.5, -2.25)], tolerance: 1e-2 },
    { name: 'convert between floats', f: unary((x) => core.convert(core.convert(x, 'float64') as Operand, 'float64')), inputs: [vector(1.5, -2.25)] },
  ];
}

function reductions(): readonly ExtensionCase[] {
  const folds: readonly (readonly [string, core.ReduceOptions])[] = [['all axes', {}], ['axis 1', { axes: 1 }], ['axes 0 and 2, kept', { axes: [0, 2], keepdims: true }], ['no axes', { axes: [] }]];
  return [
    ...folds.map(([name, options]): ExtensionCase => ({ name: `sum over ${name}`, f: unary((x) => core.sum(x, options)), inputs: [spread([2, 3, 2], 71)] })),
    ...folds.map(([name, options]): ExtensionCase => ({ name: `prod over ${name}`, f: unary((x) => core.prod(x, options)), inputs: [spread([2, 3, 2], 72, 0.5, 1.5)] })),
    { name: 'sum of nothing', f: unary((x) => core.sum(x, { axes: 0 })), inputs: [hostValue('float64', [0, 2], [])], expected: [vector(0, 0)] },
    { name: 'prod with zeros', f: unary((x) => core.prod(x, { axes: 1 })), inputs: [hostValue('float64', [3, 3], [2, 0, 3, 0, 0, 5, 1, 2, 3])], expected: [vector(0, 0, 6)] },
    { name: 'mean and variance', f: unary((x) => core.add(core.mean(x, { axes: 0 }) as Operand, core.variance(x, { axes: 0 }) as Operand)), inputs: [spread([4, 2], 73)] },
    { name: 'softmax', f: unary((x) => core.softmax(x)), inputs: [spread([2, 3], 74)] },
    { name: 'logSoftmax', f: unary((x) => core.logSoftmax(x, 0)), inputs: [spread([2, 3], 77)] },
    { name: 'logSumExp', f: unary((x) => core.logSumExp(x, { axes: -1 })), inputs: [spread([2, 3], 75)] },
    { name: 'layerNorm', f: unary((x) => core.layerNorm(x)), inputs: [spread([2, 4], 76)] },
  ];
}

function movement(): readonly ExtensionCase[] {
  const x = spread([2, 3], 81);
  return [
    { name: 'times its size', f: unary((a) => core.mul(a, core.convert(core.size(a), 'float64'))), inputs: [x] },
    { name: 'reshape', f: unary((a) => core.reshape(a, [3, 2])), inputs: [x] },
    { name: 'transpose', f: unary((a) => core.transpose(a, [2, 0, 1])), inputs: [spread([2, 3, 4], 82)] },
    { name: 'broadcastTo', f: unary((a) => core.broadcastTo(a, [2, 3, 4])), inputs: [spread([3, 1], 83)] },
    { name: 'slice with steps', f: unary((a) => core.slice(a, [1, 0], [5, 4], [2, 3])), inputs: [spread([5, 4], 84)] },
    { name: 'slice of nothing', f: unary((a) => core.slice(a, [1, 1], [1, 3])), inputs: [x] },
    { name: 'pad', f: unary((a) => core.pad(a, { low: [1, -1], high: [0, 2], interior: [0, 1], value: 7 })), inputs: [x] },
    { name: 'pad with a value', f: (a, v) => core.pad(operand(a), { low: [1, -1], high: [0, 2], interior: [0, 1], value: operand(v) }) as unknown as Var, inputs: [x, scalar(7)] },
    { name: 'sliceAdd', f: (a, b) => core.sliceAdd(operand(a), [1, 0], operand(b), [2, 1]) as unknown as Var, inputs: [spread([5, 3], 88), spread([2, 2], 89)] },
    { name: 'slices of one value', f: unary((a) => core.mul(core.mul(core.slice(a, [0, 0], [2, 2]), core.slice(a, [0, 1], [2, 3])), core.mul(core.slice(a, [0, 0], [2, 3], [1, 2]), core.take(a, [1, 1], 1)))), inputs: [x] },
    { name: 'concat', f: (a, b) => core.concat([operand(a), operand(b), operand(a)], 1) as unknown as Var, inputs: [x, spread([2, 1], 85)] },
    { name: 'take', f: unary((a) => core.take(a, [2, -1, 0, 2], 1)), inputs: [x] },
    { name: 'takeAlongAxis', f: (a, i) => core.takeAlongAxis(operand(a), i as Operand<core.Kind, 'int32'>, 1) as unknown as Var, inputs: [x, hostValue('int32', [2, 2], [2, 0, -1, 2])] },
    { name: 'scatterAdd', f: (a, i, b) => core.scatterAdd(operand(a), i as Operand<core.Kind, 'int32'>, operand(b), 1) as unknown as Var, inputs: [x, hostValue('int32', [2, 2], [1, 1, 0, 2]), spread([2, 2], 86)] },
    { name: 'indexAdd', f: (a, b) => core.indexAdd(operand(a), [1, 0, 1], operand(b), 0) as unknown as Var, inputs: [x, spread([3, 3], 87)] },
  ];
}

function contractions(): readonly ExtensionCase[] {
  const shapes: readonly (readonly [readonly number[], readonly number[]])[] = [[[2, 3], [3, 4]], [[3], [3]], [[2, 3], [3]], [[3], [3, 2]], [[2, 2, 3], [3, 2]], [[2, 1, 2, 3], [4, 3, 2]], [[2, 0], [0, 3]]];
  return [
    ...shapes.map(([a, b], at): ExtensionCase => ({ name: `matmul of ${JSON.stringify(a)} and ${JSON.stringify(b)}`, f: binary(core.matmul), inputs: [spread(a, at + 90), spread(b, at + 110)] })),
    { name: 'matmul of known values', f: binary(core.matmul), inputs: [hostValue('float64', [2, 2], [1, 2, 3, 4]), hostValue('float64', [2, 2], [5, 6, 7, 8])], expected: [hostValue('float64', [2, 2], [19, 22, 43, 50])] },
    { name: 'dotGeneral over two axes out of order', f: binary((a, b) => core.dotGeneral(a, b, { lhsContract: [2, 0], rhsContract: [0, 1] })), inputs: [spread([2, 3, 4], 98), spread([4, 2, 5], 99)] },
    { name: 'dotGeneral with a batch', f: binary((a, b) => core.dotGeneral(a, b, { lhsBatch: [1], rhsBatch: [0], lhsContract: [0], rhsContract: [2] })), inputs: [spread([2, 3, 4], 100), spread([3, 5, 2], 101)] },
    { name: 'gelu(x)·sigmoid(y) + z', f: (x, y, z) => core.add(core.mul(core.gelu(operand(x)) as Operand, core.sigmoid(operand(y)) as Operand) as Operand, operand(z)) as unknown as Var, inputs: [spread([3], 102), spread([3], 103), scalar(0.5)] },
  ];
}

/** The operations of `tf.core` as cases: every primitive, several shapes, broadcasting, negative and complex values. */
export function createCoreCases(): readonly ExtensionCase[] {
  return [...functions(), ...coreFunctionCases(), ...arithmetic(), ...choices(), ...reductions(), ...movement(), ...contractions(), ...structureCases(), ...coreControlCases(), ...dynamicCases()];
}
