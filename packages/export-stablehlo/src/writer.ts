/** What writes operations of StableHLO, for roles of families. Types only. */
import type { DType, TypedArray } from '@tf/core';
import type { Element, Value, ValueType } from './text.ts';

export interface StableHloWriter {
  /** `stablehlo.add %0, %1 : tensor<3xf64>`: operands and result of one type. */
  same(operation: string, ...operands: readonly [Value, ...Value[]]): Value;
  /** An operation whose result has another type than its operands, with what stands between them and the types, such as `, dims = [1, 0]`. */
  other(operation: string, operands: readonly Value[], type: ValueType, middle?: string): Value;
  /** Several results, in MLIR's generic form; `attributes` as `a = 1, b = 2`. */
  generic(operation: string, operands: readonly Value[], types: readonly ValueType[], attributes?: string): readonly Value[];
  /** A call of what the runtime has registered under a name. */
  customCall(target: string, operands: readonly Value[], types: readonly ValueType[], options?: CustomCallOptions): readonly Value[];
  /** Every element is `value`, an MLIR literal of the element type. */
  splat(element: Element, shape: readonly number[], value: string): Value;
  data(dtype: DType, shape: readonly number[], data: TypedArray): Value;
  reshape(x: Value, shape: readonly number[]): Value;
  /** Axis i of the result is axis `order[i]` of x. */
  transpose(x: Value, order: readonly number[]): Value;
  /** Axis `a` of x becomes axis `dims[a]`; axes of extent 1 are repeated. */
  broadcast(x: Value, shape: readonly number[], dims: readonly number[]): Value;
  select(condition: Value, yes: Value, no: Value): Value;
  compare(direction: 'EQ' | 'NE' | 'LT' | 'LE' | 'GT' | 'GE', a: Value, b: Value): Value;
  convert(x: Value, element: Element): Value;
  iota(element: Element, shape: readonly number[], axis: number): Value;
  zeros(type: ValueType): Value;
}

export interface CustomCallOptions {
  /** Attributes of the call, as `uplo = 76 : ui8`. */
  readonly config?: string;
  /** Which operands and results have their last two axes the other way round in memory: columns one after the other. */
  readonly byColumns?: { readonly operands: readonly number[]; readonly results: readonly number[] };
}
