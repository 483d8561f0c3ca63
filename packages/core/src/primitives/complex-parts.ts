import type { Var } from '../contract.ts';
import { argument, scalarTypeOf } from '../loop/scalar.ts';
import { requireOperand } from '../program/dispatch.ts';
import { type ComplexOf, complexOf, type DType, type FloatDType, isComplex, realPart, type RealPart } from '../types/dtype.ts';
import type { Argument, JoinDType, JoinKind, Kind, Of, Operand } from '../types/operand.ts';
import { broadcastShapes } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { applyPromoted, applyUnary } from './arguments.ts';
import { add } from './arithmetic.ts';
import { convert } from './convert.ts';
import { complexes, definePrimitive, floats, type Primitive, requireDType } from './define.ts';
import { defineElementwise } from './elementwise.ts';
import { linear } from './rules.ts';

export const realPrimitive: Primitive = defineElementwise({
  name: 'real', inputs: 1, dtypes: complexes, result: realPart,
  real: (x) => x!, complex: (z) => [z![0]],
  rule: linear((_ctx, ct) => complex(ct, 0) as Var),
});

export const imagPrimitive: Primitive = defineElementwise({
  name: 'imag', inputs: 1, dtypes: complexes, result: realPart,
  real: (x) => x!, complex: (z) => [z![1]!],
  rule: linear((_ctx, ct) => complex(0, ct) as Var),
});

export const complexPrimitive: Primitive = definePrimitive({
  name: 'complex',
  inputs: 2,
  infer: ([re, im], _params, sink, op) => {
    requireDType(op, re!, floats);
    requireDType(op, im!, [re!.dtype]);
    return [tensorType(complexOf(re!.dtype as FloatDType), broadcastShapes(op, [re!.shape, im!.shape], sink))];
  },
  traits: { elementwise: (_params, inputs) => inputs.map((dtype, part) => argument(scalarTypeOf(dtype), part)) },
  rule: {
    kind: 'rule',
    linear: { inputs: [0, 1], how: 'together' },
    linearize: (_ctx, [re, im]) => [complex(re ?? 0, im ?? 0) as Var],
    transpose: (ctx, [ct]) => ct === undefined ? [] : [ctx.active[0] ? (real(ct) as Var) : undefined, ctx.active[1] ? (imag(ct) as Var) : undefined],
  },
});

/** The real part, elementwise; a real tensor is its own. */
export function real<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, RealPart<D>> {
  requireOperand('real', 'x', x);
  return (isComplex(x.type.dtype) ? applyUnary(realPrimitive.operation, x, {}) : x) as Of<K, RealPart<D>>;
}

/** The imaginary part, elementwise; 0 for a real tensor. */
export function imag<K extends Kind, D extends DType>(x: Operand<K, D>): Of<K, RealPart<D>> {
  requireOperand('imag', 'x', x);
  const { dtype } = x.type;
  if (isComplex(dtype)) return applyUnary(imagPrimitive.operation, x, {}) as Of<K, RealPart<D>>;
  const zero = applyUnary(imagPrimitive.operation, convert(x, dtype === 'float32' ? 'complex64' : 'complex128') as Operand<K, DType>, {});
  return convert(zero as Operand<K, DType>, dtype) as Of<K, RealPart<D>>;
}

/**
 * re + i·im, elementwise with broadcasting: complex64 of float32, else complex128.
 *
 * @throws DTypeError when a part is complex, ShapeError when shapes do not broadcast.
 * @example
 * import { Builder, complex, tensorType } from '@tf/core';
 * const x = new Builder().input(tensorType('float32', [3]), 'x');
 * if (complex(x, 1).type.key !== 'c64[3]') throw new Error('unexpected');
 */
export function complex<A extends Argument, B extends Argument>(re: A, im: B): Of<JoinKind<A, B>, ComplexOf<JoinDType<A, B>>> {
  return applyPromoted(complexPrimitive.operation, [re, im], {}, 'float') as Of<JoinKind<A, B>, ComplexOf<JoinDType<A, B>>>;
}

/**
 * z + x with the imaginary part as it is, down to the sign of a zero (C's Annex G.5.1): it says on which side of a cut z lies,
 * while the sum with the complex number x + 0i forgets −0.
 */
export function plusReal<K extends Kind, D extends DType>(z: Operand<K, D>, x: number): Operand<K, D> {
  const sum = isComplex(z.type.dtype) ? complex(add(real(z), x), imag(z)) : add(z, x);
  return sum as Operand<K, D>;
}

export const complexPartsPrimitives: readonly Primitive[] = [realPrimitive, imagPrimitive, complexPrimitive];
