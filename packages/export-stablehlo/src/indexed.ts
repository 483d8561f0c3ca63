/** Reading and writing at places that indices name. */
import type { Combine, IndexedAxes, ScatterAxes } from '@tf/core';
import type { Emitter } from './emitter.ts';
import { listText, type Value, type ValueType } from './text.ts';

/** How the iteration axes fall apart: StableHLO wants windows, batches and axes of the indices in order. */
interface Places {
  /** The iteration axes, in the order in which StableHLO has them. */
  readonly order: readonly number[];
  /** Per axis of the ordered iteration: whether it walks a window of the indexed tensor. */
  readonly window: readonly number[];
  /** Axes of the indexed tensor and of the indices that are walked as one. */
  readonly batch: readonly (readonly [indexed: number, indices: number])[];
  readonly indices: Value;
}

export function emitGather(emitter: Emitter, map: IndexedAxes, [x, indices]: readonly [Value, Value], type: ValueType): Value {
  if (type.shape.includes(0)) return emitter.zeros(type);
  const places = placesOf(emitter, map, x, indices, type.shape);
  const ordered: ValueType = { element: type.element, shape: places.order.map((axis) => type.shape[axis] as number) };
  const sizes = x.shape.map((extent, axis) => (axis === map.axis || places.batch.some(([own]) => own === axis) ? 1 : extent));
  const numbers = [
    `offset_dims = ${listText(places.window)}`, `collapsed_slice_dims = [${map.axis}]`, ...batchText('operand', 'start_indices', places),
    `start_index_map = [${map.axis}]`, `index_vector_dim = ${places.indices.shape.length - 1}`,
  ];
  const [picked] = emitter.generic('gather', [x, places.indices], [ordered], `dimension_numbers = #stablehlo.gather<${numbers.join(', ')}>, slice_sizes = array<i64: ${sizes.join(', ')}>`);
  return emitter.transpose(picked as Value, inverse(places.order));
}

/** Where several updates meet an element, XLA chooses their order. */
export function emitScatter(emitter: Emitter, map: ScatterAxes, [target, indices, updates]: readonly [Value, Value, Value]): Value {
  if (updates.shape.includes(0) || target.shape.includes(0)) return target;
  const places = placesOf(emitter, map, target, indices, updates.shape);
  const numbers = [
    `update_window_dims = ${listText(places.window)}`, `inserted_window_dims = [${map.axis}]`, ...batchText('input', 'scatter_indices', places),
    `scatter_dims_to_operand_dims = [${map.axis}]`, `index_vector_dim = ${places.indices.shape.length - 1}`,
  ];
  const scalar: ValueType = { element: target.element, shape: [] };
  const [result] = emitter.generic('scatter', [target, places.indices, emitter.transpose(updates, places.order)], [target], `scatter_dimension_numbers = #stablehlo.scatter<${numbers.join(', ')}>`, [
    { takes: [scalar, scalar], body: (inside, [element, update]) => [combined(inside, map.combine, element as Value, update as Value)] },
  ]);
  return result as Value;
}

/** What an element and an update that meets it become. */
function combined(inside: Emitter, combine: Combine, element: Value, update: Value): Value {
  if (combine === 'set') return update;
  if (element.element === 'i1') return inside.same(combine === 'min' ? 'and' : 'or', element, update);
  return combine === 'add' ? inside.same('add', element, update) : inside.extremum(combine === 'min' ? 'minimum' : 'maximum', element, update);
}

function batchText(indexed: string, indices: string, { batch }: Places): readonly string[] {
  if (batch.length === 0) return [];
  return [`${indexed}_batching_dims = ${listText(batch.map(([own]) => own))}`, `${indices}_batching_dims = ${listText(batch.map(([, at]) => at))}`];
}

/**
 * The axes that walk indices come first, in the order of the indices' axes; then those that walk the indexed tensor alone, in the order
 * of its axes. Indices that are repeated along an iteration axis are broadcast to it.
 */
function placesOf(emitter: Emitter, map: IndexedAxes, indexed: Value, given: Value, shape: readonly number[]): Places {
  const axes = shape.map((_, axis) => axis);
  const scattered = axes.filter((axis) => map.indexedBy[axis] !== null || map.walks[axis] === null).sort((a, b) => (map.indexedBy[a] ?? -1) - (map.indexedBy[b] ?? -1));
  const windows = axes.filter((axis) => !scattered.includes(axis)).sort((a, b) => (map.walks[a] as number) - (map.walks[b] as number));
  const order = [...scattered, ...windows];
  const batch = scattered.flatMap((axis, at) => (map.walks[axis] === null ? [] : [[map.walks[axis] as number, at] as const])).sort(([a], [b]) => a - b);
  const extents = scattered.map((axis) => shape[axis] as number);
  // Axes of the indices that no iteration axis walks have one element.
  const walked = scattered.flatMap((axis) => map.indexedBy[axis] ?? []);
  const own = emitter.reshape(given, walked.map((axis) => given.shape[axis] as number));
  const repeated = emitter.broadcast(own, extents, scattered.flatMap((axis, at) => (map.indexedBy[axis] === null ? [] : [at])));
  const rows = fromStart(emitter, repeated, indexed.shape[map.axis] as number, map);
  return { order, window: windows.map((_, at) => scattered.length + at), batch, indices: emitter.reshape(rows, [...extents, 1]) };
}

/** Negative indices count from the end. */
function fromStart(emitter: Emitter, indices: Value, rows: number, { named }: IndexedAxes): Value {
  if (named?.fromStart === true) return indices;
  const shape = indices.shape;
  const isNegative = emitter.compare('LT', indices, emitter.splat(indices.element, shape, '0'));
  return emitter.select(isNegative, emitter.same('add', indices, emitter.splat(indices.element, shape, String(rows))), indices);
}

function inverse(order: readonly number[]): readonly number[] {
  return order.map((_, axis) => order.indexOf(axis));
}
