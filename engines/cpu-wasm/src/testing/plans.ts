/** Hand-built plans for the tests of this engine. */
import { type BufferView, type Dim, type DimConstraint, type DType, dtypes, elementCount, type InnerStep, loop, type LoopStep, type MonoidName, type Plan, type PlanBuffer, rowMajorStrides, type ScalarExpr, type Shape, type Step, type TensorType, tensorType, type TypedArray } from '@tf/core';

export interface PlanParts {
  readonly inputs: readonly TensorType[];
  readonly outputs: readonly TensorType[];
  /** After one buffer per input and one per output. */
  readonly more?: readonly PlanBuffer[];
  readonly slots?: readonly (readonly Dim[])[];
  readonly steps: readonly Step[];
  readonly constraints?: readonly DimConstraint[];
}

/** Buffers: the inputs, the outputs, then `more`. */
export function planOf({ inputs, outputs, more = [], slots = [], steps, constraints = [] }: PlanParts): Plan {
  const place = (kind: 'input' | 'output') => ({ dtype, shape }: TensorType, index: number): PlanBuffer => ({ dtype, elements: elementCount(shape), place: { kind, index } });
  return { contract: 1, inputs, outputs, buffers: [...inputs.map(place('input')), ...outputs.map(place('output')), ...more], slots, steps, constraints, intermediateBytes: 0 };
}

export function viewOf(buffer: number, strides: readonly Dim[], offset: Dim = 0): BufferView {
  return { buffer, offset, strides };
}

export function innerOf(strides: readonly Dim[]): InnerStep {
  const last = strides.at(-1);
  return last === 1 || last === undefined ? 'contiguous' : last === 0 ? 'broadcast' : 'strided';
}

export const argumentOf = (dtype: DType, input: number): ScalarExpr => loop.argument(loop.scalarTypeOf(dtype), input);

/** All lanes of an operand's element. */
export function elementOf(dtype: DType, input: number): readonly ScalarExpr[] {
  const re = argumentOf(dtype, input);
  return dtypes[dtype].lanes === 1 ? [re] : [re, loop.argument(re.type, input, 1)];
}

/** One output of `shape` from inputs of the same shape, all row-major. */
export function elementwisePlan(reads: readonly DType[], write: DType, shape: Shape, body: ScalarExpr): Plan {
  const strides = rowMajorStrides(shape);
  return planOf({
    inputs: reads.map((dtype) => tensorType(dtype, shape)),
    outputs: [tensorType(write, shape)],
    steps: [loopStep(reads, write, shape, reads.map((_, i) => viewOf(i, strides)), viewOf(reads.length, strides), body)],
  });
}

/** A loop whose inner steps follow from the strides. */
export function loopStep(reads: readonly DType[], write: DType, extents: Shape, readViews: readonly BufferView[], writeView: BufferView, body: ScalarExpr | readonly ScalarExpr[]): LoopStep {
  const kernel = {
    rank: extents.length,
    reads: reads.map((dtype, i) => ({ dtype, inner: innerOf(readViews[i]!.strides) })),
    writes: [{ dtype: write, inner: innerOf(writeView.strides) }],
    body: Array.isArray(body) ? (body as readonly ScalarExpr[]) : [body as ScalarExpr],
  };
  return { kind: 'loop', kernel, extents, reads: readViews, writes: [writeView] };
}

export interface ReductionParts {
  readonly monoid: MonoidName;
  readonly dtype: DType;
  /** The input as it lies in memory. */
  readonly shape: Shape;
  /** The order in which its axes are iterated; the last `axes` are folded. Default: as they are. */
  readonly order?: readonly number[];
  readonly axes: number;
  /** One expression per lane. */
  readonly body?: readonly ScalarExpr[];
}

export function reductionPlan({ monoid, dtype, shape, order = shape.map((_, axis) => axis), axes, body = elementOf(dtype, 0) }: ReductionParts): Plan {
  const memory = rowMajorStrides(shape);
  const extents = order.map((axis) => shape[axis]!);
  const strides = order.map((axis) => memory[axis]!);
  const outShape = extents.slice(0, extents.length - axes);
  const kernel = { rank: shape.length, reads: [{ dtype, inner: innerOf(strides) }], writes: [{ dtype, inner: 'contiguous' as const }], body, reduce: { monoid, axes } };
  return planOf({
    inputs: [tensorType(dtype, shape)],
    outputs: [tensorType(dtype, outShape)],
    steps: [{ kind: 'loop', kernel, extents, reads: [viewOf(0, strides)], writes: [viewOf(1, rowMajorStrides(outShape))] }],
  });
}

/** How a matrix lies in memory: row by row or column by column. */
export type Order = 'rows' | 'columns';

export interface ContractParts {
  readonly dtype: DType;
  readonly batch?: Shape;
  readonly m: Dim;
  readonly n: Dim;
  readonly k: Dim;
  readonly lhs?: Order;
  readonly rhs?: Order;
  readonly out?: Order;
}

/** Batched matrices; the order says which of a matrix's axes is contiguous. */
export function contractPlan({ dtype, batch = [], m, n, k, lhs = 'rows', rhs = 'rows', out = 'rows' }: ContractParts): Plan {
  const shape = (order: Order, rows: Dim, columns: Dim): Shape => [...batch, ...(order === 'rows' ? [rows, columns] : [columns, rows])];
  const view = (buffer: number, order: Order, rows: Dim, columns: Dim): BufferView => {
    const strides = rowMajorStrides(shape(order, rows, columns));
    const rank = batch.length;
    return viewOf(buffer, order === 'rows' ? strides : [...strides.slice(0, rank), strides[rank + 1]!, strides[rank]!]);
  };
  return planOf({
    inputs: [tensorType(dtype, shape(lhs, m, k)), tensorType(dtype, shape(rhs, k, n))],
    outputs: [tensorType(dtype, shape(out, m, n))],
    steps: [{ kind: 'contract', dtype, batch, m, n, k, lhs: view(0, lhs, m, k), rhs: view(1, rhs, k, n), out: view(2, out, m, n) }],
  });
}

export function copyPlan(dtype: DType, elements: Dim): Plan {
  const type = tensorType(dtype, [elements]);
  return planOf({ inputs: [type], outputs: [type], steps: [{ kind: 'copy', dtype, elements, from: { buffer: 0, offset: 0 }, to: { buffer: 1, offset: 0 } }] });
}

export function constantBuffer(dtype: DType, data: TypedArray): PlanBuffer {
  return { dtype, elements: data.length / dtypes[dtype].lanes, place: { kind: 'constant', data } };
}
