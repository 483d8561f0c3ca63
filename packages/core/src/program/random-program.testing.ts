/**
 * Random well-typed programs for property tests. A program is drawn as a recipe, a list of steps that pick their operation
 * and operands by number, so that fast-check shrinks it to few steps and small numbers; the recipe is then carried out by
 * a Builder through the public functions. A step whose pick does not fit (shapes, dtypes) adds nothing.
 */
import fc from 'fast-check';
import type { Atom, Catalog, Extension, Operation, Params, Program, Var } from '../contract.ts';
import { isTfError, TfError } from '../errors.ts';
import { randomBits } from '../compositions/random-bits.ts';
import { normal } from '../compositions/distributions.ts';
import { tril } from '../compositions/triangles.ts';
import { add, mul, neg, sub } from '../primitives/arithmetic.ts';
import { conj } from '../primitives/conjugate.ts';
import { bitwiseAnd, bitwiseNot, bitwiseOr, bitwiseXor, leftShift, rightShift } from '../primitives/bits.ts';
import { clamp } from '../primitives/clamp.ts';
import { isFinite, isInf, isNan, signbit } from '../primitives/classification.ts';
import { equal, greater, greaterEqual, less, lessEqual, notEqual } from '../primitives/compare.ts';
import { dotGeneral, matmul } from '../primitives/contraction.ts';
import { vectorNorm } from '../compositions/norms.ts';
import { complex, imag, real } from '../primitives/complex-parts.ts';
import { constrain } from '../primitives/constrain.ts';
import { cast, convert } from '../primitives/convert.ts';
import { checkpoint } from '../primitives/control/checkpoint.ts';
import { customJvp, customVjp } from '../primitives/control/custom.ts';
import { customVjpTangentPrimitive } from '../primitives/control/custom-primitive.ts';
import { switchCase } from '../primitives/control/cond.ts';
import { scan } from '../primitives/control/scan.ts';
import { whileLoop } from '../primitives/control/while.ts';
import { div, divideOrZero } from '../primitives/division.ts';
import { createCatalog } from '../primitives/extension.ts';
import { dynamicTruncate, padToMatch } from '../primitives/dynamic.ts';
import { maximum, minimum } from '../primitives/extrema.ts';
import { abs, angle, sign } from '../primitives/magnitude.ts';
import { exp, expm1, log, log1p, sqrt, tanh } from '../primitives/functions.ts';
import { cumLogSumExp, cummax, cummin, cumprod, cumsum, linearRecurrence } from '../primitives/cumulative.ts';
import { flip } from '../primitives/flip.ts';
import { erfinv } from '../primitives/erfinv.ts';
import { digamma, lgamma, polygamma } from '../primitives/gamma.ts';
import { acosh, asinh, atanh, cosh, sinh } from '../primitives/hyperbolic.ts';
import { exp2, log10, log2, logAddExp } from '../primitives/logarithms.ts';
import { indexAdd, scatterAdd, take, takeAlongAxis } from '../primitives/indexing.ts';
import { logicalAnd, logicalNot, logicalOr, logicalXor } from '../primitives/logic.ts';
import { broadcastTo, identityOperation, reshape, transpose } from '../primitives/movement.ts';
import { multiplyOrZero } from '../primitives/multiply-or-zero.ts';
import { pow } from '../primitives/power.ts';
import { prod } from '../primitives/product.ts';
import { reduceMax, reduceMin, sum } from '../primitives/reduce.ts';
import { floorDivide, fmod, remainder } from '../primitives/remainders.ts';
import { cbrt, hypot } from '../primitives/roots.ts';
import { ceil, floor, round, trunc } from '../primitives/rounding.ts';
import { select } from '../primitives/select.ts';
import { shapeOf, size } from '../primitives/size.ts';
import { scatterMax, scatterMin, scatterSet } from '../primitives/scatter.ts';
import { argsort, sort } from '../primitives/sort.ts';
import { concat, pad, slice, sliceAdd } from '../primitives/slicing.ts';
import { cos, erf, erfc, ndtr, rsqrt, sigmoid, sin, softplus } from '../primitives/special.ts';
import { acos, asin, atan, atan2, tan } from '../primitives/trigonometric.ts';
import { barrier, stopGradient } from '../primitives/stop-gradient.ts';
import { full, tensor } from '../tensor/create.ts';
import { randomKey } from '../tensor/random-key.ts';
import { type Dim, isKnown, mulDims, symbolicDim } from '../types/dim.ts';
import { allocate, type DType, dtypes } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import type { DimConstraint } from '../types/shape.ts';
import { type TensorType, tensorType } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { printProgram } from './print.ts';

/** An operation whose parameter is a program, so that regions are exercised: it does what the program does. */
export const callOperation: Operation = {
  id: 'acme.test.call', family: 'acme.test', name: 'call', traits: {},
  infer: (_inputs, params) => (params['body'] as Program).outputs.map((output) => output.type),
};

export const testExtension: Extension = {
  contract: 1, family: 'acme.test', package: '@acme/test', version: '1.0.0', operations: [callOperation],
  rules: { call: { kind: 'none', reason: 'it is there to be printed and read' } },
};

export const testCatalog: Catalog = createCatalog([testExtension]);

export interface RandomProgramOptions {
  readonly dtypes?: readonly DType[];
  /** Names of steps that may be drawn; all when absent. */
  readonly steps?: readonly StepName[];
  readonly maximumSteps?: number;
  readonly maximumInputs?: number;
  /** Whether inputs may have symbolic extents. */
  readonly symbolic?: boolean;
  /** Whether large constants may be bound. */
  readonly bound?: boolean;
}

/** Where a step finds its operands: any value so far, by number. */
interface Picks {
  readonly builder: Builder;
  readonly x: Var;
  readonly y: Var;
  readonly z: Var;
  /** Small numbers that steer axes, shapes and constants. */
  readonly n: number;
  readonly m: number;
  readonly constant: number;
  readonly dtype: DType;
}

type Step = (picks: Picks) => Operand | readonly Operand[];

const axisOf = ({ x, n }: Picks): number => (x.type.shape.length === 0 ? 0 : n % x.type.shape.length);
const axesOf = ({ x, n }: Picks): readonly number[] => x.type.shape.flatMap((_, axis) => ((n >> axis) % 2 === 1 ? [axis] : []));
const options = (picks: Picks): { readonly axes: readonly number[]; readonly keepdims: boolean } => ({ axes: axesOf(picks), keepdims: picks.m % 2 === 1 });
const truth = (x: Var): Operand<never, 'bool'> => (x.type.dtype === 'bool' ? x : notEqual(x, 0)) as never;
/** A rule of one argument that hands its cotangent on, for any type. */
function secondOf({ type }: Var): Params {
  const builder = new Builder();
  builder.input(type);
  const program = builder.build([builder.input(type)]);
  return { rule: program, body: program, primals: 1 };
}

/** The extent where it is known; of a symbolic axis only the first place is used. */
const extent = (dim: Dim | undefined): number => (dim === undefined || !isKnown(dim) ? 1 : dim);

/** Places along an axis of this extent. */
function integers(count: number, rows: number): number[] {
  if (rows === 0 && count > 0) throw new TfError('IndexError', 'an empty axis has no places');
  return Array.from({ length: count }, (_, at) => (at * 7) % rows);
}

/** Rotates the axes by n. */
function rotate({ x, n }: Picks): Operand {
  const axes = x.type.shape.map((_, axis) => axis);
  return transpose(x, axes.map((axis) => (axis + n) % axes.length));
}

function cut(picks: Picks): Operand {
  const { x, n, m } = picks;
  const start = x.type.shape.map((dim, axis) => (isKnown(dim) ? Math.min(dim, (n >> axis) % 2) : 0));
  const step = x.type.shape.map((dim, axis) => (isKnown(dim) ? 1 + ((m >> axis) % 2) : 1));
  return slice(x, start, x.type.shape, step);
}

/** Adds a part of y's box to x, from x's first or second places on. */
function addBox({ x, y, n }: Picks): Operand {
  const start = x.type.shape.map((dim, axis) => (isKnown(dim) ? Math.min(dim, (n >> axis) % 2) : 0));
  const stop = y.type.shape.map((dim, axis) => (isKnown(dim) ? Math.min(dim, extent(x.type.shape[axis]) - (start[axis] ?? 0)) : 0));
  return sliceAdd(x, start, slice(y, y.type.shape.map(() => 0), stop));
}

function widen({ x, y, n, m }: Picks): Operand {
  const amount = (by: number): number[] => x.type.shape.map((_, axis) => ((by >> axis) % 4) - 1);
  return pad(x, { low: amount(n), high: amount(m), interior: x.type.shape.map((dim, axis) => (isKnown(dim) ? (m >> axis) % 2 : 0)), value: y.type.shape.length === 0 && y.type.dtype === x.type.dtype ? y : n % 3 === 0 ? 0 : n / 4 });
}

function gather(picks: Picks): Operand {
  return take(picks.x, integers(picks.m % 4, extent(picks.x.type.shape[axisOf(picks)])), axisOf(picks));
}

function gatherAlong({ x, n }: Picks): Operand {
  const axis = x.type.shape.length - 1;
  const shape = x.type.shape.map((dim, at) => (at === axis ? 1 + (n % 3) : extent(dim)));
  const count = shape.reduce((product, size) => product * size, 1);
  return takeAlongAxis(x, tensor(Int32Array.from(integers(count, extent(x.type.shape[axis]))), { shape }), axis);
}

function scatter(picks: Picks): Operand {
  const axis = axisOf(picks);
  const places = integers(1 + (picks.m % 3), extent(picks.x.type.shape[axis]));
  const updates = full(picks.x.type.shape.map((dim, at) => (at === axis ? places.length : extent(dim))), picks.constant, { dtype: picks.x.type.dtype === 'bool' ? 'int32' : 'float64' });
  return picks.n % 2 === 0 ? indexAdd(picks.x, places, convert(updates, picks.x.type.dtype) as never, axis) : scatterAdd(picks.x, tensor(new Int32Array(places.length)), updates as never, axis);
}

/** Meets the first places of x, in the shape of x, with a part of y. */
function replace(f: typeof scatterSet): Step {
  return (picks) => {
    const { x, y } = picks;
    const shape = x.type.shape.map((dim) => extent(dim));
    const count = shape.reduce((product, size) => product * size, 1);
    return f(x, tensor(Int32Array.from(integers(count, extent(shape[axisOf(picks)]))), { shape }), broadcastTo(convert(y, x.type.dtype), shape) as Operand, axisOf(picks));
  };
}

function contract({ x, y }: Picks): Operand {
  const pairs: [number, number][] = [];
  x.type.shape.forEach((dim, axis) => {
    const at = y.type.shape.findIndex((other, index) => other === dim && !pairs.some(([, used]) => used === index));
    if (at >= 0 && pairs.length < 2) pairs.push([axis, at]);
  });
  const [first, second] = pairs;
  return dotGeneral(x, y, { ...(first === undefined ? {} : { lhsContract: [first[0]], rhsContract: [first[1]] }), ...(second === undefined ? {} : { lhsBatch: [second[0]], rhsBatch: [second[1]] }) });
}

/** A carry of one row's type over the rows of x. */
function scanRows({ x, n, constant }: Picks): readonly Operand[] {
  const start = reshape(slice(x, x.type.shape.map(() => 0), [1, ...x.type.shape.slice(1)]), x.type.shape.slice(1));
  return scan((s: Operand, row: Operand) => [add(mul(s, row), constant > 0 ? row : s) as Operand, s] as const, start as Operand, x as Operand, { reverse: n % 2 === 1 });
}

/** x + x, `times` times. */
function doubled(x: Var, times: number): Operand {
  return whileLoop(([i]: readonly [Operand, Operand]) => less(i, times), ([i, y]: readonly [Operand, Operand]) => [add(i, 1) as Operand, add(y, y) as Operand] as const, [tensor(Int32Array.of(0)).reshape([]), x] as readonly [Operand, Operand])[1];
}

/** As many rows of x as z has true entries, among zeros or added up: sizes that a run decides stay within the step. */
function truncate(picks: Picks): Operand {
  const { x, z, m } = picks;
  const axis = axisOf(picks);
  const rows = dynamicTruncate(x, sum(convert(truth(z), 'int32')) as Operand<never, 'int32'>, axis) as Operand;
  return m % 2 === 0 || x.type.dtype === 'bool' ? padToMatch(rows, x, axis) : sum(rows, { axes: axis });
}

/** A region: x·c + x as a program of its own. */
function call({ builder, x, constant }: Picks): readonly Operand[] {
  const inner = new Builder();
  const own = inner.input(x.type, 'captured');
  const body = inner.build([add(mul(own, constant), own) as Atom, own]);
  return builder.emit(callOperation, [x], { body, list: [body, 1, null, [true, 'text "quoted"']], dim: symbolicDim('n') });
}

/** Every kind of step. Names of steps are names of operations, or say what they do with one. */
export const steps = {
  add: ({ x, y }) => add(x, y), sub: ({ x, y }) => sub(x, y), mul: ({ x, y }) => mul(x, y), div: ({ x, y }) => div(x, y), divideOrZero: ({ x, y }) => divideOrZero(x, y), multiplyOrZero: ({ x, y }) => multiplyOrZero(x, y),
  addConstant: ({ x, constant }) => add(x, constant), mulConstant: ({ x, constant }) => mul(constant, x), subFrom: ({ x, constant }) => sub(constant, x),
  neg: ({ x }) => neg(x), conj: ({ x }) => conj(x), real: ({ x }) => real(x), imag: ({ x }) => imag(x), complex: ({ x, y }) => complex(x, y), cast: ({ x, dtype }) => cast(x, dtype), abs: ({ x }) => abs(x), angle: ({ x }) => angle(x), sign: ({ x }) => sign(x),
  maximum: ({ x, y }) => maximum(x, y), minimum: ({ x, y }) => minimum(x, y), pow: ({ x, y }) => pow(x, y), square: ({ x }) => pow(x, 2),
  exp: ({ x }) => exp(x), expm1: ({ x }) => expm1(x), log: ({ x }) => log(x), log1p: ({ x }) => log1p(x), sqrt: ({ x }) => sqrt(x), rsqrt: ({ x }) => rsqrt(x), tanh: ({ x }) => tanh(x),
  sin: ({ x }) => sin(x), cos: ({ x }) => cos(x), erf: ({ x }) => erf(x), erfc: ({ x }) => erfc(x), ndtr: ({ x }) => ndtr(x), sigmoid: ({ x }) => sigmoid(x), softplus: ({ x }) => softplus(x),
  lgamma: ({ x }) => lgamma(x), digamma: ({ x }) => digamma(x), polygamma: ({ x, n }) => polygamma(1 + (n % 3), x), erfinv: ({ x }) => erfinv(x),
  tan: ({ x }) => tan(x), asin: ({ x }) => asin(x), acos: ({ x }) => acos(x), atan: ({ x }) => atan(x), atan2: ({ x, y }) => atan2(x, y), sinh: ({ x }) => sinh(x), cosh: ({ x }) => cosh(x), asinh: ({ x }) => asinh(x), acosh: ({ x }) => acosh(x), atanh: ({ x }) => atanh(x),
  exp2: ({ x }) => exp2(x), log2: ({ x }) => log2(x), log10: ({ x }) => log10(x), logAddExp: ({ x, y }) => logAddExp(x, y), cbrt: ({ x }) => cbrt(x), hypot: ({ x, y }) => hypot(x, y), fmod: ({ x, y }) => fmod(x, y), remainder: ({ x, constant }) => remainder(x, constant), floorDivide: ({ x, y }) => floorDivide(x, y),
  randomBits: ({ x, n }) => bitwiseXor(x, randomBits(randomKey(n), x.type.shape)), normal: ({ x, n }) => mul(x, normal(randomKey(n), x.type.shape, { dtype: n % 2 === 0 ? 'float32' : 'float64' })),
  floor: ({ x }) => floor(x), ceil: ({ x }) => ceil(x), round: ({ x }) => round(x), trunc: ({ x }) => trunc(x), clampMin: ({ x, y }) => clamp(x, y), clampMax: ({ x, constant }) => clamp(x, undefined, constant),
  isNan: ({ x }) => isNan(x), isFinite: ({ x }) => isFinite(x), isInf: ({ x }) => isInf(x), signbit: ({ x }) => signbit(x),
  logicalAnd: ({ x, y }) => logicalAnd(truth(x), truth(y)), logicalOr: ({ x, y }) => logicalOr(x, truth(y)), logicalXor: ({ x, y }) => logicalXor(truth(x), y), logicalNot: ({ x }) => logicalNot(x),
  bitwiseAnd: ({ x, y }) => bitwiseAnd(x, y), bitwiseOr: ({ x, y }) => bitwiseOr(x, y), bitwiseXor: ({ x, y }) => bitwiseXor(x, y), bitwiseNot: ({ x }) => bitwiseNot(x), leftShift: ({ x, y }) => leftShift(x, y), rightShift: ({ x, n }) => rightShift(x, n),
  equal: ({ x, y }) => equal(x, y), notEqual: ({ x, y }) => notEqual(x, y), less: ({ x, y }) => less(x, y), lessEqual: ({ x, y }) => lessEqual(x, y), greater: ({ x, y }) => greater(x, y), greaterEqual: ({ x, y }) => greaterEqual(x, y),
  select: ({ x, y, z }) => select(truth(z), x, y), selectConstant: ({ x, z, constant }) => select(truth(z), constant, x),
  convert: ({ x, dtype }) => convert(x, dtype), stopGradient: ({ x }) => stopGradient(x), barrier: ({ x }) => barrier(x), identity: ({ builder, x }) => builder.emit(identityOperation, [x], {}),
  constrain: ({ x }) => constrain(x, [{ left: 1, right: 1, reason: 'test: "one"' }, ...x.type.shape.map((dim): DimConstraint => ({ left: dim, right: mulDims(dim, dim), relation: 'atMost', reason: 'test: squares' }))]),
  flatten: ({ x }) => reshape(x, [-1]), unsqueeze: ({ x }) => reshape(x, [1, ...x.type.shape, 1]), broadcast: ({ x, n }) => broadcastTo(x, [n % 3, ...x.type.shape]), broadcastLike: ({ x, y }) => broadcastTo(x, y.type.shape), rotate,
  cumsum: (picks) => cumsum(picks.x, axisOf(picks), { reverse: picks.m % 2 === 1 }), cumprod: (picks) => cumprod(picks.x, axisOf(picks)), cummax: (picks) => cummax(picks.x, axisOf(picks)), cummin: (picks) => cummin(picks.x, axisOf(picks), { reverse: picks.m % 2 === 1 }), cumLogSumExp: (picks) => cumLogSumExp(picks.x, axisOf(picks)), linearRecurrence: (picks) => linearRecurrence(picks.x, picks.y, axisOf(picks)),
  scatterSet: replace(scatterSet), scatterMax: replace(scatterMax), scatterMin: replace(scatterMin),
  sort: (picks) => sort(picks.x, axisOf(picks), { descending: picks.m % 2 === 1 }), argsort: (picks) => argsort(picks.x, axisOf(picks)),
  vectorNorm: (picks) => vectorNorm(picks.x, { axes: axesOf(picks) }), flip: (picks) => flip(picks.x, axesOf(picks)), tril: ({ x, n }) => tril(x, (n % 5) - 2),
  slice: cut, pad: widen, sliceAdd: addBox, concat: (picks) => concat([picks.x, picks.y, picks.x], axisOf(picks)), take: gather, takeAlongAxis: gatherAlong, scatterAdd: scatter,
  sum: (picks) => sum(picks.x, options(picks)), reduceMax: (picks) => reduceMax(picks.x, options(picks)), reduceMin: (picks) => reduceMin(picks.x, options(picks)), prod: (picks) => prod(picks.x, options(picks)),
  matmul: ({ x, y }) => matmul(x, y), dot: contract, dynamicTruncate: truncate, size: ({ x }) => size(x), shapeOf: (picks) => shapeOf(picks.x, axisOf(picks)),
  scan: scanRows, branch: ({ x, y, n }) => switchCase(tensor(Int32Array.of(n % 4 - 1)).reshape([]), [(a: Operand) => neg(a), (a: Operand) => mul(a, a)], add(x, mul(y, 0))) as never, while: ({ x, n }) => doubled(x, n % 4), checkpoint: ({ x, y }) => checkpoint((a: Operand) => add(mul(a, y), x))(x) as never,
  customVjp: ({ x, y }) => customVjp((a: Operand) => mul(a, y) as Operand, { vjp: () => [undefined] })(x) as never, customJvp: ({ x, y }) => customJvp((a: Operand) => mul(a, y) as Operand, { jvp: () => undefined })(x) as never, customVjpTangent: ({ builder, x }) => builder.emit(customVjpTangentPrimitive.operation, [x, x], secondOf(x)),
  addTensor: ({ x, constant }) => add(x, tensor([constant, 2, -0])), bind: ({ x, n, dtype }) => add(x, tensor(allocate(dtype, 65 + n) as never, { dtype, shape: [65 + n, 1, 1] })),
  call,
} satisfies Record<string, Step>;

export type StepName = keyof typeof steps;
export const stepNames: readonly StepName[] = Object.keys(steps) as StepName[];

/** A drawn step: positions, and small numbers to steer it. */
interface Draw {
  readonly step: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly n: number;
  readonly m: number;
  readonly constant: number;
  readonly dtype: number;
}

interface InputDraw {
  readonly dtype: number;
  readonly shape: readonly number[];
  readonly name: string | undefined;
}

const small = fc.nat({ max: 15 });
const place = fc.nat({ max: 1000 });
const constant = fc.constantFrom(0, 1, 2, 0.5, -1.5, -0, 1e-30, 1e30, NaN, Infinity, -Infinity);
const drawStep: fc.Arbitrary<Draw> = fc.record({ step: place, x: place, y: place, z: place, n: small, m: small, constant, dtype: small });
/** Extents 0 to 3; 4 and 5 stand for symbols. */
const drawInput = (symbolic: boolean): fc.Arbitrary<InputDraw> =>
  fc.record({ dtype: small, shape: fc.array(fc.nat({ max: symbolic ? 5 : 3 }), { maxLength: 3 }), name: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }) });

const symbols: readonly Dim[] = [symbolicDim('n'), symbolicDim("m'")];

function inputType({ dtype, shape }: InputDraw, allowed: readonly DType[]): TensorType {
  return tensorType(allowed[dtype % allowed.length] as DType, shape.map((size) => (size < 4 ? size : (symbols[size - 4] as Dim))));
}

/** Well-typed programs over the operations of core. */
export function randomProgram(given: RandomProgramOptions = {}): fc.Arbitrary<Program> {
  const allowed = given.dtypes ?? (Object.keys(dtypes) as DType[]);
  const names = given.steps ?? stepNames.filter((name) => name !== 'bind' || given.bound === true);
  const inputs = fc.array(drawInput(given.symbolic === true), { minLength: 1, maxLength: given.maximumInputs ?? 3 });
  const draws = fc.array(drawStep, { maxLength: given.maximumSteps ?? 12, size: 'max' });
  const outputs = fc.array(place, { minLength: 1, maxLength: 3 });
  return fc.tuple(inputs, draws, outputs).map(([ins, list, outs]) => carryOut(ins, list, outs, names, allowed));
}

function carryOut(inputs: readonly InputDraw[], draws: readonly Draw[], outputs: readonly number[], names: readonly StepName[], allowed: readonly DType[]): Program {
  const builder = new Builder();
  const values: Var[] = inputs.map((draw) => builder.input(inputType(draw, allowed), draw.name));
  const at = (index: number): Var => values[values.length - 1 - (index % values.length)] as Var;
  for (const draw of draws) {
    const picks: Picks = { builder, x: at(draw.x), y: at(draw.y), z: at(draw.z), n: draw.n, m: draw.m, constant: draw.constant, dtype: allowed[draw.dtype % allowed.length] as DType };
    values.push(...attempt(steps[names[draw.step % names.length] as StepName] as Step, picks));
  }
  return readable(builder.build(outputs.map((index) => (index % 11 === 10 ? builder.literal(tensorType('float64', []), Float64Array.of(-0)) : at(index)))));
}

/** Lets fast-check show a counterexample as text. */
function readable(program: Program): Program {
  return Object.defineProperty({ ...program }, fc.toStringMethod, { value: () => `\n${printProgram(program)}\n` });
}

/** What a step adds; nothing where its operands do not fit. */
function attempt(step: Step, picks: Picks): readonly Var[] {
  try {
    const made = step(picks);
    return (Array.isArray(made) ? made : [made]) as readonly Var[];
  } catch (error) {
    if (isTfError(error) && error.kind === 'user') return [];
    throw error;
  }
}

/** How many programs used each step's operations: a generator that draws nothing proves nothing. */
export function operationCounts(programs: readonly Program[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const program of programs) {
    for (const id of new Set(program.instructions.map(({ operation }) => operation.id))) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

