/**
 * A tiny evaluator of programs for tests of transforms: values are float64 (or what the dtype says), operations are known
 * by their traits alone, loops are plain, and functions come from `Math` or a series, so that nothing under test takes part.
 */
import type { ContractionAxes, Control, IndexedAxes, Instruction, Literal, Program, ScatterAxes, Sort, Traits, Var } from '../contract.ts';
import { rewriteNodes } from '../loop/order.ts';
import { evaluateScalar } from '../loop/evaluate.ts';
import { argument, type ScalarValue } from '../loop/scalar.ts';
import { loweredProgram } from '../program/lowering.ts';
import { replayProgram } from '../program/walk.ts';
import { type Dim, evaluateDim } from '../types/dim.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { Assembly, IndexMap, MonoidName, ScalarExpr, Scan } from '../types/loop-language.ts';

/** A value at hand: complex ones interleaved, booleans 0 and 1, int64 as numbers. */
export interface Value {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** Filled as extents are decided. */
type Binding = Map<string, number>;
type Index = readonly number[];

const lanesOf = (dtype: DType): number => dtypes[dtype].lanes;
export const countOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** All multi-indices of a shape in row-major order. */
function indices(shape: readonly number[]): readonly Index[] {
  let list: readonly Index[] = [[]];
  for (const size of shape) list = list.flatMap((index) => Array.from({ length: size }, (_, at) => [...index, at]));
  return list;
}

function offset(shape: readonly number[], index: Index): number {
  return shape.reduce((sum, size, axis) => sum * size + (index[axis] as number), 0);
}

function elementOf(value: Value, index: Index): readonly number[] {
  const lanes = lanesOf(value.dtype);
  const at = offset(value.shape, index) * lanes;
  return value.data.slice(at, at + lanes);
}

/** The element that broadcasting puts at this index of a larger shape. */
function broadcastElement(value: Value, index: Index): readonly number[] {
  const lead = index.length - value.shape.length;
  return elementOf(value, value.shape.map((size, axis) => (size === 1 ? 0 : (index[lead + axis] as number))));
}

// ---------------------------------------------------------------- functions

/** erf by its Maclaurin series (Abramowitz and Stegun 7.1.6), erfc by its continued fraction (7.1.14) where that converges. */
function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x < 2) return 1 - erfSeries(x);
  let tail = x;
  for (let k = 120; k >= 1; k--) tail = x + k / 2 / tail;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail);
}

function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 80; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Stirling's series and its derivative (Abramowitz and Stegun 6.1.41, 6.3.18) at x + n ≥ 20, brought back; also below 0, as far as that reaches. */
function lgamma(x: number): number {
  let product = 1;
  let y = x;
  for (; y < 20; y++) product *= y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / y / y) / y / y) / y / y) / y - Math.log(Math.abs(product));
}

function digamma(x: number): number {
  let sum = 0;
  let y = x;
  for (; y < 20; y++) sum += 1 / y;
  return Math.log(y) - 0.5 / y - (1 / 12 - (1 / 120 - (1 / 252 - 1 / 240 / y / y) / y / y) / y / y) / y / y - sum;
}

/** Bisection: erf is known from above. */
function erfinv(y: number): number {
  let [low, high] = [-6, 6];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (functions['erf']!(middle) < y) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const functions: { readonly [name: string]: (...args: readonly number[]) => number } = {
  exp: (x) => Math.exp(x!), expm1: (x) => Math.expm1(x!), log: (x) => Math.log(x!), log1p: (x) => Math.log1p(x!), tanh: (x) => Math.tanh(x!), sin: (x) => Math.sin(x!), cos: (x) => Math.cos(x!),
  erf: (x) => (Math.abs(x!) < 2 ? erfSeries(x!) : Math.sign(x!) * (1 - erfc(Math.abs(x!)))), erfc: (x) => erfc(x!), ndtr: (x) => erfc(-x! * Math.SQRT1_2) / 2, sigmoid: (x) => 1 / (1 + Math.exp(-x!)), rsqrt: (x) => 1 / Math.sqrt(x!), pow: (x, y) => x! ** y!,
  tan: (x) => Math.tan(x!), asin: (x) => Math.asin(x!), acos: (x) => Math.acos(x!), atan: (x) => Math.atan(x!), atan2: (y, x) => Math.atan2(y!, x!), sinh: (x) => Math.sinh(x!), cosh: (x) => Math.cosh(x!), asinh: (x) => Math.asinh(x!), acosh: (x) => Math.acosh(x!), atanh: (x) => Math.atanh(x!),
  exp2: (x) => 2 ** x!, log2: (x) => Math.log2(x!), log10: (x) => Math.log10(x!), logAddExp: (x, y) => Math.max(x!, y!) + Math.log1p(Math.exp(-Math.abs(x! - y!))), cbrt: (x) => Math.cbrt(x!), hypot: (x, y) => Math.hypot(x!, y!), lgamma: (x) => lgamma(x!), digamma: (x) => digamma(x!), erfinv: (x) => erfinv(x!), fmod: (x, y) => x! % y!, remainder: (x, y) => x! - y! * Math.floor(x! / y!),
};

/** Arguments from here on stand for calls, which are evaluated apart. */
const firstCall = 1000;

interface Prepared {
  readonly exprs: readonly ScalarExpr[];
  readonly calls: readonly { readonly name: string; readonly args: readonly ScalarExpr[] }[];
}

function prepare(exprs: readonly ScalarExpr[]): Prepared {
  const calls: { name: string; args: readonly ScalarExpr[] }[] = [];
  return { exprs: rewriteNodes(exprs, (node) => (node.op === 'call' ? argument(node.type, firstCall + calls.push(node) - 1) : node)), calls };
}

function evaluatePrepared({ exprs, calls }: Prepared, elements: readonly (readonly number[])[]): readonly number[] {
  const read = (input: number, lane: 0 | 1): ScalarValue => {
    const call = calls[input - firstCall];
    if (call === undefined) return (elements[input] as readonly number[])[lane] as number;
    return (functions[call.name] as (typeof functions)[string])(...call.args.map((arg) => Number(evaluateScalar(arg, read))));
  };
  return exprs.map((expr) => Number(evaluateScalar(expr, read)));
}

// ---------------------------------------------------------------- operations by trait

function elementwise(exprs: readonly ScalarExpr[], inputs: readonly Value[], outputs: readonly Value[]): readonly Value[] {
  const prepared = prepare(exprs);
  const data = outputs.map((): number[] => []);
  for (const index of indices((outputs[0] as Value).shape)) {
    const results = [...evaluatePrepared(prepared, inputs.map((input) => broadcastElement(input, index)))];
    outputs.forEach((output, at) => (data[at] as number[]).push(...results.splice(0, lanesOf(output.dtype))));
  }
  return outputs.map((output, at) => ({ ...output, data: data[at] as number[] }));
}

/** Result after result along the axis. */
function scanned({ axis, reverse, first, next }: Scan, inputs: readonly Value[], output: Value): Value {
  const bodies = [prepare(first), prepare(next)] as const;
  const lanes = lanesOf(output.dtype);
  const data = new Array<number>(countOf(output.shape) * lanes).fill(0);
  const order = [...indices(output.shape)].sort((a, b) => (reverse ? b[axis]! - a[axis]! : a[axis]! - b[axis]!));
  const start = reverse ? (output.shape[axis] as number) - 1 : 0;
  for (const index of order) {
    const own = inputs.map((input) => elementOf(input, index));
    const at = offset(output.shape, index) * lanes;
    const before = offset(output.shape, index.map((place, dim) => (dim === axis ? place + (reverse ? 1 : -1) : place))) * lanes;
    const results = index[axis] === start ? evaluatePrepared(bodies[0], own) : evaluatePrepared(bodies[1], [...own, data.slice(before, before + lanes)]);
    results.forEach((value, lane) => (data[at + lane] = value));
  }
  return { ...output, data };
}

/** The elements of each line in order, and where they were: NaN is the largest. */
function sorted({ axis, descending }: Sort, x: Value, outputs: readonly Value[]): readonly Value[] {
  const [values, places] = [[...x.data], [...x.data]];
  const precedes = (a: number, b: number): number => (Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a < b ? -1 : a > b ? 1 : 0);
  for (const start of indices(x.shape).filter((index) => index[axis] === 0)) {
    const at = (place: number): number => offset(x.shape, start.map((own, dim) => (dim === axis ? place : own)));
    const order = Array.from({ length: x.shape[axis] as number }, (_, place) => place).sort((a, b) => (descending ? -1 : 1) * precedes(x.data[at(a)]!, x.data[at(b)]!));
    order.forEach((place, to) => {
      values[at(to)] = x.data[at(place)]!;
      places[at(to)] = place;
    });
  }
  return [{ ...outputs[0]!, data: values }, { ...outputs[1]!, data: places }];
}

type Complex = readonly number[];
const product = (a: Complex, b: Complex): Complex => (a.length === 1 ? [a[0]! * b[0]!] : [a[0]! * b[0]! - a[1]! * b[1]!, a[0]! * b[1]! + a[1]! * b[0]!]);
const total = (a: Complex, b: Complex): Complex => a.map((part, lane) => part + b[lane]!);

const monoids: { readonly [M in MonoidName]: { readonly start: number; readonly combine: (a: Complex, b: Complex) => Complex } } = {
  sum: { start: 0, combine: total },
  prod: { start: 1, combine: product },
  max: { start: -Infinity, combine: (a, b) => [Math.max(a[0]!, b[0]!)] },
  min: { start: Infinity, combine: (a, b) => [Math.min(a[0]!, b[0]!)] },
};

function reduce(monoid: MonoidName, axes: readonly number[], keepdims: boolean, input: Value, output: Value): Value {
  const { start, combine } = monoids[monoid];
  const zero = lanesOf(output.dtype) === 2 ? [start, 0] : [start];
  const folded: Complex[] = Array.from({ length: countOf(output.shape) }, () => zero);
  for (const index of indices(input.shape)) {
    const kept = keepdims ? index.map((at, axis) => (axes.includes(axis) ? 0 : at)) : index.filter((_, axis) => !axes.includes(axis));
    const at = offset(output.shape, kept);
    folded[at] = combine(folded[at] as Complex, elementOf(input, index));
  }
  return { ...output, data: folded.flat() };
}

function rearrange(map: IndexMap, input: Value, output: Value, known: (dim: Dim) => number): Value {
  if (map.kind === 'reshape') return { ...output, data: input.data };
  const data = indices(output.shape).flatMap((index) => {
    const source = new Array<number>(input.shape.length).fill(0);
    map.axes.forEach((axis, at) => {
      for (const own of typeof axis === 'number' ? [axis] : (axis ?? [])) source[own] = known(map.start?.[at] ?? 0) + (index[at] as number) * (map.step?.[at] ?? 1);
    });
    return elementOf(input, source);
  });
  return { ...output, data };
}

function assemble({ fill = 0, pieces }: Assembly, inputs: readonly Value[], output: Value, known: (dim: Dim) => number): Value {
  const lanes = lanesOf(output.dtype);
  const element = typeof fill === 'number' ? [fill, 0] : (inputs[fill.input] as Value).data;
  const data = Array.from({ length: countOf(output.shape) * lanes }, (_, at) => element[at % lanes] as number);
  for (const { input, from, extents, at, step } of pieces) {
    for (const index of indices(extents.map(known))) {
      const target = offset(output.shape, index.map((place, axis) => known(at[axis] as Dim) + place * (step[axis] as number))) * lanes;
      elementOf(inputs[input] as Value, index.map((place, axis) => known(from[axis] as Dim) + place)).forEach((part, lane) => {
        data[target + lane] = part;
      });
    }
  }
  return { ...output, data };
}

function contract({ lhsContract, rhsContract, lhsBatch, rhsBatch }: ContractionAxes, lhs: Value, rhs: Value, output: Value): Value {
  const free = (value: Value, ...taken: readonly (readonly number[])[]): readonly number[] => value.shape.flatMap((_, axis) => (taken.some((axes) => axes.includes(axis)) ? [] : [axis]));
  const [lhsFree, rhsFree] = [free(lhs, lhsContract, lhsBatch), free(rhs, rhsContract, rhsBatch)];
  const place = (value: Value, pairs: readonly (readonly [readonly number[], Index])[]): readonly number[] => {
    const index = new Array<number>(value.shape.length).fill(0);
    for (const [axes, at] of pairs) axes.forEach((axis, k) => (index[axis] = at[k] as number));
    return elementOf(value, index);
  };
  const inner = indices(lhsContract.map((axis) => lhs.shape[axis] as number));
  const data = indices(output.shape).flatMap((index) => {
    const batch = index.slice(0, lhsBatch.length);
    const left = index.slice(lhsBatch.length, lhsBatch.length + lhsFree.length);
    const right = index.slice(lhsBatch.length + lhsFree.length);
    let sum: Complex = new Array<number>(lanesOf(output.dtype)).fill(0);
    for (const k of inner) sum = total(sum, product(place(lhs, [[lhsBatch, batch], [lhsFree, left], [lhsContract, k]]), place(rhs, [[rhsBatch, batch], [rhsFree, right], [rhsContract, k]])));
    return sum;
  });
  return { ...output, data };
}

/** Where an iteration index points in the indexed tensor. */
function indexedPlace({ axis, walks, indexedBy }: IndexedAxes, index: Index, places: Value, rows: number): Index {
  const row: number[] = [];
  const source: number[] = [];
  index.forEach((at, iteration) => {
    const [walk, by] = [walks[iteration], indexedBy[iteration]];
    if (typeof by === 'number') row[by] = at;
    if (typeof walk === 'number') source[walk] = at;
  });
  const [named] = elementOf(places, row) as readonly [number];
  source[axis] = named < 0 ? named + rows : named;
  return source;
}

function scatter(axes: ScatterAxes, target: Value, places: Value, updates: Value, output: Value): Value {
  const data = [...target.data];
  const lanes = lanesOf(target.dtype);
  for (const index of indices(updates.shape)) {
    const at = offset(target.shape, indexedPlace(axes, index, places, target.shape[axes.axis] as number)) * lanes;
    const met = { add: (a: number, b: number) => a + b, set: (_: number, b: number) => b, max: Math.max, min: Math.min }[axes.combine];
    elementOf(updates, index).forEach((part, lane) => (data[at + lane] = met(data[at + lane]!, part)));
  }
  return { ...output, data };
}

function addBox({ start, step }: { readonly start: readonly Dim[]; readonly step: readonly number[] }, target: Value, updates: Value, output: Value): Value {
  const data = [...target.data];
  const lanes = lanesOf(target.dtype);
  for (const index of indices(updates.shape)) {
    const at = offset(target.shape, index.map((place, axis) => (start[axis] as number) + place * step[axis]!)) * lanes;
    elementOf(updates, index).forEach((part, lane) => (data[at + lane]! += part));
  }
  return { ...output, data };
}

// ---------------------------------------------------------------- loops and branches

function control(form: Control, inputs: readonly Value[], outputs: readonly Value[], known: (dim: Dim) => number): readonly Value[] {
  if (form.kind === 'call') return evaluateProgram(form.body, inputs);
  if (form.kind === 'branch') return evaluateProgram(form.branches[Math.min(form.branches.length - 1, Math.max(0, inputs[0]!.data[0]!))]!, inputs.slice(1));
  if (form.kind === 'while') {
    const first = form.conditionConstants + form.bodyConstants;
    let carried = inputs.slice(first);
    while (evaluateProgram(form.condition, [...inputs.slice(0, form.conditionConstants), ...carried])[0]!.data[0] !== 0) carried = [...evaluateProgram(form.body, [...inputs.slice(form.conditionConstants, first), ...carried])];
    return carried;
  }
  const { body, constants, carries, reverse } = form;
  const length = known(form.length);
  let carried = inputs.slice(constants, constants + carries);
  const slices = new Map<number, readonly Value[]>();
  for (let i = 0; i < length; i++) {
    const at = reverse ? length - 1 - i : i;
    const results = evaluateProgram(body, [...inputs.slice(0, constants), ...carried, ...inputs.slice(constants + carries).map((stack) => ({ ...stack, shape: stack.shape.slice(1), data: indices(stack.shape.slice(1)).flatMap((index) => elementOf(stack, [at, ...index])) }))]);
    carried = [...results.slice(0, carries)];
    slices.set(at, results.slice(carries));
  }
  return [...carried, ...outputs.slice(carries).map((output, which) => ({ ...output, data: Array.from({ length }, (_, at) => slices.get(at)![which]!.data).flat() }))];
}

// ---------------------------------------------------------------- programs

function runInstruction(instruction: Instruction, inputs: readonly Value[], binding: Binding): readonly Value[] {
  const { operation, params } = instruction;
  const traits: Traits = operation.traits;
  const known = (dim: Dim): number => evaluateDim(dim, binding);
  const outputs = instruction.outputs.map(({ type }): Value => ({ dtype: type.dtype, shape: type.shape.map(known), data: [] }));
  const output = outputs[0] as Value;
  const [x, y, z] = inputs as unknown as readonly [Value, Value, Value];
  const types = instruction.inputs.map((input) => input.type);
  if (traits.extent !== undefined) {
    const { symbol, bound } = traits.extent(params);
    const value = Math.min(Math.max(x.data[0]!, 0), known(bound));
    if (typeof symbol !== 'number') binding.set(symbol.text, value);
    return [{ ...output, data: [value] }];
  }
  if (traits.size !== undefined) return [{ ...output, data: [known(traits.size(params))] }];
  if (traits.identity === true || traits.barrier === true) return [x];
  if (traits.elementwise !== undefined) return elementwise(traits.elementwise(params, types.map((type) => type.dtype)), inputs, outputs);
  if (traits.reduction !== undefined) return [reduce(traits.reduction, params['axes'] as readonly number[], params['keepdims'] === true, x, output)];
  if (traits.layout !== undefined) return [rearrange(traits.layout(params, types[0]!, instruction.outputs[0]!.type), x, output, known)];
  if (traits.assembly !== undefined) return [assemble(traits.assembly(params, types, instruction.outputs[0]!.type), inputs, output, known)];
  if (traits.scan !== undefined) return [scanned(traits.scan(params, types.map((type) => type.dtype)), inputs, output)];
  if (traits.sort !== undefined) return sorted(traits.sort(params), x, outputs);
  if (traits.iota === true) return [{ ...output, data: indices(output.shape).map(([index = 0]) => index) }];
  if (traits.contraction !== undefined) return [contract(traits.contraction(params), x, y, output)];
  if (traits.scatter !== undefined) return [scatter(traits.scatter(params, types), x, y, z, output)];
  if (traits.boxAdd !== undefined) return [addBox(traits.boxAdd(params), x, y, output)];
  if (traits.control !== undefined) return control(traits.control(params), inputs, outputs, known);
  const lowered = loweredProgram(instruction);
  if (lowered !== undefined) return evaluateProgram(lowered, inputs);
  const axes = traits.gather?.(params, types);
  if (axes === undefined) throw new Error(`${operation.id} has no trait that tells what it computes`);
  return [{ ...output, data: indices(output.shape).flatMap((index) => elementOf(x, indexedPlace(axes, index, y, x.shape[axes.axis] as number))) }];
}

function literalValue({ type, data }: Literal): Value {
  return { dtype: type.dtype, shape: type.shape as readonly number[], data: Array.from(data as ArrayLike<number | bigint>, Number) };
}

/** Extents that inputs bind: those that are one symbol. */
function bindInputs(variables: readonly Var[], values: readonly Value[]): Binding {
  const binding = new Map<string, number>();
  variables.forEach((variable, at) => variable.type.shape.forEach((dim, axis) => {
    if (typeof dim !== 'number' && dim.terms.length === 1 && dim.terms[0]!.coefficient === 1 && dim.terms[0]!.symbols.length === 1) binding.set(dim.terms[0]!.symbols[0]!, (values[at] as Value).shape[axis] as number);
  }));
  return binding;
}

/** The outputs of a program for values of its inputs, then its bound inputs. */
export function evaluateProgram(program: Program, inputs: readonly Value[]): readonly Value[] {
  const variables = [...program.inputs, ...program.bound.map(({ variable }) => variable)];
  if (variables.length !== inputs.length) throw new Error(`${variables.length} inputs, ${inputs.length} values`);
  const binding = bindInputs(variables, inputs);
  const env = new Map(variables.map((variable, at) => [variable, inputs[at] as Value]));
  return replayProgram<Value>(program, env, (literal) => literalValue(literal as Literal), (instruction, values) => runInstruction(instruction, values, binding));
}
