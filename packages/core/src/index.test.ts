import { describe, expect, it } from 'vitest';
import * as tf from './index.ts';

/** The public functions as untyped JavaScript calls them. */
const js = tf as unknown as { readonly [name: string]: (...args: readonly unknown[]) => unknown };
const x = tf.tensor([1, 2]) as never as { sum(options: unknown): unknown };
const y = tf.tensor([[1, 2], [3, 4]]);
const n = tf.tensor(Int32Array.of(1, 2));
const wide = tf.tensor([1n, 2n]);
const mask = tf.tensor([true, false]);
const t = new tf.Builder().input(tf.tensorType('float64', []), 't');
const complex = new tf.Builder().input(tf.tensorType('complex64', [2]), 'z');
const tensor3 = tf.tensor([1, 2, 3]);
const cyclic: unknown[] = [];
cyclic.push(cyclic);
const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], 1);

/** What is called, with what, which error it is, and how its message goes on after the operation's name. */
type Misuse = readonly [call: string, args: readonly unknown[], name: string, message: RegExp];

const operands: readonly Misuse[] = [
  ['sum', [[1, 2]], 'ArgumentError', /^sum: x is an array, not a tensor.*tensor\(\[/],
  ['sum', ['abc'], 'ArgumentError', /^sum: x is string abc, not a tensor/],
  ['sum', [undefined], 'ArgumentError', /^sum: x is undefined/],
  ['sum', [3], 'ArgumentError', /^sum: x is number 3.*tensor\(3\)/],
  ['sum', [Symbol('s')], 'ArgumentError', /^sum: x is symbol Symbol\(s\)/],
  ['mean', [[1]], 'ArgumentError', /^mean: x is an array/],
  ['std', [[1]], 'ArgumentError', /^std: x is an array/],
  ['softmax', [[1]], 'ArgumentError', /^softmax: x is an array/],
  ['conj', [1], 'ArgumentError', /^conj: x is number 1/],
  ...['exp', 'expm1', 'log', 'log1p', 'sqrt', 'rsqrt', 'tanh', 'sin', 'cos', 'erf', 'erfc', 'ndtr', 'sigmoid', 'softplus', 'relu', 'silu', 'gelu', 'geluTanh', 'logSigmoid', 'leakyRelu', 'elu', 'hardSwish', 'square', 'reciprocal', 'exp2', 'log2', 'log10', 'cbrt', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'asinh', 'acosh', 'atanh', 'erfinv', 'lgamma', 'digamma', 'floor', 'ceil', 'round', 'trunc', 'isNan', 'isFinite', 'isInf', 'signbit', 'logicalNot', 'bitwiseNot', 'clamp', 'neg', 'abs', 'sign', 'stopGradient', 'barrier'].map((call): Misuse => [call, [[1]], 'ArgumentError', new RegExp(`^${call}: x is an array, not a tensor`)]),
  ['convert', [[1], 'float32'], 'ArgumentError', /^convert: x is an array/],
  ...['cbrt', 'softplus', 'erf', 'erfc', 'ndtr', 'erfinv', 'lgamma', 'digamma'].map((call): Misuse => [call, [complex], 'DTypeError', new RegExp(`^${call}: takes float32, float64, got c64.*Take real\\(x\\), imag\\(x\\) or abs\\(x\\) first\\.$`)]),
  ['exp', [2], 'ArgumentError', /^exp: x is number 2, not a tensor.*tensor\(2\)/],
  ['pow', [x, '2'], 'ArgumentError', /^pow: argument 1 is string 2/],
  ['pow', [x, [2]], 'ArgumentError', /^pow: argument 1 is an array/],
  ['add', [x, [1, 2]], 'ArgumentError', /^add: argument 1 is an array/],
  ['matmul', [x, 2], 'ArgumentError', /^matmul: b is number 2/],
  ['matmul', [mask, mask], 'DTypeError', /^matmul: takes .*convert/],
  ['dotGeneral', [2, x, {}], 'ArgumentError', /^dotGeneral: a is number 2/],
  ['where', [mask], 'ArgumentError', /^where: got the condition bool\[2\] alone.*masked form: where\(condition, x, 0\).*dynamicTruncate/],
  ['where', [], 'ArgumentError', /^where: got the condition undefined alone/],
  ['getAt', [y, x], 'ArgumentError', /^getAt: indices is .*takes a list of 1 to 2 index tensors for f64\[2, 2\], one per indexed axis/],
  ['getAt', [y, []], 'ArgumentError', /^getAt: indices is .*takes a list of 1 to 2 index tensors/],
  ['getAt', [y, [n, x]], 'DTypeError', /^getAt: indices\[1\] are int32 or int64, got f64\[2\]/],
  ['getAt', [y, [n, 2]], 'IndexError', /^getAt: index 2 is out of range for axis 1 of f64\[2, 2\]/],
  ['getAt', [y, [[0, 1.5], n]], 'IndexError', /^getAt: indices\[0\] must be 32-bit integers, got 1\.5/],
  ['getAt', [y, [n, n], { axes: [0] }], 'ArgumentError', /^getAt: axes is .*a list of 2 axes, one per index tensor/],
  ['getAt', [y, [n, n], { axes: [1, -1] }], 'AxisError', /^getAt: axes \[1, -1\] of f64\[2, 2\] name one axis twice/],
  ['setAt', [y, [n], 'x'], 'ArgumentError', /^setAt: /],
  ['setAt', [y, [n, n], tensor3], 'ShapeError', /^setAt: updates f64\[3\] do not broadcast to \[2\], the shape of what these indices name in f64\[2, 2\]/],
  ['take', [x, 1, 0], 'ArgumentError', /^take: indices is number 1; it takes an integer tensor or a list/],
  ['take', [x, [t]], 'TracerLeakError', /^take: indices\[0\] is a traced tensor/],
  ['take', [x, [2 ** 40]], 'IndexError', /^take: .*32-bit integers/],
  ['take', [x, [2]], 'IndexError', /^take: index 2 is out of range.*run from -2 to 1/],
  ['take', [x, y], 'DTypeError', /^take: indices are int32 or int64, got f64.*convert\(indices/],
  ['takeAlongAxis', [x, y], 'DTypeError', /^takeAlongAxis: /],
  ['takeAlongAxis', [y, [0]], 'ShapeError', /^takeAlongAxis: indices i32\[1\]/],
  ['indexAdd', [y, [0], x, 3], 'AxisError', /^indexAdd: axis 3 is out of range/],
  ['indexAdd', [y, [0], [1, 2]], 'ArgumentError', /^indexAdd: updates is an array/],
  ['concat', [x, y], 'ArgumentError', /^concat: tensors is a tensor f64\[2\].*concat\(\[a, b\]/],
  ['concat', [[x, 1]], 'ArgumentError', /^concat: tensors\[1\] is number 1/],
  ['concat', [[]], 'ArgumentError', /^concat: tensors is empty/],
  ['concat', [[x, y]], 'ShapeError', /^concat: .*Reshape, slice or pad/],
  ['layerNorm', [x, { scale: 2 }], 'ArgumentError', /^layerNorm: scale is number 2/],
];

const shapes: readonly Misuse[] = [
  ['sum', [x, { axes: '0' }], 'ArgumentError', /^sum: axes is string 0; it takes an axis or a list/],
  ['sum', [x, { axes: ['0'] }], 'ArgumentError', /^sum: axes is string 0/],
  ['sum', [x, { axes: 0.5 }], 'AxisError', /^sum: axis 0.5 is no integer; axes run from -1 to 0/],
  ['sum', [tf.tensor(1), { axes: 0 }], 'AxisError', /^sum: axis 0 .*rank 0 has no axes/],
  ['sum', [x, { axes: t }], 'TracerLeakError', /^sum: axes is a traced tensor f64\[\] used as an index/],
  ['sum', [x, { axes: n }], 'ArgumentError', /^sum: axes is a tensor i32\[2\].*item\(\)/],
  ['softmax', [x, 1], 'AxisError', /^softmax: axis 1/],
  ['softmax', [x, t], 'TracerLeakError', /^softmax: axes is a traced/],
  ['quantile', [tf.zeros([0]), 0.5], 'ShapeError', /^quantile: f64\[0\] has no element/],
  ['logSumExp', [y, { axes: 2 }], 'AxisError', /^logSumExp: axis 2/],
  ['std', [y, { axes: 2 }], 'AxisError', /^std: axis 2/],
  ['layerNorm', [y, { axes: 2 }], 'AxisError', /^layerNorm: axis 2/],
  ['reshape', [x, 6], 'ArgumentError', /^reshape: shape is number 6; it takes a list of integers, such as \[2, 3\]/],
  ['reshape', [x], 'ArgumentError', /^reshape: shape is undefined/],
  ['reshape', [x, ['6']], 'ArgumentError', /^reshape: shape\[0\] is string 6/],
  ['reshape', [x, [-2, -1]], 'ShapeError', /^reshape: /],
  ['reshape', [x, [3]], 'ShapeError', /^reshape: .*one extent may be -1/],
  ['broadcastTo', [x, 2], 'ArgumentError', /^broadcastTo: shape is number 2/],
  ['broadcastTo', [x, [2 ** 52, 2]], 'TooLargeError', /^broadcastTo: /],
  ['transpose', [x, 1], 'ArgumentError', /^transpose: perm is number 1; it takes a list of axes/],
  ['transpose', [y, [0, 2]], 'AxisError', /^transpose: axis 2/],
  ['zeros', [3], 'ArgumentError', /^zeros: shape is number 3/],
  ['zeros', [['a']], 'ArgumentError', /^zeros: shape\[0\] is string a/],
  ['ones', [[-1]], 'ShapeError', /^ones: a shape needs non-negative/],
  ['zeros', [[t]], 'TracerLeakError', /^zeros: shape\[0\] is a traced/],
  ['zeros', [[tf.symbolicDim('n')]], 'ArgumentError', /^zeros: shape\[0\]/],
  ['full', [[2 ** 27, 2 ** 27], 1], 'TooLargeError', /^full: /],
  ['tensor', [[1], { shape: '2' }], 'ArgumentError', /^tensor: shape is string 2/],
  ['tensor', [[1], { shape: 1 }], 'ArgumentError', /^tensor: shape is number 1/],
  ['tensorType', ['float64', 3], 'ArgumentError', /^tensorType: shape is number 3/],
  ['slice', [x, [t], [2]], 'TracerLeakError', /^slice: start\[0\] is a traced/],
  ['slice', [x, [0], [n]], 'ArgumentError', /^slice: stop\[0\] is a tensor i32/],
  ['slice', [x, [0], [2], 1], 'ArgumentError', /^slice: step is number 1/],
  ['slice', [y, [0], [2]], 'ArgumentError', /^slice: .*one entry per axis/],
  ['tensor', [cyclic], 'ShapeError', /^tensor: value is nested more than 64 levels/],
  ['tensor', [deep], 'ShapeError', /^tensor: value is nested/],
  ['add', [y, tf.zeros([3])], 'ShapeError', /^add: .*reshape/],
];

const dtypes: readonly Misuse[] = [
  ['tensor', [[1], { dtype: 'float16' }], 'DTypeError', /^tensor: "float16" is no dtype; there are .*float32/],
  ['tensor', [[1], { dtype: 'toString' }], 'DTypeError', /^tensor: "toString"/],
  ['full', [[2], 1, { dtype: 'f64' }], 'DTypeError', /^full: "f64" is no dtype/],
  ['zeros', [[2], { dtype: 3 }], 'DTypeError', /^zeros: /],
  ['tensorType', ['toString', []], 'DTypeError', /^tensorType: "toString"/],
  ['convert', [x, 'half'], 'DTypeError', /^convert: "half"/],
  ['convert', [x, { toJSON: () => t }], 'DTypeError', /^convert: a value of type object/],
  ['full', [[2], 'x'], 'ArgumentError', /^full: value is string x/],
  ['full', [[2], 0.5, { dtype: 'int32' }], 'ArgumentError', /^full: 0.5 is no int32/],
  ['pad', [n, { low: [1], high: [1], value: 0.5 }], 'ArgumentError', /^pad: value is 0.5, which int32 cannot hold/],
  ['pad', [x, { low: [1, 1], high: [1, 1], value: tf.tensor(Int32Array.of(1)) }], 'ArgumentError', /^pad: value is .* it is one element of float64/],
  ['pad', [x, { low: [1, 1], high: [1, 1], value: 'x' }], 'ArgumentError', /^pad: value is string x/],
  ['pad', [n, { low: [1], high: [1], value: tf.sum(x as never) }], 'ArgumentError', /^pad: value is .* Convert it: convert\(value, 'int32'\)/],
  ['add', [n, 2 ** 40], 'ArgumentError', /^add: argument 1 is 1099511627776, which int32.*convert\(x, 'int64'\)/],
  ['mul', [3e9, n], 'ArgumentError', /^mul: argument 0 is 3000000000/],
  ['less', [n, 3e9], 'ArgumentError', /^less: /],
  ['select', [mask, n, 3e9], 'ArgumentError', /^select: argument 2/],
  ['add', [wide, 2 ** 63], 'ArgumentError', /^add: .*int64/],
  ['logicalAnd', [n, mask], 'DTypeError', /^logicalAnd: takes bool, got i32\[2\].*convert\(x, 'bool'\)/],
  ['bitwiseOr', [x, n], 'DTypeError', /^bitwiseOr: takes bool, int32, int64, got f64\[2\]/],
  ['leftShift', [mask, mask], 'DTypeError', /^leftShift: takes int32, int64, got bool/],
  ['clamp', [n, 2 ** 40], 'ArgumentError', /^clamp: argument 1 is 1099511627776, which int32/],
  ['clamp', [x], 'ArgumentError', /^clamp: min and max are both undefined/],
  ['floor', [mask], 'DTypeError', /^floor: takes float32, float64, int32, int64, got bool/],
  ['polygamma', [1.5, x], 'ArgumentError', /^polygamma: order is/],
  ['polygamma', [1, 2], 'ArgumentError', /^polygamma: x is number 2/],
  ['leakyRelu', [x, '1'], 'ArgumentError', /^leakyRelu: slope is string 1/],
  ['atan2', [x, [1]], 'ArgumentError', /^atan2: argument 1 is an array/],
  ['fmod', [mask, mask], 'DTypeError', /^fmod: takes float32, float64, int32, int64, got bool/],
  ['relu', [mask], 'DTypeError', /^relu: takes float32, float64, int32, int64, got bool/],
  ...['relu', 'silu', 'gelu', 'geluTanh'].map((call): Misuse => [call, [complex], 'DTypeError', new RegExp(`^${call}: takes float32, float64.*c64\\[2\\]`)]),
  ['reduceMax', [tf.tensor(1), { axes: 0 }], 'AxisError', /^reduceMax: axis 0 .*rank 0 has no axes/],
  ['softmax', [tf.tensor(1)], 'AxisError', /^softmax: axis -1 .*rank 0 has no axes/],
  ['concat', [[tf.tensor(1), tf.tensor(2)]], 'AxisError', /^concat: axis 0 .*rank 0 has no axes/],
  ['take', [tf.tensor(1), [0]], 'AxisError', /^take: axis 0 .*rank 0 has no axes/],
];

const options: readonly Misuse[] = [
  ['sum', [x, null], 'ArgumentError', /^sum: options is null; it takes an object with axes, keepdims/],
  ['sum', [x, 0], 'ArgumentError', /^sum: options is number 0.*\{ axes:/],
  ['sum', [x, [0]], 'ArgumentError', /^sum: options is an array/],
  ['sum', [x, t], 'ArgumentError', /^sum: options is a tensor/],
  ['sum', [x, { axis: 0 }], 'ArgumentError', /^sum: there is no option "axis". Write axes/],
  ['sum', [x, { where: 0 }], 'ArgumentError', /^sum: there is no option "where". It takes axes, keepdims/],
  ['sum', [x, { keepdims: 1 }], 'ArgumentError', /^sum: keepdims is number 1; it takes true or false/],
  ['mean', [x, { ddof: 1 }], 'ArgumentError', /^mean: there is no option "ddof"/],
  ['variance', [x, { axis: 0 }], 'ArgumentError', /^variance: .*Write axes/],
  ['variance', [x, { ddof: 2 }], 'ArgumentError', /^variance: ddof 2 leaves nothing to divide by.*2 elements/],
  ['std', [x, { ddof: NaN }], 'ArgumentError', /^std: ddof NaN/],
  ['variance', [x, { ddof: '1' }], 'ArgumentError', /^variance: ddof is string 1/],
  ['layerNorm', [x, { eps: 1 }], 'ArgumentError', /^layerNorm: .*Write epsilon/],
  ['slice', [x], 'ArgumentError', /^slice: start is undefined/],
  ['pad', [x], 'ArgumentError', /^pad: options is undefined/],
  ['pad', [x, { low: [1] }], 'ArgumentError', /^pad: high is undefined/],
  ['pad', [x, { low: [1, 2], high: [1] }], 'ArgumentError', /^pad: .*one entry per axis/],
  ['dotGeneral', [x, y], 'ArgumentError', /^dotGeneral: options is undefined/],
  ['dotGeneral', [x, y, { lhsContract: 0 }], 'ArgumentError', /^dotGeneral: lhsContract is number 0/],
  ['dotGeneral', [x, y, { lhsContract: [0] }], 'AxisError', /^dotGeneral: 1 contracted/],
  ['tensor', [[1], null], 'ArgumentError', /^tensor: options is null/],
  ['tensor', [[1], 'int32'], 'ArgumentError', /^tensor: options is string int32/],
  ['parseProgram', [], 'ArgumentError', /^parseProgram: text is undefined/],
  ['parseProgram', ['program() {'], 'ArgumentError', /^parseProgram: catalog is undefined/],
  ['printProgram', [{}], 'ArgumentError', /^printProgram: program is an Object/],
];

function thrown(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe.each([['operands', operands], ['axes and shapes', shapes], ['dtypes and values', dtypes], ['options', options]])('wrong %s', (_, cases) => {
  it.each(cases.map((misuse, at) => [`${misuse[0]} ${at}`, misuse] as const))('of %s are an error with name, argument and remedy', (__, [call, args, name, message]) => {
    const error = thrown(() => (js[call] as (...given: readonly unknown[]) => unknown)(...args));
    expect(tf.isTfError(error) && { name: error.name, message: error.message, op: error.fields.op }).toEqual({ name, message: expect.stringMatching(message) as string, op: call });
  });
});

describe('misuse of methods and values', () => {
  it('names the function', () => {
    expect(thrown(() => x.sum(7))).toMatchObject({ name: 'ArgumentError', message: expect.stringMatching(/^sum: options is number 7/) as string });
  });

  it('of another builder names operation and argument', () => {
    const other = new tf.Builder().input(tf.tensorType('float64', []), 'o');
    expect(thrown(() => tf.add(t, other))).toMatchObject({ name: 'ForeignValueError', fields: { op: 'add', argument: 'argument 1' }, message: expect.stringMatching(/^add: argument 1: A f64\[\] value of another/) as string });
  });
});

describe('what looks like misuse and is none', () => {
  it('is accepted', () => {
    expect([tf.add(n, -(2 ** 31)).type.key, tf.add(n, 2 ** 31 - 1).type.key, tf.add(n, Infinity).type.key, tf.add(wide, 2 ** 62).type.key]).toEqual(['i32[2]', 'i32[2]', 'f64[2]', 'i64[2]']);
    expect(tf.variance(tf.zeros([0])).type.key).toBe('f64[]');
    expect(tf.sum(y, { axes: [] }).type.key).toBe('f64[2, 2]');
    expect(tf.tensor([[[1]]], {}).type.key).toBe('f64[1, 1, 1]');
  });

  it('JSON holds dtype, shape and nested values', () => {
    expect(JSON.parse(JSON.stringify({ y, mask, wide }))).toEqual({
      y: { dtype: 'float64', shape: [2, 2], data: [[1, 2], [3, 4]] },
      mask: { dtype: 'bool', shape: [2], data: [true, false] },
      wide: { dtype: 'int64', shape: [2], data: [1, 2] },
    });
    expect(thrown(() => JSON.stringify(tf.sum(x as never)))).toMatchObject({ name: 'NoSessionError' });
  });
});
