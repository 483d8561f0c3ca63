import type { Operation } from '../contract.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { type DType, dtypes, requireDTypeName } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { argument, convert as convertScalar, constant, scalarTypeOf } from '../loop/scalar.ts';

/** Element conversion: to an integer truncates and saturates, to bool is ≠ 0, complex to real drops the imaginary part. */
export const convertPrimitive: Primitive = definePrimitive({
  name: 'convert',
  inputs: 1,
  infer: ([x], params, _sink, op) => {
    const dtype: unknown = params['dtype'];
    requireDTypeName(op, dtype);
    return [tensorType(dtype, x!.shape)];
  },
  traits: {
    elementwise: (params, [from]) => {
      const to = params['dtype'] as DType;
      const part = (lane: 0 | 1): ScalarExpr => convertScalar(scalarTypeOf(to), argument(scalarTypeOf(from!), 0, lane));
      if (dtypes[to].lanes === 1) return [part(0)];
      return [part(0), dtypes[from!].lanes === 2 ? part(1) : constant(scalarTypeOf(to), 0)];
    },
  },
  rule: {
    kind: 'rule',
    linear: { inputs: [0], how: 'together' },
    // From or to integers nothing flows: the transform never calls this for them.
    linearize: (ctx, [dx]) => ctx.apply(ctx.operation, [dx!], ctx.params),
    transpose: (ctx, [ct]) => ctx.apply(ctx.operation, [ct!], { dtype: ctx.inputTypes[0]!.dtype }),
  },
});

export const convertOperation: Operation = convertPrimitive.operation;

/**
 * `x` in another dtype. Gradients pass between floating dtypes; integers and booleans carry none.
 *
 * @throws DTypeError when `dtype` is no dtype.
 * @example
 * import { Builder, convert, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('int32', [3]), 'x');
 * if (convert(x, 'float64').type.dtype !== 'float64') throw new Error('unexpected');
 */
export function convert<K extends Kind, D extends DType>(x: Operand<K, DType>, dtype: D): Of<K, D> {
  requireOperand('convert', 'x', x);
  const listener = chooseListener(convertOperation.id, [x]);
  const own = liftArgument(listener, x, dtype, convertOperation.id, 0);
  if (own.type.dtype === dtype) return own as Of<K, D>;
  return listener.apply(convertOperation, [own], { dtype })[0] as Of<K, D>;
}
