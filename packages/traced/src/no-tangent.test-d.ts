/** Types only: `tsc -b` is the test. Integers and booleans have no derivative, and the compiler says so where it knows them. */
import { argmax, type Differentiable, type DType, exp, type HostTensor, less, type NoTangent, sum, tensor } from '@tf/core';
import { grad, gradOptional, hessian, hvp, jacobianForward, jacobianReverse, jvp, type TracedTensor, valueAndGrad, vjp } from './index.ts';
import type { DifferentiableCall } from './tree-types.ts';

type F64 = TracedTensor<'float64'>;
type I32 = TracedTensor<'int32'>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Holds<T extends true> = T;

/** What the compiler says, beside twins of which it says nothing. */
export type Words = [
  Holds<Equal<NoTangent<'int32'>, 'float or complex only: int32 has no derivative; convert it first'>>,
  Holds<Equal<Differentiable<'int32'>, 'float or complex only: int32 has no derivative; convert it first'>>,
  Holds<Equal<Differentiable<'int64'>, 'float or complex only: int64 has no derivative; convert it first'>>,
  Holds<Equal<Differentiable<'bool'>, 'float or complex only: bool has no derivative; convert it first'>>,
  Holds<Equal<Differentiable<'float32'>, unknown>>,
  Holds<Equal<Differentiable<'complex64'>, unknown>>,
  Holds<Equal<Differentiable<'int32' | 'float64'>, unknown>>,
  Holds<Equal<Differentiable<DType>, unknown>>,
  Holds<Equal<Differentiable<never>, unknown>>,
  Holds<Equal<DifferentiableCall<[I32], 0, F64>, NoTangent<'int32'>>>,
  Holds<Equal<DifferentiableCall<[F64], 0, TracedTensor<'bool'>>, NoTangent<'bool'>>>,
  Holds<Equal<DifferentiableCall<[I32, F64], readonly [1, 0], F64>, NoTangent<'int32'>>>,
  Holds<Equal<DifferentiableCall<[I32, F64], 1, F64>, unknown>>,
  Holds<Equal<DifferentiableCall<[F64], never, F64>, unknown>>,
  Holds<Equal<DifferentiableCall<[{ readonly n: I32 }], 0, F64>, unknown>>,
  Holds<Equal<DifferentiableCall<readonly F64[], 0, TracedTensor>, unknown>>,
  // @ts-expect-error the words name the dtype
  Holds<Equal<Differentiable<'int32'>, Differentiable<'int64'>>>,
];

declare const x: F64;
declare const z: TracedTensor<'complex128'>;
declare const n: I32;
declare const long: TracedTensor<'int64'>;
declare const mask: TracedTensor<'bool'>;
declare const wide: TracedTensor;
declare const counts: HostTensor<'int32'>;

export function compiles(): void {
  const y = sum(exp(n));
  y.grad(x);
  y.grad(wide);
  y.grad(z);
  wide.grad(x);
  wide.vjp(wide, 1);
  x.jvp(z, 1);
  x.gradOptional(x);
  grad(y, x);
  grad(wide, wide);
  gradOptional(y, z);
  vjp(x, wide, 1);
  jvp(x, wide, 1);
  hvp(x, x, 1);
  hessian(x, x);
  jacobianForward(x, z);
  jacobianReverse(wide, x);
  grad((a: F64, k: I32) => a.mul(k).sum())(1, counts);
  grad((k: I32, a: F64) => a.mul(k).sum(), { argnums: 1 })(counts, 1);
  grad((a: TracedTensor) => a)(tensor(1));
  grad((p: { readonly a: F64; readonly k: I32 }) => p.a.mul(p.k))({ a: 1, k: counts });
  valueAndGrad((a) => a.mul(a))(1);
  valueAndGrad((a: F64) => [a, n] as const, { hasAux: true })(1);
  hessian((a) => a.mul(a))(1);
  jacobianForward((a: F64) => ({ a, positive: less(a, 1) }))(1);
}

export function refused(): void {
  // @ts-expect-error a gradient of an int32 loss
  n.grad(x);
  // @ts-expect-error by an int32
  x.grad(n);
  // @ts-expect-error by an int64
  x.grad(long);
  // @ts-expect-error by a bool
  x.gradOptional(mask);
  // @ts-expect-error of a bool
  mask.vjp(x, 1);
  // @ts-expect-error the tangent of an int32
  x.jvp(n, 1);
  // @ts-expect-error of an int32
  grad(n, x);
  // @ts-expect-error by an int32
  grad(x, n);
  // @ts-expect-error by an int32
  gradOptional(x, n);
  // @ts-expect-error by an int32
  vjp(x, n, 1);
  // @ts-expect-error of an int32
  jvp(n, x, 1);
  // @ts-expect-error by an int32
  hvp(x, n, 1);
  // @ts-expect-error by an int32
  hessian(x, n);
  // @ts-expect-error by a bool
  jacobianForward(x, mask);
  // @ts-expect-error of an int32
  jacobianReverse(n, x);
  // @ts-expect-error a function of an int32
  grad((k: I32) => k.mul(x).sum());
  // @ts-expect-error a function whose loss is a bool
  grad((a: F64) => less(a, 1));
  // @ts-expect-error the argument that argnums names is an int32
  grad((a: F64, k: I32) => a.mul(k).sum(), { argnums: 1 });
  // @ts-expect-error one of those that argnums names is an int32
  grad((a: F64, k: I32) => a.mul(k).sum(), { argnums: [0, 1] });
  // @ts-expect-error an int32 loss
  valueAndGrad((a: F64) => argmax(a));
  // @ts-expect-error an int32 loss beside an auxiliary value
  valueAndGrad((a: F64) => [n, a] as const, { hasAux: true });
  // @ts-expect-error a function of an int32
  hessian((k: I32) => k.mul(x).sum());
  // @ts-expect-error a function whose only result is a bool
  jacobianReverse((a: F64) => less(a, 1));
}
