/** Expressions evaluated by the cpu-wasm engine, by its loops over vectors or one element at a time. */
import { type Dim, loop, type Plan, type ScalarExpr, tensorType } from '@tf/core';
import { createEngineSync } from '@tf/engine-cpu-wasm';
import type { FloatDType } from './format.ts';

export type Floats = Float32Array | Float64Array;

export const floatsOf = (dtype: FloatDType, values: readonly number[]): Floats => (dtype === 'float32' ? Float32Array.from(values) : Float64Array.from(values));

/** A loop over `extents`, all operands with these strides. */
function planOf(dtype: FloatDType, count: Dim, arity: number, body: ScalarExpr, extents: readonly Dim[], strides: readonly Dim[]): Plan {
  const operands = Array.from({ length: arity + 1 }, (_, buffer) => ({ buffer, offset: 0, strides }));
  const access = { dtype, inner: 'contiguous' as const };
  return {
    contract: 1,
    inputs: Array.from({ length: arity }, () => tensorType(dtype, [count])),
    outputs: [tensorType(dtype, [count])],
    buffers: operands.map((_, i) => ({ dtype, elements: count, place: i < arity ? { kind: 'input', index: i } : { kind: 'output', index: 0 } })),
    slots: [],
    steps: [{ kind: 'loop', kernel: { rank: extents.length, reads: operands.slice(1).map(() => access), writes: [access], body: [body] }, extents, reads: operands.slice(0, -1), writes: operands.slice(-1) }],
    constraints: [],
    intermediateBytes: 0,
  };
}

export interface Evaluator {
  /** Results for the operands, computed as vectors. */
  readonly vectors: (operands: readonly Floats[]) => Floats;
  /** Results computed one element at a time: rows of one element are too short for vectors. */
  readonly scalars: (operands: readonly Floats[]) => Floats;
  /** Milliseconds of each of so many runs over vectors, the operands already in the engine's memory. */
  readonly times: (operands: readonly Floats[], runs: number) => readonly number[];
  readonly dispose: () => void;
}

export function evaluatorOf(dtype: FloatDType, arity: number, count: number, expression: (...args: readonly ScalarExpr[]) => ScalarExpr): Evaluator {
  const engine = createEngineSync();
  const type = loop.scalarTypeOf(dtype);
  const body = expression(...Array.from({ length: arity }, (_, input) => loop.argument(type, input)));
  const evaluate = (extents: readonly Dim[], strides: readonly Dim[]): ((operands: readonly Floats[]) => Floats) => {
    const compiled = engine.compile(planOf(dtype, count, arity, body, extents, strides));
    return (operands) => {
      const [out] = compiled.run(operands.map((data) => ({ data, shape: [count] })));
      const values = engine.read(out!) as Floats;
      out!.dispose();
      return values;
    };
  };
  const times = (operands: readonly Floats[], runs: number): readonly number[] => {
    const compiled = engine.compile(planOf(dtype, count, arity, body, [count], [1]));
    const buffers = operands.map((data) => engine.upload(dtype, [count], data));
    const list = Array.from({ length: runs }, () => {
      const start = performance.now();
      const [out] = compiled.run(buffers);
      const end = performance.now();
      out!.dispose();
      return end - start;
    });
    for (const buffer of buffers) buffer.dispose();
    return list;
  };
  return { times, vectors: evaluate([count], [1]), scalars: evaluate([count, 1], [1, 1]), dispose: () => engine.dispose() };
}
