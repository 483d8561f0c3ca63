/** Writes the body of one function, an operation a line. */
import { type DimBinding, type Dim, type DType, isBound, evaluateDim, loop, type Shape, type TensorType, TfError, type TypedArray } from '@tf/core';
import type { CustomCallOptions, StableHloWriter } from './writer.ts';
import { denseText, type Element, elementOf, listText, signature, typesText, typeText, type Value, type ValueType } from './text.ts';

/** Names that are new throughout a function: regions see the names around them. */
export class Names {
  #next = 0;

  fresh(): string {
    return `%${this.#next++}`;
  }
}

/** A region of an operation: what it takes, and what it returns. */
export interface Region {
  readonly takes: readonly ValueType[];
  readonly body: (inside: Emitter, taken: readonly Value[]) => readonly Value[];
}

export class Emitter implements StableHloWriter {
  readonly lines: string[] = [];
  /** The sizes of symbolic extents. */
  readonly binding: DimBinding;
  readonly #names: Names;
  readonly #constants = new Map<string, Value>();

  constructor(binding: DimBinding, names: Names = new Names()) {
    this.binding = binding;
    this.#names = names;
  }

  // -------------------------------------------------------------- types

  /** @throws UnsupportedOnEngineError for an extent that no size was given for. */
  extent(dim: Dim): number {
    if (typeof dim === 'number') return dim;
    if (isBound(dim, this.binding)) return evaluateDim(dim, this.binding);
    throw new TfError('UnsupportedOnEngineError', `exportStableHlo: the extent ${dim.text} is symbolic, and XLA compiles for fixed shapes. Give its size: exportStableHlo(program, { extents: { ${dim.terms.flatMap(({ symbols }) => symbols)[0] ?? 'n'}: 128 } }).`, { op: 'exportStableHlo', engine: 'xla' });
  }

  extents(shape: Shape): readonly number[] {
    return shape.map((dim) => this.extent(dim));
  }

  typeOf(type: TensorType): ValueType {
    return { element: elementOf(type.dtype), shape: this.extents(type.shape) };
  }

  // -------------------------------------------------------------- lines

  fresh(type: ValueType): Value {
    return { name: this.#names.fresh(), element: type.element, shape: type.shape };
  }

  /** One result. `text` follows the name of the operation and holds operands, attributes and types. */
  write(operation: string, text: string, type: ValueType): Value {
    const value = this.fresh(type);
    this.lines.push(`${value.name} = ${operation} ${text}`);
    return value;
  }

  /** `stablehlo.add %0, %1 : tensor<3xf64>`: operands and result of one type. */
  same(operation: string, ...operands: readonly [Value, ...Value[]]): Value {
    return this.write(`stablehlo.${operation}`, `${operands.map(({ name }) => name).join(', ')} : ${typeText(operands[0])}`, operands[0]);
  }

  /** An operation whose result has another type than its operands, with what stands between them and the types. */
  other(operation: string, operands: readonly Value[], type: ValueType, middle = ''): Value {
    return this.write(`stablehlo.${operation}`, `${operands.map(({ name }) => name).join(', ')}${middle} : ${signature(operands, [type])}`, type);
  }

  /** Several results, in the generic form; `attributes` as `a = 1, b = 2`. */
  generic(operation: string, operands: readonly Value[], types: readonly ValueType[], attributes = '', regions: readonly Region[] = []): readonly Value[] {
    const texts = regions.map((region) => this.#region(region));
    const body = texts.length === 0 ? '' : ` (${texts.join(', ')})`;
    const text = `${operation === 'func.call' ? '' : `"stablehlo.${operation}"`}(${operands.map(({ name }) => name).join(', ')})${attributes === '' ? '' : ` <{${attributes}}>`}${body} : ${signature(operands, types)}`;
    return this.#results(text, types);
  }

  call(name: string, operands: readonly Value[], types: readonly ValueType[]): readonly Value[] {
    return this.#results(`func.call @${name}(${operands.map((operand) => operand.name).join(', ')}) : ${signature(operands, types)}`, types);
  }

  customCall(target: string, operands: readonly Value[], types: readonly ValueType[], { config = '', byColumns = { operands: [], results: [] } }: CustomCallOptions = {}): readonly Value[] {
    const layouts = (of: readonly ValueType[], columns: readonly number[]): string => of.map((type, at) => layoutText(type, columns.includes(at))).join(', ');
    // As JAX writes them: attributes in mhlo.backend_config, which XLA reads with this version of calls.
    const attributes = [`backend_config = ""`, `mhlo.backend_config = {${config}}`, `operand_layouts = [${layouts(operands, byColumns.operands)}]`, `result_layouts = [${layouts(types, byColumns.results)}]`];
    return this.#results(`stablehlo.custom_call @${target}(${operands.map(({ name }) => name).join(', ')}) {${attributes.join(', ')}} : ${signature(operands, types)}`, types);
  }

  #results(text: string, types: readonly ValueType[]): readonly Value[] {
    const name = this.#names.fresh();
    this.lines.push(`${name}${types.length === 1 ? '' : `:${types.length}`} = ${text}`);
    return types.map(({ element, shape }, at) => ({ name: types.length === 1 ? name : `${name}#${at}`, element, shape }));
  }

  #region({ takes, body }: Region): string {
    const inside = new Emitter(this.binding, this.#names);
    const taken = takes.map((type) => this.fresh(type));
    const returned = body(inside, taken);
    const head = taken.length === 0 ? '' : `\n^bb0(${taken.map((value) => `${value.name}: ${typeText(value)}`).join(', ')}):`;
    const lines = [...inside.lines, `stablehlo.return ${returned.map(({ name }) => name).join(', ')} : ${typesText(returned)}`];
    return `{${head}\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}\n}`;
  }

  // -------------------------------------------------------------- constants

  /** Every element of it is `value`, an MLIR literal. */
  splat(element: Element, shape: readonly number[], value: string): Value {
    return this.#constant({ element, shape }, `dense<${value}>`);
  }

  /** The scalar 3 as int32: how loops count. */
  int32(value: number): Value {
    return this.splat('i32', [], String(value));
  }

  data(dtype: DType, shape: readonly number[], data: TypedArray): Value {
    return this.#constant({ element: elementOf(dtype), shape }, denseText(dtype, shape, data));
  }

  #constant(type: ValueType, dense: string): Value {
    const text = `${dense} : ${typeText(type)}`;
    let value = this.#constants.get(text);
    if (value === undefined) this.#constants.set(text, (value = this.write('stablehlo.constant', text, type)));
    return value;
  }

  // -------------------------------------------------------------- shapes

  reshape(x: Value, shape: readonly number[]): Value {
    return sameExtents(x.shape, shape) ? x : this.other('reshape', [x], { element: x.element, shape });
  }

  transpose(x: Value, order: readonly number[]): Value {
    if (order.every((axis, at) => axis === at)) return x;
    return this.other('transpose', [x], { element: x.element, shape: order.map((axis) => x.shape[axis] as number) }, `, dims = ${listText(order)}`);
  }

  /** Axis `a` of `x` becomes axis `dims[a]`; axes of extent 1 are repeated. */
  broadcast(x: Value, shape: readonly number[], dims: readonly number[]): Value {
    if (sameExtents(x.shape, shape) && dims.every((axis, at) => axis === at)) return x;
    return this.other('broadcast_in_dim', [x], { element: x.element, shape }, `, dims = ${listText(dims)}`);
  }

  /** As NumPy broadcasts: aligned at the last axis. */
  broadcastTo(x: Value, shape: readonly number[]): Value {
    return this.broadcast(x, shape, x.shape.map((_, axis) => axis + shape.length - x.shape.length));
  }

  /** Elements `from[a] + i·step[a]`, `extents[a]` of them along each axis; steps are positive. */
  slice(x: Value, from: readonly number[], extents: readonly number[], step: readonly number[] = from.map(() => 1)): Value {
    const limits = extents.map((extent, axis) => (extent === 0 ? (from[axis] as number) : (from[axis] as number) + (extent - 1) * (step[axis] as number) + 1));
    if (sameExtents(x.shape, extents) && from.every((start) => start === 0)) return x;
    return this.other('slice', [x], { element: x.element, shape: extents }, ` [${from.map((start, axis) => `${start}:${limits[axis] as number}:${step[axis] as number}`).join(', ')}]`);
  }

  iota(element: Element, shape: readonly number[], axis: number): Value {
    return this.write('stablehlo.iota', `dim = ${axis} : ${typeText({ element, shape })}`, { element, shape });
  }

  compare(direction: 'EQ' | 'NE' | 'LT' | 'LE' | 'GT' | 'GE', a: Value, b: Value): Value {
    const kind = a.element === 'i1' ? 'UNSIGNED' : a.element.startsWith('i') ? 'SIGNED' : 'FLOAT';
    const type: ValueType = { element: 'i1', shape: a.shape };
    return this.write('stablehlo.compare', `${direction}, ${a.name}, ${b.name}, ${kind} : ${signature([a, b], [type])}`, type);
  }

  select(condition: Value, yes: Value, no: Value): Value {
    return this.write('stablehlo.select', `${condition.name}, ${yes.name}, ${no.name} : ${typesText([condition, yes])}`, yes);
  }

  /**
   * The smaller or the larger value; NaN if either is. That is what StableHLO says of its own, but XLA's CPU loses some NaNs (seen with
   * jaxlib 0.10.2 in fused loops, scatters and reductions), and its GPU has an option to.
   */
  extremum(which: 'minimum' | 'maximum', a: Value, b: Value): Value {
    const plain = this.same(which, a, b);
    if (!a.element.startsWith('f')) return plain;
    return this.select(this.compare('NE', a, a), a, this.select(this.compare('NE', b, b), b, plain));
  }

  convert(x: Value, element: Element): Value {
    return x.element === element ? x : this.other('convert', [x], { element, shape: x.shape });
  }

  /** Zero, false, or 0 + 0i. */
  zeros({ element, shape }: ValueType): Value {
    return this.splat(element, shape, zeroText(element));
  }
}

/** Axes from the one whose elements are next to each other. */
function layoutText({ shape }: ValueType, isByColumns: boolean): string {
  const axes = shape.map((_, axis) => shape.length - 1 - axis);
  const order = isByColumns ? [axes[1] as number, axes[0] as number, ...axes.slice(2)] : axes;
  return `dense<${order.length === 1 ? '0' : listText(order)}> : tensor<${order.length}xindex>`.replace('dense<[]>', 'dense<>');
}

export function zeroText(element: Element): string {
  return numberText(element, 0);
}

/** A small whole number, or an infinity, as a literal of the type; of complex types the real part. */
export function numberText(element: Element, value: number | bigint): string {
  if (element === 'i1') return Number(value) === 0 ? 'false' : 'true';
  if (element.startsWith('i')) return String(value);
  const type = element.includes('f32') ? 'f32' : 'f64';
  const real = loop.isFloat(type) ? realText(type, Number(value)) : '';
  return element.startsWith('complex') ? `(${real}, 0.0)` : real;
}

function realText(type: 'f32' | 'f64', value: number): string {
  return denseText(type === 'f32' ? 'float32' : 'float64', [], type === 'f32' ? Float32Array.of(value) : Float64Array.of(value)).slice(6, -1);
}

export function sameExtents(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((extent, axis) => extent === b[axis]);
}
