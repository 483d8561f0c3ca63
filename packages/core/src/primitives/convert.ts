import type { Operation } from '../contract.ts';
import { chooseListener, liftArgument, requireOperand } from '../program/dispatch.ts';
import { hostForm } from '../program/host.ts';
import { isLiteral } from '../program/literal.ts';
import { TfError } from '../errors.ts';
import { type DType, dtypes, isComplex, requireDTypeName, type TypedArray } from '../types/dtype.ts';
import type { ScalarExpr } from '../types/loop-language.ts';
import type { Kind, Of, Operand } from '../types/operand.ts';
import { tensorType } from '../types/tensor-type.ts';
import { definePrimitive, type Primitive } from './define.ts';
import { argument, convert as convertScalar, constant, or, scalarTypeOf } from '../loop/scalar.ts';

/** Element conversion: to an integer truncates and saturates, to bool is ≠ 0 (in either part), complex to real drops the imaginary part. */
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
      if (to === 'bool' && dtypes[from!].lanes === 2) return [or(part(0), part(1))];
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
 * `x` in another dtype, checked where that can be when it is called: values that are known then (those of literals and host tensors) must
 * be integers of `dtype` if that is an integer one. What is only known when it runs is cut to an integer, and to the range of float
 * operands. Gradients pass between floating dtypes; integers and booleans carry none.
 *
 * @throws DTypeError when `dtype` is no dtype, a known value is no integer of it, or a complex `x` would lose its imaginary part: take
 * `real`, `imag` or `abs`, round, or say with {@link cast} that it may.
 * @example
 * import { Builder, convert, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('int32', [3]), 'x');
 * if (convert(x, 'float64').type.dtype !== 'float64') throw new Error('unexpected');
 */
export function convert<K extends Kind, D extends DType>(x: Operand<K, DType>, dtype: D): Of<K, D> {
  requireOperand('convert', 'x', x);
  requireDTypeName('convert', dtype);
  if (isComplex(x.type.dtype) && !isComplex(dtype)) {
    throw new TfError('DTypeError', `convert: ${x.type.key} to ${dtype} would drop the imaginary part. Take real(x), imag(x) or abs(x), or cast(x, '${dtype}') if that is meant.`, { op: 'convert', argument: 'dtype', dtype });
  }
  requireIntegers(x, dtype);
  return cast(x, dtype);
}

const ranges = { int32: [-(2 ** 31), 2 ** 31], int64: [-(2 ** 63), 2 ** 63] } as const;

/** Refuses known values that an integer dtype does not hold. */
function requireIntegers(x: Operand, dtype: DType): void {
  const data = isLiteral(x) ? x.data : knownData(x);
  if (data === undefined || (dtype !== 'int32' && dtype !== 'int64') || x.type.dtype === dtype || x.type.dtype === 'bool') return;
  const [low, high] = ranges[dtype];
  const holds = (value: number | bigint): boolean => value >= low && value < high && (typeof value === 'bigint' || Number.isInteger(value));
  const wrong = (data as ArrayLike<number | bigint> & { find: Float64Array['find'] }).find((value) => !holds(value));
  if (wrong === undefined) return;
  throw new TfError('DTypeError', `convert: ${wrong} of ${x.type.key} is no ${dtype}. Round it first, or cast(x, '${dtype}'), which cuts it to one.`, { op: 'convert', argument: 'x', value: wrong, dtype });
}

/** The values of a host tensor that is no deferred operation. */
function knownData(x: Operand): TypedArray | undefined {
  const form = hostForm(x);
  return form?.form === 'data' ? form.data : undefined;
}

/**
 * {@link convert} without a check: drops imaginary parts, cuts fractions and what is beyond the range; to bool, whether either part is not 0.
 *
 * @throws DTypeError when `dtype` is no dtype.
 * @example
 * import { Builder, cast, tensorType } from '@tf/core';
 * const z = new Builder().input(tensorType('complex128', [3]), 'z');
 * if (cast(z, 'float32').type.dtype !== 'float32') throw new Error('unexpected');
 */
export function cast<K extends Kind, D extends DType>(x: Operand<K, DType>, dtype: D): Of<K, D> {
  requireOperand('cast', 'x', x);
  requireDTypeName('cast', dtype);
  const listener = chooseListener(convertOperation.id, [x]);
  const own = liftArgument(listener, x, dtype, convertOperation.id, 0);
  if (own.type.dtype === dtype) return own as Of<K, D>;
  return listener.apply(convertOperation, [own], { dtype })[0] as Of<K, D>;
}
