/** All NaNs are one: that of 0/0 has its sign set on x86, JavaScript's has not, and neither decides what else comes out. */
import { Builder, compileProgram, createCatalog, type Dim, type DType, isComplex, isTfError, type Operation, tensorType, type TypedArray } from '@tf/core';
import { createEngineSync } from '@tf/engine-cpu-wasm';
import { describe, expect, test } from 'vitest';

const engine = createEngineSync();
const dtypes = ['float64', 'float32', 'complex128', 'complex64'] as const;
type Floating = (typeof dtypes)[number];
const parts = [0, -0, 1, -1, 0.5, -2.5, Infinity, -Infinity, NaN] as const;

function takes(operation: Operation, dtype: DType, operands: number): boolean {
  try {
    return operation.infer(new Array(operands).fill(tensorType(dtype, [] as Dim[])), {}, () => {}).length === 1;
  } catch (error) {
    if (isTfError(error) || error instanceof TypeError) return false;
    throw error;
  }
}

/** Each combination of parts for each operand, or an even share of them. */
function operandsOf(dtype: Floating, count: number): readonly (readonly number[])[] {
  const lanes = isComplex(dtype) ? 2 : 1;
  const total = parts.length ** (lanes * count);
  const step = total <= 10_000 ? 1 : 2 * Math.ceil(total / 20_000) + 1;
  const points = Array.from({ length: Math.floor(total / step) }, (_, i) => i * step);
  return Array.from({ length: count }, (_, operand) => points.flatMap((point) => Array.from({ length: lanes }, (__, lane) => parts[Math.floor(point / parts.length ** (operand * lanes + lane)) % parts.length] as number)));
}

function dataOf(dtype: Floating, values: readonly number[], negative: boolean): TypedArray {
  const single = dtype === 'float32' || dtype === 'complex64';
  const data = single ? Float32Array.from(values) : Float64Array.from(values);
  const bits = single ? new Uint32Array(data.buffer) : new BigUint64Array(data.buffer);
  const nan = single ? (negative ? 0xffc00000 : 0x7fc00000) : negative ? 0xfff8n << 48n : 0x7ff8n << 48n;
  values.forEach((value, at) => {
    if (Number.isNaN(value)) bits[at] = nan as never;
  });
  return data;
}

/** Where the two NaNs make a difference, in words. */
function difference(operation: Operation, dtype: Floating, count: number): string | undefined {
  const operands = operandsOf(dtype, count);
  const elements = (operands[0] as readonly number[]).length / (isComplex(dtype) ? 2 : 1);
  const builder = new Builder();
  const program = builder.build(builder.emit(operation, operands.map(() => builder.input(tensorType(dtype, [elements]))), {}));
  const executable = engine.compile(compileProgram(program));
  const [plain, turned] = [false, true].map((negative) => {
    const [y] = executable.run(operands.map((values) => ({ data: dataOf(dtype, values, negative), shape: [elements] })));
    const result = engine.read(y!).slice();
    y!.dispose();
    return result;
  }) as [TypedArray, TypedArray];
  const at = Array.from(plain, Number).findIndex((value, lane) => !Object.is(value, Number(turned[lane])));
  if (at < 0) return undefined;
  const element = Math.floor((at * elements) / plain.length);
  const lanes = isComplex(dtype) ? 2 : 1;
  const text = (value: number | bigint | undefined): string => (Object.is(value, -0) ? '-0' : String(value));
  const given = operands.map((values) => values.slice(element * lanes, (element + 1) * lanes).map(text).join(' ')).join(', ');
  return `${operation.name} of ${dtype} (${given}): ${text(plain[at])} and ${text(turned[at])}`;
}

const operations = createCatalog().extensions.flatMap((extension) => extension.operations).filter(({ name, traits }) => traits.elementwise !== undefined && name !== 'polygamma');

describe('the sign of a NaN decides nothing', () => {
  test.each(dtypes)('of elementwise operations in %s', { timeout: 120_000 }, (dtype) => {
    const cases = operations.flatMap((operation) => [1, 2, 3].filter((count) => takes(operation, dtype, count)).map((count) => [operation, count] as const));
    expect(cases.length).toBeGreaterThan(30);
    expect(cases.flatMap(([operation, count]) => difference(operation, dtype, count) ?? [])).toEqual([]);
  });
});
