/** Operations that move elements: layouts, pieces put together, boxes added to. */
import { type Assembly, type IndexMap, type Instruction, type TensorType } from '@tf/core';
import { type Emitter, numberText, sameExtents } from './emitter.ts';
import { listText, typeText, type Value, type ValueType } from './text.ts';

export function emitLayout(emitter: Emitter, map: IndexMap, x: Value, output: TensorType): Value {
  const shape = emitter.extents(output.shape);
  return map.kind === 'reshape' ? emitter.reshape(x, shape) : emitAxes(emitter, map, x, shape);
}

type AxesMap = IndexMap & { readonly kind: 'axes' };

/** The input's axes are cut, turned round, put in order, and repeated. Axes that are walked together become one first. */
function emitAxes(emitter: Emitter, map: AxesMap, x: Value, shape: readonly number[]): Value {
  if (shape.includes(0)) return emitter.zeros({ element: x.element, shape });
  const together = map.axes.find((axis): axis is readonly number[] => Array.isArray(axis));
  if (together !== undefined) return emitDiagonal(emitter, map, x, shape);
  const walked = map.axes.flatMap((axis, at) => (axis === null ? [] : [{ axis: axis as number, at, from: emitter.extent(map.start?.[at] ?? 0), step: map.step?.[at] ?? 1, extent: shape[at] as number }]));
  const from = x.shape.map(() => 0);
  const [extents, steps] = [x.shape.map(() => 1), x.shape.map(() => 1)];
  const backwards: number[] = [];
  for (const { axis, from: start, step, extent } of walked) {
    from[axis] = step < 0 ? start + (extent - 1) * step : start;
    extents[axis] = extent;
    steps[axis] = Math.max(1, Math.abs(step));
    if (step < 0 && extent > 1) backwards.push(axis);
  }
  const box = emitter.slice(x, from, extents, steps);
  const turned = backwards.length === 0 ? box : emitter.write('stablehlo.reverse', `${box.name}, dims = ${listText(backwards)} : ${typeText(box)}`, box);
  const order = [...walked.map(({ axis }) => axis), ...x.shape.flatMap((_, axis) => (walked.some((each) => each.axis === axis) ? [] : [axis]))];
  const ordered = emitter.reshape(emitter.transpose(turned, order), walked.map(({ extent }) => extent));
  return emitter.broadcast(ordered, shape, walked.map(({ at }) => at));
}


/** A gather of windows along the axes that are not walked together, at the places (i, i, …). */
function emitDiagonal(emitter: Emitter, map: AxesMap, x: Value, shape: readonly number[]): Value {
  const at = map.axes.findIndex((axis) => Array.isArray(axis));
  const joined = map.axes[at] as readonly number[];
  const extent = shape[at] as number;
  const column = emitter.iota('i32', [extent, 1], 0);
  const steps = emitter.same('multiply', column, emitter.splat('i32', [extent, 1], String(map.step?.[at] ?? 1)));
  const places = emitter.same('add', steps, emitter.splat('i32', [extent, 1], String(emitter.extent(map.start?.[at] ?? 0))));
  const indices = emitter.broadcast(places, [extent, joined.length], [0, 1]);
  const others = x.shape.flatMap((_, axis) => (joined.includes(axis) ? [] : [axis]));
  const picked = { element: x.element, shape: [extent, ...others.map((axis) => x.shape[axis] as number)] };
  const numbers = `#stablehlo.gather<offset_dims = ${listText(others.map((_, axis) => axis + 1))}, collapsed_slice_dims = ${listText([...joined].sort((a, b) => a - b))}, start_index_map = ${listText(joined)}, index_vector_dim = 1>`;
  const sizes = x.shape.map((size, axis) => (joined.includes(axis) ? 1 : size));
  const [diagonal] = emitter.generic('gather', [x, indices], [picked], `dimension_numbers = ${numbers}, slice_sizes = array<i64: ${sizes.join(', ')}>`);
  const placeOf = (axis: number): number => others.indexOf(axis) + 1;
  const axes = map.axes.map((axis, own) => (own === at ? 0 : axis === null ? null : Array.isArray(axis) ? axis.map(placeOf) : placeOf(axis as number)));
  return emitAxes(emitter, { kind: 'axes', axes, start: axes.map((_, own) => (own === at ? 0 : (map.start?.[own] ?? 0))), step: axes.map((_, own) => (own === at ? 1 : (map.step?.[own] ?? 1))) }, diagonal as Value, shape);
}

/** A box of a tensor: `step` apart from `at` on. */
interface Box {
  readonly at: readonly number[];
  readonly step: readonly number[];
}

/** Pieces in a row become a concatenation; one piece a pad; others are put in one after the other. */
export function emitAssembly(emitter: Emitter, assembly: Assembly, operands: readonly Value[], output: TensorType): Value {
  const type = emitter.typeOf(output);
  const { fill = 0 } = assembly;
  const padding = typeof fill === 'number' ? emitter.splat(type.element, [], numberText(type.element, fill)) : (operands[fill.input] as Value);
  const pieces = assembly.pieces.map((piece) => {
    const value = emitter.slice(operands[piece.input] as Value, emitter.extents(piece.from), emitter.extents(piece.extents));
    return { value, at: emitter.extents(piece.at), step: piece.step };
  }).filter(({ value }) => !value.shape.includes(0));
  const axis = concatenatedAxis(pieces, type.shape);
  if (axis !== undefined) return concatenate(emitter, pieces.map(({ value }) => value), axis, type);
  const [first, ...rest] = pieces;
  if (first === undefined) return emitter.broadcast(padding, type.shape, []);
  return rest.reduce((whole, piece) => putBox(emitter, whole, piece.value, piece), padTo(emitter, first.value, first, type.shape, padding));
}

type Piece = Box & { readonly value: Value };

/** The axis along which the pieces follow one another and fill the output. */
function concatenatedAxis(pieces: readonly Piece[], shape: readonly number[]): number | undefined {
  const axis = shape.findIndex((extent, own) => pieces.some(({ value }) => value.shape[own] !== extent));
  if (pieces.length === 0 || pieces.some(({ step }) => step.some((by) => by !== 1))) return undefined;
  let end = 0;
  for (const { value, at } of pieces) {
    if (at.some((start, own) => start !== (own === axis ? end : 0)) || value.shape.some((extent, own) => own !== axis && extent !== shape[own])) return undefined;
    end += value.shape[axis] ?? 0;
  }
  return axis >= 0 && end === shape[axis] ? axis : axis < 0 && pieces.length === 1 ? 0 : undefined;
}

function concatenate(emitter: Emitter, pieces: readonly Value[], axis: number, type: ValueType): Value {
  return pieces.length === 1 ? (pieces[0] as Value) : emitter.other('concatenate', pieces, type, `, dim = ${axis}`);
}

/** The value in a box of a tensor of that shape that has the scalar `padding` elsewhere. */
function padTo(emitter: Emitter, value: Value, { at, step }: Box, shape: readonly number[], padding: Value): Value {
  const interior = value.shape.map((extent, axis) => (extent > 1 ? (step[axis] as number) - 1 : 0));
  const high = shape.map((extent, axis) => extent - (at[axis] as number) - spread(value.shape[axis] as number, interior[axis] as number));
  return emitter.other('pad', [value, padding], { element: value.element, shape }, `, low = ${listText(at)}, high = ${listText(high)}, interior = ${listText(interior)}`);
}

function spread(extent: number, interior: number): number {
  return extent === 0 ? 0 : extent + (extent - 1) * interior;
}

/** The whole with the value in a box of it. */
function putBox(emitter: Emitter, whole: Value, value: Value, box: Box): Value {
  if (value.shape.includes(0)) return whole;
  if (sameExtents(whole.shape, value.shape)) return value;
  if (box.step.every((by, axis) => by === 1 || value.shape[axis] === 1)) return emitter.other('dynamic_update_slice', [whole, value, ...box.at.map((start) => emitter.int32(start))], whole);
  const placed = padTo(emitter, value, box, whole.shape, emitter.zeros({ element: value.element, shape: [] }));
  const mask = padTo(emitter, emitter.splat('i1', value.shape, 'true'), box, whole.shape, emitter.splat('i1', [], 'false'));
  return emitter.select(mask, placed, whole);
}

/** Adds the second operand to a box of the first. */
export function emitBoxAdd(emitter: Emitter, { operation, params }: Instruction, [target, updates]: readonly [Value, Value]): Value {
  const { start = [], step = [] } = operation.traits.boxAdd?.(params) ?? {};
  const at = emitter.extents(start);
  if (updates.shape.includes(0)) return target;
  const box = emitter.slice(target, at, updates.shape, step);
  return putBox(emitter, target, emitter.same('add', box, updates), { at, step });
}
