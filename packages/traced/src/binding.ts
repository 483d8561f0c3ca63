import { checkConstraints, decidableConstraints, type Dim, type DimConstraint, dimText, dtypes, type Engine, type EngineInput, evaluateDim, isBound, isKnown, isOperand, isTypedArray, linearDim, type Operand, shapeText, solveDim, type TensorType, TfError, type TypedArray } from '@tf/core';
import type { InputOrigin, TracedValue } from './origin.ts';
import { engineInput } from './run.ts';

/** Data for an input: a tensor with data, a typed array of as many values as the shape has, or a number for a scalar. */
export type InputData = Operand | TypedArray | number;

/** Data by input name as the engine takes them, checked against the inputs' types; symbols are bound by what is given. */
export function bindInputs(inputs: readonly TracedValue[], data: Readonly<Record<string, InputData>>, constraints: readonly DimConstraint[], engine: Engine): readonly EngineInput[] {
  checkNames(inputs.map(nameOf), data);
  const given = inputs.map((leaf) => fitInput(leaf, data[nameOf(leaf)] as InputData, engine));
  const binding = new Map<string, number>();
  inputs.forEach((leaf, at) => bindSymbols(leaf.type, shapeOf(given[at] as EngineInput), binding));
  inputs.forEach((leaf, at) => checkShape(leaf, shapeOf(given[at] as EngineInput), binding));
  checkConstraints(decidableConstraints(constraints, binding), binding);
  return given;
}

function nameOf({ origin }: TracedValue): string {
  return (origin as InputOrigin).name;
}

function label(leaf: TracedValue): string {
  return `input ${JSON.stringify(nameOf(leaf))}`;
}

function shapeOf(given: EngineInput): readonly number[] {
  return typeof given === 'number' ? [] : given.shape;
}

function checkNames(names: readonly string[], data: Readonly<Record<string, InputData>>): void {
  const missing = names.filter((name) => !Object.hasOwn(data, name));
  const unknown = Object.keys(data).filter((name) => !names.includes(name));
  if (missing.length === 0 && unknown.length === 0) return;
  const parts = [...(missing.length === 0 ? [] : [`no data for ${missing.join(', ')}`]), ...(unknown.length === 0 ? [] : [`no input is called ${unknown.join(', ')}`])];
  throw new TfError('ArgumentError', `run: ${parts.join('; ')}. The inputs are ${names.join(', ') || 'none'}.`, { op: 'run', missing, unknown, inputs: names });
}

function fitInput(leaf: TracedValue, value: InputData, engine: Engine): EngineInput {
  if (isTypedArray(value)) return fitArray(leaf, value);
  const { type } = leaf;
  if (isOperand(value) && value.type.dtype !== type.dtype) {
    throw new TfError('DTypeError', `${label(leaf)}: takes ${type.key}, got ${value.type.key}. Convert the data: convert(x, '${type.dtype}').`, { argument: nameOf(leaf), dtype: value.type.dtype, expected: type.dtype });
  }
  return engineInput(label(leaf), value, engine);
}

/** A typed array takes the shape of its input, or is the vector of a symbolic length. */
function fitArray(leaf: TracedValue, data: TypedArray): EngineInput {
  const { type } = leaf;
  const name = arrayNames[type.dtype];
  if (data.constructor.name !== name) throw new TfError('DTypeError', `${label(leaf)}: takes ${type.key}, got a ${data.constructor.name}. Give a ${name}, or a tensor.`, { argument: nameOf(leaf), expected: type.dtype });
  const count = data.length / dtypes[type.dtype].lanes;
  if (!type.shape.every(isKnown)) return { data, shape: [count] };
  const shape = type.shape as readonly number[];
  const wanted = shape.reduce((product, extent) => product * extent, 1);
  if (wanted !== count) throw new TfError('DataLengthError', `${label(leaf)}: ${type.key} has ${wanted} elements, the array holds ${count}.`, { argument: nameOf(leaf), expected: wanted, length: count });
  return { data, shape };
}

const arrayNames = Object.freeze({ float32: 'Float32Array', complex64: 'Float32Array', float64: 'Float64Array', complex128: 'Float64Array', int32: 'Int32Array', int64: 'BigInt64Array', bool: 'Uint8Array' });

/** Symbols that decide an extent by themselves (`n`, `2*m`, `n-1`) take their values from the data; one that fits none is left to the check. */
function bindSymbols({ shape }: TensorType, extents: readonly number[], binding: Map<string, number>): void {
  shape.forEach((dim, axis) => {
    const extent = extents[axis];
    const linear = linearDim(dim);
    if (linear === undefined || extent === undefined || binding.has(linear.symbol)) return;
    const size = solveDim(linear, extent);
    if (size !== undefined) binding.set(linear.symbol, size);
  });
}

function checkShape(leaf: TracedValue, extents: readonly number[], binding: ReadonlyMap<string, number>): void {
  const { shape } = leaf.type;
  const refuse = (why: string): never => {
    throw new TfError('ShapeError', `${label(leaf)}: takes the shape ${shapeText(shape)}, got ${shapeText(extents)}${why}.`, { argument: nameOf(leaf), expected: shape, shape: extents });
  };
  if (extents.length !== shape.length) refuse('');
  shape.forEach((dim: Dim, axis) => {
    if (linearDim(dim) !== undefined && !isBound(dim, binding)) refuse(`: no size makes ${dimText(dim)} that`);
    const expected = evaluateDim(dim, binding);
    if (expected !== extents[axis]) refuse(isKnown(dim) ? '' : `: ${dimText(dim)} is ${expected} in this call`);
  });
}
