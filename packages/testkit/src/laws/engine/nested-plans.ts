/** Plans by hand for steps inside steps. Values are small integers, so that every dtype has them exactly. */
import { addDims, type BufferView, counterDim, type Dim, type DType, elementCount, type Engine, loop, type LoopStep, mulDims, type Plan, type PlanBuffer, type ScalarExpr, type Step, subDims, symbolicDim, type TensorType, tensorType } from '@tf/core';
import { type HostValue, hostValue } from '../../values.ts';

/** A plan that is run with each of these inputs in turn, and the outputs that it must have. */
export interface NestedCase {
  readonly name: string;
  readonly plan: Plan;
  readonly runs: readonly { readonly inputs: readonly HostValue[]; readonly outputs: readonly (readonly number[])[] }[];
}

const n = symbolicDim('n');
const [i, j, k] = [counterDim('#i'), counterDim('#j'), counterDim('#k')] as const;

interface Parts {
  readonly inputs: readonly TensorType[];
  readonly outputs: readonly TensorType[];
  /** Buffers after one per input and one per output; each has a slot of its own. */
  readonly inner?: readonly (readonly [dtype: DType, elements: Dim, kind?: 'arena' | 'tile'])[];
  readonly steps: readonly Step[];
}

function planOf({ inputs, outputs, inner = [], steps }: Parts): Plan {
  const place = (kind: 'input' | 'output') => ({ dtype, shape }: TensorType, index: number): PlanBuffer => ({ dtype, elements: elementCount(shape), place: { kind, index } });
  const own = inner.map(([dtype, elements, kind = 'arena'], slot): PlanBuffer => ({ dtype, elements, place: { kind, slot } }));
  return { contract: 1, inputs, outputs, buffers: [...inputs.map(place('input')), ...outputs.map(place('output')), ...own], slots: inner.map(([, elements]) => [mulDims(8, elements)]), steps, constraints: [], intermediateBytes: 0 };
}

const at = (buffer: number, offset: Dim = 0, ...strides: readonly Dim[]): BufferView => ({ buffer, offset, strides });

/** A loop of one dtype over whole rows; it may write another. */
function loopOf(dtype: DType, extents: readonly Dim[], reads: readonly BufferView[], write: BufferView, body: ScalarExpr, written: DType = dtype): LoopStep {
  const inner = ({ strides }: BufferView): 'contiguous' | 'broadcast' => (strides.at(-1) === 0 ? 'broadcast' : 'contiguous');
  return { kind: 'loop', kernel: { rank: extents.length, reads: reads.map((view) => ({ dtype, inner: inner(view) })), writes: [{ dtype: written, inner: inner(write) }], body: [body] }, extents, reads, writes: [write] };
}

const value = (dtype: DType, index: number): ScalarExpr => loop.argument(loop.scalarTypeOf(dtype), index);
const constant = (dtype: DType, of: number): ScalarExpr => loop.constant(loop.scalarTypeOf(dtype), of);
const sumOf = (dtype: DType): ScalarExpr => loop.add(value(dtype, 0), value(dtype, 1));
const copy = (dtype: DType, from: BufferView, to: BufferView): Step => ({ kind: 'copy', dtype, elements: 1, from, to });
const numbers = (dtype: DType, shape: readonly number[], from = 1): HostValue => hostValue(dtype, shape, Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, index) => ((from + index) % 11) - 3));
const listOf = ({ data }: HostValue): readonly number[] => Array.from(data as ArrayLike<number>);

function runningSums(dtype: DType, isReversed: boolean): NestedCase {
  const offset = isReversed ? subDims(subDims(n, 1), i) : i;
  const body = [loopOf(dtype, [], [at(2), at(0, offset)], at(2), sumOf(dtype)), copy(dtype, at(2), at(1, offset))];
  const plan = planOf({ inputs: [tensorType(dtype, [n])], outputs: [tensorType(dtype, [n])], inner: [[dtype, 1]], steps: [loopOf(dtype, [], [], at(2), constant(dtype, 0)), { kind: 'repeat', counter: '#i', count: n, steps: body }] });
  const runs = [3, 0, 1, 2, 9, 9].map((count) => {
    const given = numbers(dtype, [count], count);
    const order = (list: readonly number[]): readonly number[] => (isReversed ? [...list].reverse() : list);
    let total = 0;
    return { inputs: [given], outputs: [order(order(listOf(given)).map((term) => (total += term)))] };
  });
  return { name: `${dtype}: running sums from the ${isReversed ? 'last to the first' : 'first to the last'}`, plan, runs };
}

/** out[i, j, k] = x[i, 3 − j, k] + the sum of what came before in row i. */
function threeDeep(dtype: DType): NestedCase {
  const from = addDims(addDims(mulDims(mulDims(4, n), i), mulDims(n, subDims(3, j))), k);
  const to = addDims(addDims(mulDims(mulDims(4, n), i), mulDims(n, j)), k);
  const innermost: Step = { kind: 'repeat', counter: '#k', count: n, steps: [loopOf(dtype, [], [at(2), at(0, from)], at(2), sumOf(dtype)), copy(dtype, at(2), at(1, to))] };
  const rows: Step = { kind: 'repeat', counter: '#i', count: 2, steps: [loopOf(dtype, [], [], at(2), constant(dtype, 0)), { kind: 'repeat', counter: '#j', count: 4, steps: [innermost] }] };
  const plan = planOf({ inputs: [tensorType(dtype, [2, 4, n])], outputs: [tensorType(dtype, [2, 4, n])], inner: [[dtype, 1]], steps: [rows] });
  const runs = [3, 0, 1, 3].map((count) => {
    const given = numbers(dtype, [2, 4, count]);
    const list = listOf(given);
    const outputs = [0, 1].flatMap((row) => {
      let total = 0;
      return [3, 2, 1, 0].flatMap((column) => Array.from({ length: count }, (_, last) => (total += list[(row * 4 + column) * count + last] as number)));
    });
    return { inputs: [given], outputs: [outputs] };
  });
  return { name: `${dtype}: three repeated steps in each other`, plan, runs };
}

/** Of each of n matrices: the largest of a row taken from the row, tile by tile. */
function tilesInside(dtype: DType): NestedCase {
  const [rows, columns] = [17, 3];
  const matrix = (buffer: number): BufferView => at(buffer, mulDims(rows * columns, i), columns, 1);
  const maxima: LoopStep = { kind: 'loop', kernel: { rank: 2, reads: [{ dtype, inner: 'contiguous' }], writes: [{ dtype, inner: 'contiguous' }], body: [value(dtype, 0)], reduce: { monoid: 'max', axes: 1 } }, extents: [rows, columns], reads: [matrix(0)], writes: [at(2, 0, 1)] };
  const less = loopOf(dtype, [rows, columns], [matrix(0), at(2, 0, 1, 0)], matrix(1), loop.sub(value(dtype, 0), value(dtype, 1)));
  const plan = planOf({ inputs: [tensorType(dtype, [n, rows, columns])], outputs: [tensorType(dtype, [n, rows, columns])], inner: [[dtype, rows, 'tile']], steps: [{ kind: 'repeat', counter: '#i', count: n, steps: [{ kind: 'tile', rows, steps: [maxima, less] }] }] });
  const runs = [2, 0, 3, 3].map((count) => {
    const given = numbers(dtype, [count, rows, columns], count);
    const list = listOf(given);
    return { inputs: [given], outputs: [list.map((term, index) => term - Math.max(...list.slice(index - (index % columns), index - (index % columns) + columns)))] };
  });
  return { name: `${dtype}: tiles inside a repeated step`, plan, runs };
}

/** Each of n numbers is doubled, and 1 added, as long as it is less than 20; the bools lie side by side. */
function whileInside(dtype: DType): NestedCase {
  const holds = at(2, i);
  const step: Step = { kind: 'while', condition: [loopOf(dtype, [], [at(1, i)], holds, loop.lt(value(dtype, 0), constant(dtype, 20)), 'bool')], holds, steps: [loopOf(dtype, [], [at(1, i), at(1, i)], at(1, i), sumOf(dtype)), loopOf(dtype, [], [at(1, i)], at(1, i), loop.add(value(dtype, 0), constant(dtype, 1)))] };
  const plan = planOf({ inputs: [tensorType(dtype, [n])], outputs: [tensorType(dtype, [n])], inner: [['bool', n]], steps: [{ kind: 'repeat', counter: '#i', count: n, steps: [copy(dtype, at(0, i), at(1, i)), step] }] });
  const given = [1, 25, 19, 20, 0, 6];
  const outputs = [given.map((start) => {
    let term = start;
    while (term < 20) term = 2 * term + 1;
    return term;
  })];
  return { name: `${dtype}: while steps inside a repeated step`, plan, runs: [1, 2].map(() => ({ inputs: [hostValue(dtype, [6], given)], outputs })) };
}

/**
 * The condition counts how often it is asked, and the body takes back what the condition said once it has run three times: an engine
 * that asks once too few, or looks at the answer of the time before, stops elsewhere and does not run forever.
 */
function askedEachTime(dtype: DType): NestedCase {
  const [asked, done, holds] = [at(1, 0), at(1, 1), at(2)];
  const counted = (view: BufferView): Step => loopOf(dtype, [], [view], view, loop.add(value(dtype, 0), constant(dtype, 1)));
  const isBelow = (limit: BufferView | number): Step =>
    loopOf(dtype, [], typeof limit === 'number' ? [done] : [done, limit], holds, loop.lt(value(dtype, 0), typeof limit === 'number' ? constant(dtype, limit) : value(dtype, 1)), 'bool');
  const start = [asked, done].map((view) => loopOf(dtype, [], [], view, constant(dtype, 0)));
  const step: Step = { kind: 'while', condition: [counted(asked), isBelow(at(0))], holds, steps: [counted(done), isBelow(3)] };
  const plan = planOf({ inputs: [tensorType(dtype, [])], outputs: [tensorType(dtype, [2])], inner: [['bool', 1]], steps: [...start, step] });
  return { name: `${dtype}: a condition is asked before each time`, plan, runs: [5, 0, 1, 7, 7].map((limit) => ({ inputs: [hostValue(dtype, [], [limit])], outputs: [[limit + 1, limit]] })) };
}

function branchInside(dtype: DType): NestedCase {
  const set = (to: number): Step => loopOf(dtype, [], [], at(1, i), constant(dtype, to));
  const step: Step = { kind: 'branch', index: at(0, i), branches: [[set(5)], [], [set(6), loopOf(dtype, [], [at(1, i), at(1, i)], at(1, i), sumOf(dtype))]] };
  const plan = planOf({ inputs: [tensorType('int32', [n])], outputs: [tensorType(dtype, [n])], steps: [{ kind: 'repeat', counter: '#i', count: n, steps: [set(1), step] }] });
  const given = hostValue('int32', [7], [1, 0, 2, 3, -1, 2 ** 31 - 1, -(2 ** 31)]);
  return { name: `${dtype}: branches inside a repeated step`, plan, runs: [1, 2].map(() => ({ inputs: [given], outputs: [[1, 5, 12, 12, 5, 12, 5]] })) };
}

/** out[i] = x[i, indices[i]] for three rows, with indices to come, through a buffer in the arena. */
export function gatherInside(dtype: DType): Plan {
  const gather: Step = { kind: 'gather', dtype, extents: [1], indices: at(1, i, 0), rows: 3, rowStride: 1, source: at(0, mulDims(3, i), 0), out: at(3, i, 1) };
  const around: Step = { kind: 'repeat', counter: '#i', count: n, steps: [{ kind: 'branch', index: at(1), branches: [[gather]] }] };
  return planOf({ inputs: [tensorType(dtype, [n, 3]), tensorType('int32', [n])], outputs: [tensorType(dtype, [n])], inner: [[dtype, n]], steps: [around, { kind: 'copy', dtype, elements: n, from: at(3), to: at(2) }] });
}

/** The plans for the dtypes that an engine declares. */
export function nestedCases({ info }: Engine): readonly NestedCase[] {
  const values = (['int32', 'float32', 'float64'] as const).filter((dtype) => info.dtypes.includes(dtype));
  const has = (dtype: DType): boolean => info.dtypes.includes(dtype);
  return values.flatMap((dtype) => [
    runningSums(dtype, false), runningSums(dtype, true), threeDeep(dtype), tilesInside(dtype),
    ...(has('bool') ? [whileInside(dtype), askedEachTime(dtype)] : []), ...(has('int32') ? [branchInside(dtype)] : []),
  ]);
}
