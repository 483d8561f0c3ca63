import * as core from '@tf/core';
import { type Operand, type Var } from '@tf/core';
import { createRandom, randomValues } from '../random.ts';
import { type HostValue, hostValue } from '../values.ts';
import { binary, complex, type Of1, type Of2, operand, unary, vector } from './case-forms.ts';
import type { ExtensionCase } from './extension-suite.ts';

/** Values whose parts are away from 0, so from poles and cuts. */
function away(shape: readonly number[], seed: number): HostValue {
  const random = createRandom(seed);
  return randomValues('complex128', shape, random, () => (random() < 0.5 ? -1 : 1) * (0.4 + 1.2 * random()));
}

const pairs = (...values: readonly number[]): HostValue => hostValue('complex128', [values.length / 2], values);

/** f with values from elsewhere, on a matrix and on nothing. */
function functionCases(name: string, f: Of1, points: readonly number[], values: readonly number[]): readonly ExtensionCase[] {
  return [
    { name: `complex ${name} of known values`, f: unary(f), inputs: [pairs(...points)], expected: [pairs(...values)] },
    { name: `complex ${name} of a matrix`, f: unary(f), inputs: [away([2, 3], name.length + 30)] },
    { name: `complex ${name} of nothing`, f: unary(f), inputs: [hostValue('complex128', [0, 3], [])] },
  ];
}

function binaryCases(name: string, f: Of2): readonly ExtensionCase[] {
  const shapes: readonly (readonly [readonly number[], readonly number[]])[] = [[[2, 3], [2, 3]], [[2, 1], [3]], [[], [4]], [[2], []]];
  return shapes.map(([a, b], at) => ({ name: `complex ${name} of ${JSON.stringify(a)} and ${JSON.stringify(b)}`, f: binary(f), inputs: [away(a, at + 50), away(b, at + 60)] }));
}

/** To 17 digits by mpmath 1.3. */
function functions(): readonly ExtensionCase[] {
  return [
    ...functionCases('exp', core.exp, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.5198786860084936, 1.5646111274988195, 0.16326185449063912, 0.15209416568738368, -7.315110094901103, -1.0427436562359045]),
    ...functionCases('expm1', core.expm1, [0.5, 1.25, -1.5, 0.75, 2, -3], [-0.4801213139915063, 1.5646111274988195, -0.8367381455093609, 0.15209416568738368, -8.315110094901103, -1.0427436562359045]),
    ...functionCases('sqrt', core.sqrt, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.9608046632337985, 0.6504964265019547, 0.2975323370029233, 1.2603672050487593, 1.6741492280355401, -0.8959774761298381]),
    ...functionCases('rsqrt', core.rsqrt, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.7136677874451546, -0.483176615608977, 0.17741400827811002, -0.7515377992267844, 0.464325452650815, 0.24849944091130338]),
    ...functionCases('sin', core.sin, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.9053586344209572, 1.4058162504314682, -1.2914400857052224, 0.0581683845016712, 9.15449914691143, 4.168906959966565]),
    ...functionCases('cos', core.cos, [0.5, 1.25, -1.5, 0.75, 2, -3], [1.6572478640539148, -0.7680009178735728, 0.09158227260398998, 0.8202568175066205, -4.189625690968807, 9.109227893755337]),
    ...functionCases('tanh', core.tanh, [0.5, 1.25, -1.5, 0.75, 2, -3], [1.583963548284424, 0.8066346988510736, -0.9881121005704792, 0.0983878191396714, 0.9653858790221331, 0.009884375038322494]),
    ...functionCases('sigmoid', core.sigmoid, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.6805661698086823, 0.3288352746951482, 0.1547971042331356, 0.11050859165713012, 1.1541476496139678, -0.02545268116361431]),
    ...functionCases('log', core.log, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.2973535538733464, 1.1902899496825317, 0.5170368837652692, 2.677945044588987, 1.2824746787307684, -0.982793723247329]),
    ...functionCases('log1p', core.log1p, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.669142570966765, 0.6947382761967031, -0.10381968238912224, 2.158798930342464, 1.4451858789480823, -0.7853981633974483]),
    ...functionCases('exp2', core.exp2, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.9157712445719303, 1.0776655453410293, 0.3068449370104293, 0.17563081913794534, -1.9479776718631256, -3.4936203270994857]),
    ...functionCases('log2', core.log2, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.42899049756378604, 1.7172254076269624, 0.7459265481648374, 3.8634580356017056, 1.850219859070546, -1.417871630745722]),
    ...functionCases('log10', core.log10, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.12913900762151564, 0.5169363570120228, 0.22454626555970944, 1.1630167557051547, 0.5569716761534184, -0.4268218908554666]),
    ...functionCases('tan', core.tan, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.12610856648423438, 0.9067248043194309, -0.10358061868779705, 1.5628689818694737, -0.0037640256415042484, -1.0032386273536098]),
    ...functionCases('sinh', core.sinh, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.16431300276137265, 1.0700996973668528, -1.5579700760145927, 1.6034935732013758, -3.59056458998578, -0.5309210862485199]),
    ...functionCases('cosh', core.cosh, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.355565683247121, 0.49451143013196674, 1.721231930505232, -1.451399407513992, -3.7245455049153224, -0.5118225699873846]),
    ...functionCases('asin', core.asin, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.3079813715721186, 1.0855765577207785, -1.0242880572034125, 1.1627920981631037, 0.5706527843210994, -1.9833870299165355]),
    ...functionCases('acos', core.acos, [0.5, 1.25, -1.5, 0.75, 2, -3], [1.262814955222778, -1.0855765577207785, 2.595084383998309, -1.1627920981631037, 1.0001435424737972, 1.9833870299165355]),
    ...functionCases('atan', core.atan, [0.5, 1.25, -1.5, 0.75, 2, -3], [1.1265564408348223, 0.708303336014054, -1.05713696075397, 0.207933335961523, 1.4099210495965755, -0.22907268296853878]),
    ...functionCases('asinh', core.asinh, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.8988936293694825, 1.0611857724687426, -1.2650750428933686, 0.4029108301465699, 1.9686379257930964, -0.9646585044076028]),
    ...functionCases('acosh', core.acosh, [0.5, 1.25, -1.5, 0.75, 2, -3], [1.0855765577207785, 1.262814955222778, 1.1627920981631037, 2.595084383998309, 1.9833870299165355, -1.0001435424737972]),
    ...functionCases('atanh', core.atanh, [0.5, 1.25, -1.5, 0.75, 2, -3], [0.1858945085467093, 0.9425141129396175, -0.5315996311919018, 1.2251278624101656, 0.14694666622552977, -1.3389725222944935]),
  ];
}

function parts(): readonly ExtensionCase[] {
  const z = pairs(3, -4, -0.5, 1.2);
  return [
    { name: 'real', f: unary(core.real), inputs: [z], expected: [vector(3, -0.5)] },
    { name: 'imag', f: unary(core.imag), inputs: [z], expected: [vector(-4, 1.2)] },
    { name: 'real and imag of real numbers', f: (x) => [core.real(operand(x)) as unknown as Var, core.imag(operand(x)) as unknown as Var], inputs: [vector(2, -1)], expected: [vector(2, -1), vector(0, 0)] },
    { name: 'complex', f: binary(core.complex), inputs: [vector(1, 2), vector(3, -4)], expected: [pairs(1, 3, 2, -4)] },
    { name: 'complex with broadcasting', f: binary((x, y) => core.complex(x, y)), inputs: [vector(1, 2, 5), hostValue('float64', [2, 1], [3, -4])] },
    { name: 'complex of a real part', f: unary((x) => core.complex(x, 1)), inputs: [vector(1, 2)], expected: [pairs(1, 1, 2, 1)] },
    { name: 'complex abs', f: unary(core.abs), inputs: [z], expected: [vector(5, 1.3)] },
    { name: 'angle', f: unary(core.angle), inputs: [z], expected: [vector(-0.9272952180016122, 1.965587446494658)] },
    { name: 'angle of real numbers', f: unary(core.angle), inputs: [vector(2, -3)], expected: [vector(0, Math.PI)], tolerance: 1e-12 },
    { name: 'complex pow of known values', f: binary(core.pow), inputs: [pairs(0.5, 1.25, -1, 0.5), pairs(2, -1, 0.5, 0)], expected: [pairs(-2.9219531216676926, 5.194090304070757, 0.24293413587832283, 1.0290855136357462)] },
    { name: 'complex sign', f: unary(core.sign), inputs: [z], expected: [pairs(0.6, -0.8, -0.5 / 1.3, 1.2 / 1.3)] },
    { name: 'complex equal', f: (x, y) => [core.equal(operand(x), operand(y)) as unknown as Var, core.notEqual(operand(x), operand(y)) as unknown as Var], inputs: [pairs(1, 2, 3, 4), pairs(1, 2, 3, -4)], expected: [hostValue('bool', [2], [1, 0]), hostValue('bool', [2], [0, 1])] },
    { name: 'complex classification', f: (x) => [core.isNan, core.isFinite, core.isInf].map((f) => f(operand(x)) as unknown as Var), inputs: [pairs(1, NaN, Infinity, 0, 1, 2)], expected: [[1, 0, 0], [0, 0, 1], [0, 1, 0]].map((bits) => hostValue('bool', [3], bits)) },
    { name: 'cast to real', f: (x, y) => core.cast(core.mul(operand(x), operand(y)) as Operand, 'float64') as unknown as Var, inputs: [complex([2], 13), complex([2], 14)] },
    { name: 'cast to bool', f: unary((x) => core.cast(x, 'bool')), inputs: [pairs(0, 0, 0, 2, 1, 0)], expected: [hostValue('bool', [3], [0, 1, 1])] },
    { name: 'convert to complex', f: (x, z) => core.mul(core.convert(operand(x), 'complex128') as Operand, operand(z)) as unknown as Var, inputs: [vector(1.5, -2.25), complex([2], 12)] },
  ];
}

function others(): readonly ExtensionCase[] {
  return [
    { name: 'complex mul', f: binary(core.mul), inputs: [complex([2, 3], 1), complex([3], 2)] },
    { name: 'complex mul of known values', f: binary(core.mul), inputs: [hostValue('complex128', [1], [1, 2]), hostValue('complex128', [1], [3, -4])], expected: [hostValue('complex128', [1], [11, 2])] },
    { name: 'complex add, sub and neg', f: (x, y) => core.sub(core.neg(core.add(operand(x), operand(y)) as Operand) as Operand, operand(y)) as unknown as Var, inputs: [complex([2, 3], 3), complex([], 4)] },
    { name: 'conj', f: (x) => core.mul(core.conj(operand(x)) as Operand, operand(x)) as unknown as Var, inputs: [complex([4], 5)] },
    { name: 'complex sum', f: unary((x) => core.sum(x, { axes: 0 })), inputs: [complex([3, 2], 6)] },
    { name: 'complex prod', f: unary((x) => core.prod(x, { axes: 0 })), inputs: [complex([3, 2], 7)] },
    { name: 'complex matmul', f: binary(core.matmul), inputs: [complex([2, 3], 8), complex([3, 2], 9)] },
    { name: 'complex transpose and reshape', f: unary((x) => core.reshape(core.transpose(x) as Operand, [6])), inputs: [complex([2, 3], 10)] },
    { name: 'complex pad with a value', f: (x, v) => core.pad(x as Operand, { low: [1], high: [-1], interior: [1], value: v as Operand }) as unknown as Var, inputs: [complex([3], 12), complex([], 13)] },
    { name: 'complex slice, pad, concat', f: unary((x) => core.concat([core.pad(core.slice(x, [1], [4], [2]) as Operand, { low: [1], high: [0] }) as Operand, x])), inputs: [complex([5], 11)] },
    { name: 'complex mean and variance', f: unary((x) => core.add(core.mean(x, { axes: 0 }) as Operand, core.variance(x, { axes: 0 }) as Operand)), inputs: [complex([4, 2], 16)] },
    { name: 'complex dot of vectors', f: binary((x, y) => core.matmul(core.conj(x) as Operand, y)), inputs: [complex([5], 17), complex([5], 18)] },
    { name: 'complex indexAdd', f: (x, y) => core.indexAdd(operand(x), [1, 0, 1], operand(y), 0) as unknown as Var, inputs: [complex([2, 2], 19), complex([3, 2], 20)] },
  ];
}

/** The operations of `tf.core` on complex numbers. */
export function complexCases(): readonly ExtensionCase[] {
  return [...binaryCases('div', core.div), ...binaryCases('divideOrZero', core.divideOrZero), ...binaryCases('multiplyOrZero', core.multiplyOrZero), ...binaryCases('pow', core.pow), ...functions(), ...parts(), ...others()];
}
