/** Operations that combine many elements: reductions, contractions, running values. */
import { type ContractionAxes, type Instruction, loop, type MonoidName, paramsKey, type Scan } from '@tf/core';
import { type Emitter, numberText, sameExtents } from './emitter.ts';
import { emitBody, type ScalarBody } from './elementwise.ts';
import type { ModuleWriter } from './module.ts';
import { listText, signature, type Value, type ValueType } from './text.ts';

const monoids: { readonly [M in MonoidName]: { readonly numbers: string; readonly bools: string } } = {
  sum: { numbers: 'add', bools: 'or' },
  prod: { numbers: 'multiply', bools: 'and' },
  max: { numbers: 'maximum', bools: 'or' },
  min: { numbers: 'minimum', bools: 'and' },
};

/** XLA chooses the order in which elements are combined, so that sums and products differ from the engines' in their last digits. */
export function emitReduction(emitter: Emitter, monoid: MonoidName, { params, outputs }: Instruction, x: Value): Value {
  const { type } = outputs[0] as Instruction['outputs'][number];
  const shape = emitter.extents(type.shape);
  const axes = params['axes'] as readonly number[];
  const folded = reduce(emitter, monoid, x, loop.identity(monoid, type.dtype), axes);
  const loses = (monoid === 'max' || monoid === 'min') && x.element.startsWith('f');
  return emitter.reshape(loses ? withNaN(emitter, x, folded, axes) : folded, shape);
}

function reduce(emitter: Emitter, monoid: MonoidName, x: Value, identity: number | bigint, axes: readonly number[]): Value {
  const start = emitter.splat(x.element, [], numberText(x.element, identity));
  const kept: ValueType = { element: x.element, shape: x.shape.filter((_, axis) => !axes.includes(axis)) };
  const { numbers, bools } = monoids[monoid];
  const body = `stablehlo.${x.element === 'i1' ? bools : numbers}`;
  return emitter.write(`stablehlo.reduce(${x.name} init: ${start.name}) applies ${body} across dimensions =`, `${listText(axes)} : ${signature([x, start], [kept])}`, kept);
}

/** NaN where any element is: see {@link Emitter.extremum}. The reduction itself stays one that XLA knows, also across devices. */
function withNaN(emitter: Emitter, x: Value, folded: Value, axes: readonly number[]): Value {
  const isAny = reduce(emitter, 'max', emitter.compare('NE', x, x), 0, axes);
  return emitter.select(isAny, emitter.splat(x.element, folded.shape, numberText(x.element, NaN)), folded);
}

/** Axes of the output: batch, free of lhs, free of rhs, in StableHLO too. */
export function emitContraction(emitter: Emitter, axes: ContractionAxes, [lhs, rhs]: readonly [Value, Value], type: ValueType): Value {
  const batching = axes.lhsBatch.length === 0 ? '' : `, batching_dims = ${listText(axes.lhsBatch)} x ${listText(axes.rhsBatch)}`;
  return emitter.other('dot_general', [lhs, rhs], type, `${batching}, contracting_dims = ${listText(axes.lhsContract)} x ${listText(axes.rhsContract)}, precision = [HIGHEST, HIGHEST]`);
}

/** A loop along the axis: element after element, so that each running value has the engines' bits. */
export function emitScan(emitter: Emitter, module: ModuleWriter, scan: Scan, instruction: Instruction, operands: readonly Value[]): Value {
  const [output] = instruction.outputs as readonly [Instruction['outputs'][number]];
  const type = emitter.typeOf(output.type);
  const length = type.shape[scan.axis] as number;
  const row: ValueType = { element: type.element, shape: type.shape.map((extent, axis) => (axis === scan.axis ? 1 : extent)) };
  if (type.shape.includes(0)) return emitter.zeros(type);
  const bodyOf = (part: 'first' | 'next'): ScalarBody => ({ exprs: scan[part], outputs: [output.type.dtype], key: `${instruction.operation.id} ${part} ${paramsKey(instruction.params)} ${operands.map(({ element }) => element).join()}`, stem: `${instruction.operation.name}_${part}` });
  const place = (inside: Emitter, at: Value): readonly Value[] => type.shape.map((_, axis) => (axis === scan.axis ? at : inside.int32(0)));
  const rowsAt = (inside: Emitter, from: readonly Value[], at: Value): readonly Value[] =>
    from.map((operand) => inside.other('dynamic_slice', [operand, ...place(inside, at)], { element: operand.element, shape: row.shape }, `, sizes = ${listText(row.shape)}`));
  const put = (inside: Emitter, into: Value, value: Value, at: Value): Value => inside.other('dynamic_update_slice', [into, value, ...place(inside, at)], into);
  const begin = emitter.int32(scan.reverse ? length - 1 : 0);
  const [first] = emitBody(emitter, module, bodyOf('first'), rowsAt(emitter, operands, begin), row.shape) as readonly [Value];
  if (sameExtents(row.shape, type.shape)) return first;
  const state = [emitter.int32(1), ...operands, first, put(emitter, emitter.zeros(type), first, begin)];
  const results = emitter.generic('while', state, state, '', [
    { takes: state, body: (inside, [count]) => [inside.compare('LT', count as Value, inside.int32(length))] },
    { takes: state, body: (inside, taken) => {
      const [count, running, results] = [taken[0], taken.at(-2), taken.at(-1)] as readonly [Value, Value, Value];
      const inputs = taken.slice(1, -2);
      const at = scan.reverse ? inside.same('subtract', inside.int32(length - 1), count) : count;
      const [next] = emitBody(inside, module, bodyOf('next'), [...rowsAt(inside, inputs, at), running], row.shape) as readonly [Value];
      return [inside.same('add', count, inside.int32(1)), ...inputs, next, put(inside, results, next, at)];
    } },
  ]);
  return results.at(-1) as Value;
}
