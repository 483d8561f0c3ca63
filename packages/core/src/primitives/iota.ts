import { chooseListener, requireOperand } from '../program/dispatch.ts';
import { requireText, wrongArgument } from '../types/argument.ts';
import { type Dim, isDim } from '../types/dim.ts';
import { type DType, requireDTypeName } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { definePrimitive, type Primitive, requireDType } from './define.ts';
import { noRule } from './rules.ts';

/** What counts. */
const countable: readonly DType[] = ['float32', 'float64', 'int32', 'int64'];

/** The indices of an axis as values: made when it runs, so that no array of them is part of a program. */
export const iotaPrimitive: Primitive = definePrimitive({
  name: 'iota',
  inputs: 0,
  infer: (_inputs, params, _sink, op) => {
    const dtype: unknown = params['dtype'];
    requireDTypeName(op, dtype);
    requireDType(op, tensorType(dtype, []), countable);
    return [tensorType(dtype, [params['size'] as Dim])];
  },
  traits: { iota: true },
  batch: 'leading',
  rule: noRule('it has no operand: indices are the same whatever the values are'),
});

/**
 * The indices 0, 1, … of an axis of this size, made by whoever carries out operations on `beside`; errors carry the name `op`.
 *
 * @throws ArgumentError for an empty name, what is no tensor, or no extent.
 */
export function iotaBeside(op: string, beside: Operand, size: Dim, dtype: DType = 'int32'): Operand {
  requireText('iotaBeside', 'op', op);
  requireOperand(op, 'beside', beside);
  if (!isDim(size)) throw wrongArgument(op, 'size', size, 'an extent: a size, or x.type.shape[axis]');
  return chooseListener(op, [beside]).apply(iotaPrimitive.operation, [], { size, dtype })[0] as Operand;
}
