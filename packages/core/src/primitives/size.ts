import { TfError } from '../errors.ts';
import { chooseListener, requireOperand } from '../program/dispatch.ts';
import { type Dim, dimText, isKnown } from '../types/dim.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { elementCount, normaliseAxis } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { noRule } from './rules.ts';

const largest = 2 ** 31 - 1;

export const sizePrimitive: Primitive = definePrimitive({
  name: 'size',
  inputs: 0,
  infer: (_inputs, params, _sink, op) => {
    const extent = params['extent'] as Dim;
    if (isKnown(extent) && extent > largest) throw new TfError('TooLargeError', `${op}: ${dimText(extent)} is more than an int32 holds (${largest}). Take the extents of single axes and multiply them in float64.`, { op, requested: extent, maximum: largest });
    return [tensorType('int32', [])];
  },
  traits: { size: (params) => params['extent'] as Dim },
  batch: 'leading',
  rule: noRule('a size is an integer, which carries no tangent'),
});

/** An extent as a value of the listener of `x`. */
export function extentOf<K extends Kind>(x: Operand<K>, extent: Dim): Of<K, 'int32'> {
  const listener = chooseListener(sizePrimitive.operation.id, [x]);
  return listener.apply(sizePrimitive.operation, [], { extent })[0] as Of<K, 'int32'>;
}

/**
 * The size of x along an axis as an int32 scalar in the program: the number that a symbolic extent has when it runs.
 *
 * @throws AxisError for an axis out of range, ArgumentError for what is no tensor.
 * @example
 * import { tensor } from '@tf/core';
 * import { createEngine } from '@tf/engine-cpu-wasm';
 * import { compile, input } from '@tf/traced';
 * import { shapeOf } from '@tf/core';
 * const x = input('x', { shape: ['n'] });
 * const run = compile({ rows: shapeOf(x, 0) }, { engine: await createEngine(), inputs: [x] });
 * console.log(run({ x: tensor([1, 2, 3]) }).rows.item()); // → 3
 */
export function shapeOf<K extends Kind>(x: Operand<K>, axis: number): Of<K, 'int32'> {
  requireOperand('shapeOf', 'x', x);
  return extentOf(x, x.type.shape[normaliseAxis('shapeOf', axis, x.type.shape.length)] as Dim);
}

/** The number of elements of x as an int32 scalar in the program; as {@link shapeOf}. */
export function size<K extends Kind>(x: Operand<K>): Of<K, 'int32'> {
  requireOperand('size', 'x', x);
  return extentOf(x, elementCount(x.type.shape));
}
