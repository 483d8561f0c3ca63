import * as core from '@tf/core';
import { type DType, dtypes, type Engine, type Operand, type Program, type TensorType, tensorType, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { createRandom, randomValues } from '../../random.ts';
import { countOf, type HostValue, hostValue } from '../../values.ts';
import type { EngineCase } from './subject.ts';

type F = (...inputs: readonly Operand[]) => unknown;

/** A program over operands of one dtype, for shapes. */
function build(dtype: DType, shapes: readonly core.Shape[], f: F): Program {
  return programOf((...inputs) => {
    const result = f(...(inputs as readonly Operand[]));
    return (Array.isArray(result) ? result : [result]) as readonly Var[];
  }, shapes.map((shape): TensorType => tensorType(dtype, shape)));
}

interface Sketch {
  readonly name: string;
  readonly shapes: readonly (readonly number[])[];
  readonly f: F;
  readonly kinds?: readonly string[];
  readonly bits?: boolean;
}

const all = ['bool', 'int', 'float', 'complex'];
const numbers = ['int', 'float', 'complex'];
const reals = ['int', 'float'];

/** Three rows, which the program computes: what follows is laid out when it runs. */
function cutRows(x: Operand | undefined): readonly unknown[] {
  const rows = core.dynamicTruncate(x as Operand, core.sub(core.size(x as Operand), 17) as Operand<core.Kind, 'int32'>, 0) as Operand;
  return [core.padToMatch(core.mul(rows, rows) as Operand, x as Operand), core.sum(core.transpose(rows), { axes: 1 }), core.size(rows)];
}

const movements: readonly Sketch[] = [
  { name: 'take as many rows as the program says', shapes: [[4, 5]], f: cutRows },
  { name: 'an input returned, and twice', shapes: [[2, 3]], f: (x) => [x, x], kinds: all },
  { name: 'a transposed input', shapes: [[2, 3, 4]], f: (x) => core.transpose(x!, [2, 0, 1]), kinds: all },
  { name: 'a transposed input reshaped', shapes: [[2, 3, 4]], f: (x) => core.reshape(core.transpose(x!) as Operand, [6, 4]), kinds: all },
  { name: 'a broadcast input', shapes: [[3, 1]], f: (x) => core.broadcastTo(x!, [2, 3, 4]), kinds: all },
  { name: 'a strided slice', shapes: [[7, 5]], f: (x) => core.slice(x!, [1, 0], [7, 5], [2, 3]), kinds: all },
  { name: 'an empty slice', shapes: [[4, 2]], f: (x) => core.slice(x!, [2, 0], [2, 2]), kinds: all },
  { name: 'pad with a value', shapes: [[2, 3], []], f: (x, v) => core.pad(x!, { low: [1, 2], high: [0, -1], interior: [2, 0], value: v! }), kinds: all },
  { name: 'pad with gaps', shapes: [[2, 3]], f: (x) => core.pad(x!, { low: [1, 2], high: [0, -1], interior: [2, 0] }), kinds: all },
  { name: 'flipped inputs', shapes: [[3, 5]], f: (x) => [core.flip(x!), core.flip(x!, 1), core.flip(core.slice(x!, [0, 1], [3, 5], [2, 2]) as Operand, 1)], kinds: all },
  { name: 'triangles by select', shapes: [[3, 5]], f: (x) => [core.tril(x!), core.triu(x!, -1)], kinds: all },
  { name: 'scatter of replacements', shapes: [[3, 4], [5, 4]], f: (x, y) => core.indexSet(x!, [2, 0, 2, -1, 0], y!, 0), kinds: all },
  { name: 'concat', shapes: [[2, 3], [2, 1], [2, 0]], f: (x, y, z) => core.concat([x!, y!, z!, x!], 1), kinds: all },
  { name: 'take', shapes: [[4, 3]], f: (x) => core.take(x!, [3, -1, 0, 0], 0), kinds: all },
  { name: 'take from a transposed input', shapes: [[4, 3]], f: (x) => core.take(core.transpose(x!) as Operand, [2, 0], 0), kinds: all },
  { name: 'an integer tensor of 130 elements', shapes: [[130]], f: (x) => core.slice(x!, [0], [130], [1]), kinds: all },
];

const arithmetic: readonly Sketch[] = [
  { name: 'flipped with plain, and take', shapes: [[4, 9], [4, 9]], f: (x, y) => [core.add(core.flip(x!, 1) as Operand, y!), core.sum(core.flip(x!) as Operand, { axes: 1 }), core.take(core.flip(x!, 0) as Operand, [0, -1], 0)] },
  { name: 'running sums and products along rows and columns', shapes: [[5, 9], [5, 9]], f: (x, y) => [core.cumsum(x!, 1), core.cumsum(core.transpose(x!) as Operand, 0), core.cumprod(x!, 0), core.cumsum(x!, 1, { reverse: true }), core.cumprod(core.flip(y!, 0) as Operand, 0, { reverse: true }), core.cumsum(core.reshape(x!, [5, 3, 3]) as Operand, 1)] },
  { name: 'running sums of one, of nothing, of many', shapes: [[1], [0, 3], [3, 0], [2, 4200]], f: (x, y, z, w) => [core.cumsum(x!), core.cumsum(y!, 0), core.cumsum(z!, 0), core.cumsum(w!, 0), core.cumsum(w!, 1)] },
  { name: 'add, sub, mul, neg', shapes: [[5], [5]], f: (x, y) => [core.add(x!, y!), core.sub(x!, y!), core.mul(x!, y!), core.neg(x!)] },
  { name: 'broadcasting both ways', shapes: [[3, 1], [1, 4]], f: (x, y) => core.mul(core.add(x!, y!) as Operand, x!) },
  { name: 'rank 0', shapes: [[], []], f: (x, y) => core.mul(core.add(x!, y!) as Operand, 2) },
  { name: 'rank 0 with a vector', shapes: [[], [9]], f: (x, y) => core.sub(x!, y!) },
  { name: 'nothing', shapes: [[0, 3], [3]], f: (x, y) => core.add(x!, y!) },
  { name: 'transposed with plain', shapes: [[4, 3], [3, 4]], f: (x, y) => core.add(core.transpose(x!) as Operand, y!) },
  { name: 'sliced with stride 2', shapes: [[9], [5]], f: (x, y) => core.mul(core.slice(x!, [0], [9], [2]) as Operand, y!) },
  { name: 'odd lengths around SIMD widths', shapes: [[17], [1]], f: (x, y) => core.add(core.mul(x!, x!) as Operand, y!) },
  { name: 'a chain that reuses memory', shapes: [[6]], f: (x) => Array.from({ length: 9 }).reduce<Operand>((y) => core.sub(core.mul(y, 2) as Operand, x!) as Operand, x!) },
  { name: 'scatter-add with repeats', shapes: [[3, 4], [5, 4]], f: (x, y) => core.indexAdd(x!, [2, 0, 2, -1, 0], y!, 0) },
];

const comparisons: readonly Sketch[] = [
  { name: 'in order, with take', shapes: [[5, 9], [3, 130], [2, 0], [1]], f: (x, y, z, w) => [core.sort(x!, 0), core.argsort(x!, 1, { descending: true }), core.sort(core.transpose(y!) as Operand, 0), core.argsort(y!, 0), core.argsort(y!, 1), core.sort(core.flip(y!, 1) as Operand, 1, { descending: true }), core.sort(z!, 1), core.sort(w!)], kinds: ['bool', ...reals] },
  { name: 'scatters of maxima and minima', shapes: [[3, 4], [5, 4]], f: (x, y) => [core.indexMax(x!, [2, 0, 2, -1, 0], y!), core.indexMin(x!, [2, 0, 2, -1, 0], y!)], kinds: ['bool', ...reals] },
  { name: 'running maxima', shapes: [[5, 9]], f: (x) => [core.cummax(x!, 0), core.cummin(x!, 1)], kinds: ['bool', ...reals] },
  { name: 'comparisons', shapes: [[7], [7]], f: (x, y) => [core.equal(x!, y!), core.less(x!, y!), core.greaterEqual(x!, y!)], kinds: ['bool', ...reals] },
  { name: 'select', shapes: [[7], [7]], f: (x, y) => core.select(core.less(x!, y!) as Operand<core.Kind, 'bool'>, x!, y!), kinds: ['bool', ...reals] },
  { name: 'maximum, minimum', shapes: [[7], [7]], f: (x, y) => [core.maximum(x!, y!), core.minimum(x!, y!)], kinds: ['bool', ...reals] },
  { name: 'abs, sign', shapes: [[7]], f: (x) => [core.abs(x!), core.sign(x!)], kinds: reals },
];

const functions: readonly Sketch[] = [
  { name: 'division', shapes: [[9], [9]], f: (x, y) => [core.div(x!, y!), core.divideOrZero(x!, y!)], kinds: ['float'] },
  { name: 'running log-sum-exp and recurrences', shapes: [[4, 9], [4, 9]], f: (x, y) => [core.cumLogSumExp(x!, 0), core.cumLogSumExp(x!, 1), core.linearRecurrence(x!, y!, 0), core.linearRecurrence(x!, y!, 1)], kinds: ['float'] },
  { name: 'square root', shapes: [[9]], f: (x) => core.sqrt(x!), kinds: ['float'] },
  { name: 'functions of the loop language', shapes: [[33]], f: (x) => Object.entries({ exp: core.exp, expm1: core.expm1, log: core.log, log1p: core.log1p, tanh: core.tanh, sin: core.sin, cos: core.cos, erf: core.erf, erfc: core.erfc, ndtr: core.ndtr, sigmoid: core.sigmoid, rsqrt: core.rsqrt }).filter(([name]) => Object.hasOwn(core.loop.functions, name)).map(([, f]) => f(x!)), kinds: ['float'] },
  { name: 'roots, inverse and hyperbolic functions', shapes: [[33]], f: (x) => [core.cbrt, core.exp2, core.log2, core.log10, core.tan, core.asin, core.acos, core.atan, core.sinh, core.cosh, core.asinh, core.acosh, core.atanh, core.erfinv].map((f) => f(x!)), kinds: ['float'] },
  { name: 'functions of two operands', shapes: [[33], [33]], f: (x, y) => [core.atan2, core.hypot, core.fmod, core.remainder, core.floorDivide].map((f) => f(x!, y!)), kinds: ['float'] },
  { name: 'rounding and classes', shapes: [[33]], f: (x) => [core.floor, core.ceil, core.round, core.trunc, core.isNan, core.isFinite, core.isInf, core.signbit].map((f) => f(x!)), kinds: ['float'] },
  { name: 'bits and integer quotients', shapes: [[9], [9]], f: (x, y) => [core.bitwiseAnd, core.bitwiseOr, core.bitwiseXor, core.leftShift, core.rightShift, core.fmod, core.remainder, core.floorDivide].map((f) => f(x!, y!)), kinds: ['int'] },
];

const complexes: readonly Sketch[] = [
  { name: 'parts, conj, modulus and sign', shapes: [[9]], f: (z) => [core.real(z!), core.imag(z!), core.conj(z!), core.abs(z!), core.sign(z!), core.complex(core.imag(z!) as Operand, core.real(z!) as Operand)], kinds: ['complex'] },
  { name: 'comparisons and select of complex numbers', shapes: [[9], [9]], f: (x, y) => [core.equal(x!, y!), core.notEqual(x!, y!), core.isFinite(x!), core.select(core.less(core.real(x!) as Operand, core.imag(y!) as Operand) as Operand<core.Kind, 'bool'>, x!, y!)], kinds: ['complex'] },
  { name: 'division of complex numbers', shapes: [[9], [9]], f: (x, y) => [core.div(x!, y!), core.divideOrZero(x!, y!), core.multiplyOrZero(x!, y!)], kinds: ['complex'] },
  { name: 'functions of complex numbers', shapes: [[17]], f: (z) => [core.exp, core.expm1, core.log, core.log1p, core.sqrt, core.rsqrt, core.sin, core.cos, core.tanh, core.sigmoid, core.asin, core.acosh, core.atanh].map((f) => f(z!)), kinds: ['complex'] },
];

const contractions: readonly Sketch[] = [
  { name: 'matmul', shapes: [[5, 7], [7, 3]], f: (x, y) => core.matmul(x!, y!), bits: false },
  { name: 'matmul of transposed operands', shapes: [[7, 5], [3, 7]], f: (x, y) => core.matmul(core.transpose(x!) as Operand, core.transpose(y!) as Operand), bits: false },
  { name: 'batched matmul', shapes: [[3, 2, 4], [4, 5]], f: (x, y) => core.matmul(x!, y!), bits: false },
  { name: 'inner product', shapes: [[33], [33]], f: (x, y) => core.matmul(x!, y!), bits: false },
  { name: 'contraction of nothing', shapes: [[2, 0], [0, 3]], f: (x, y) => core.matmul(x!, y!), bits: false },
  { name: 'matmul of flipped operands', shapes: [[5, 70], [70, 9]], f: (x, y) => core.matmul(core.flip(x!, 1) as Operand, core.flip(y!) as Operand), bits: false },
  { name: 'matmul of 1 by 1', shapes: [[1, 1], [1, 1]], f: (x, y) => core.matmul(x!, y!), bits: false },
];

const loops: readonly Sketch[] = [
  { name: 'an extent that the run decides', shapes: [[4, 3]], f: (x) => [2, 0, 9].map((k) => core.sum(core.dynamicTruncate(core.mul(x!, 2) as Operand, core.tensor(Int32Array.of(k)).reshape([]), 0) as Operand, { axes: 1 })) },
  { name: 'a scan', shapes: [[3], [4, 3]], f: (c, xs) => core.scan((s: Operand, x: Operand) => [core.add(core.mul(s, x) as Operand, s) as Operand, core.sub(s, x) as Operand] as const, c!, xs!) },
  { name: 'a scan in reverse inside a scan', shapes: [[], [3], [2]], f: (c, xs, ys) => core.scan((s: Operand, y: Operand) => [core.scan((t: Operand, x: Operand) => [core.sub(core.mul(t, x) as Operand, y) as Operand, t] as const, s, xs!, { reverse: true })[0], s] as const, c!, ys!) },
  { name: 'a scan of nothing', shapes: [[3], [0, 3]], f: (c, xs) => core.scan((s: Operand, x: Operand) => [core.mul(s, x) as Operand, s] as const, c!, xs!) },
  { name: 'carries that change places', shapes: [[2], [2], [3, 2]], f: (a, b, xs) => core.scan(([x, y]: readonly [Operand, Operand], s: Operand) => [[core.mul(y, s), core.add(x, s)] as unknown as readonly [Operand, Operand], []] as const, [a!, b!] as const, xs!)[0] },
  { name: 'branches by value in a loop', shapes: [[], [5]], f: (c, xs) => core.scan((s: Operand, x: Operand) => [core.cond(core.less(x, s) as Operand<core.Kind, 'bool'>, (a: Operand) => core.add(a, x) as Operand, (a: Operand) => core.sub(x, a) as Operand, s), s] as const, c!, xs!), kinds: reals },
  { name: 'a loop that ends by value', shapes: [[4]], f: (x) => core.whileLoop(([n]: readonly [Operand, Operand]) => core.less(n, 5), ([n, y]: readonly [Operand, Operand]) => [core.add(n, 1) as Operand, core.add(y, y) as Operand] as const, [core.tensor(Int32Array.of(0)).reshape([]) as Operand, x!] as const)[1], kinds: reals },
];

const conversions: readonly DType[] = ['bool', 'int32', 'int64', 'float32', 'float64', 'complex64', 'complex128'];

/** Values that meet edges: signed zeros, NaN and infinities among the floats, extremes among the integers. */
function edgy(dtype: DType, shape: readonly number[], seed: number): HostValue {
  const value = randomValues(dtype, shape, createRandom(seed));
  const { kind, lanes } = dtypes[dtype];
  // Shifted by the operand's seed, so that each edge meets other edges and plain numbers.
  if ((kind === 'float' || kind === 'complex') && value.data.length >= 7) [0, -0, NaN, Infinity, -Infinity, 1e-40].forEach((edge, at) => void ((value.data as Float64Array)[(at + seed) % 7] = edge));
  if (kind === 'int' && value.data.length >= 7) value.data[0] = (dtype === 'int64' ? -(2n ** 63n) : -(2 ** 31)) as never;
  return hostValue(dtype, shape, Array.from({ length: countOf(shape) * lanes }, (_, at) => value.data[at] as number | bigint));
}

function cut(sketch: Sketch, dtype: DType): EngineCase {
  const { name, shapes, f, bits = true } = sketch;
  return { name: `${dtype}: ${name}`, dtype, bits, program: build(dtype, shapes, f), inputs: shapes.map((shape, at) => (bits ? edgy(dtype, shape, at + 7) : randomValues(dtype, shape, createRandom(at + 7)))) };
}

/** Programs that together use every kind of step, for the dtypes an engine declares. */
export function engineCases({ info }: Engine): readonly EngineCase[] {
  const sketches: readonly Sketch[] = [...movements, ...arithmetic, ...comparisons, ...functions, ...complexes, ...contractions, ...loops];
  // The indices of gathers and scatters are int32.
  const indexed = info.dtypes.includes('int32');
  const cases = info.dtypes.flatMap((dtype) => sketches.filter(({ name, kinds = numbers }) => kinds.includes(dtypes[dtype].kind) && (indexed || !/take|scatter|triangle/.test(name))).filter(({ name }) => info.dtypes.includes('bool') || !/comparisons|select|maximum/.test(name)).map((sketch) => cut(sketch, dtype)));
  const converted = info.dtypes.filter((from) => conversions.includes(from)).flatMap((from) => info.dtypes.filter((to) => to !== from && conversions.includes(to)).map((to) => cut({ name: `convert to ${to}`, shapes: [[9]], f: (x) => core.cast(x!, to) }, from)));
  return [...cases, ...converted];
}

/** Sums whose value shows their order: terms of very different size. */
export function orderCases({ info }: Engine): readonly EngineCase[] {
  const counts = [0, 1, 2, 7, 8, 9, 127, 128, 129, 256, 300, 1025];
  const folds: readonly (readonly [string, (x: Operand, axes: readonly number[]) => unknown])[] = [['sum', (x, axes) => core.sum(x, { axes })], ['prod', (x, axes) => core.prod(x, { axes })]];
  return info.dtypes.filter((dtype) => dtypes[dtype].kind !== 'bool').flatMap((dtype) => folds.flatMap(([name, fold]) => [
    ...counts.map((count): EngineCase => ({ name: `${dtype}: ${name} of ${count} elements`, dtype, bits: true, program: build(dtype, [[count]], (x) => fold(x!, [0])), inputs: [wide(dtype, [count], name)] })),
    ...([[[3, 130], [1]], [[130, 3], [0]], [[5, 4, 50], [0, 2]], [[6, 0], [1]]] as const).map(([shape, axes]): EngineCase => ({ name: `${dtype}: ${name} of [${shape.join(', ')}] over [${axes.join(', ')}]`, dtype, bits: true, program: build(dtype, [shape], (x) => fold(x!, axes)), inputs: [wide(dtype, shape, name)] })),
    { name: `${dtype}: ${name} of a transposed matrix`, dtype, bits: true, program: build(dtype, [[130, 3]], (x) => fold(core.transpose(x!) as Operand, [1])), inputs: [wide(dtype, [130, 3], name)] },
  ]));
}

/** Maxima and minima, which have no rounding, but NaN and −0. */
export function extremaCases({ info }: Engine): readonly EngineCase[] {
  return info.dtypes.filter((dtype) => dtypes[dtype].kind !== 'complex').flatMap((dtype) => [1, 5, 9, 131].map((count) => cut({ name: `largest and smallest of ${count}`, shapes: [[2, count]], f: (x) => [core.reduceMax(x!, { axes: 1 }), core.reduceMin(x!, { axes: 1 })] }, dtype)));
}

function wide(dtype: DType, shape: readonly number[], fold: string): HostValue {
  const random = createRandom(99);
  const draw = fold === 'sum' ? (): number => (random() - 0.5) * 2 ** Math.floor(60 * random()) : (): number => (random() < 0.5 ? -1 : 1) * (0.9 + 0.2 * random());
  return randomValues(dtype, shape, random, draw);
}
