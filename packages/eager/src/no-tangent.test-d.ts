/** Types only: `tsc -b` is the test. Integers and booleans have no derivative, and the compiler says so where it knows them. */
import type { DType, HostTensor, NoTangent, Operand } from '@tf/core';
import { type EagerRuntime, type EagerTensor, grad, type VariableOptions } from './index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Holds<T extends true> = T;
type Gradient<D extends DType> = VariableOptions<D>['requiresGrad'];

/** What the compiler says, beside twins of which it says nothing. */
export type Words = [
  Holds<Equal<Gradient<'int32'>, false | 'float or complex only: int32 has no derivative; convert it first' | undefined>>,
  Holds<Equal<Gradient<'bool'>, false | NoTangent<'bool'> | undefined>>,
  Holds<Equal<Gradient<'complex64'>, boolean | undefined>>,
  Holds<Equal<Gradient<DType>, boolean | undefined>>,
];

declare const runtime: EagerRuntime;
declare const counts: HostTensor<'int32'>;
declare const mask: HostTensor<'bool'>;
declare const floats: HostTensor<'float32'>;
declare const host: Operand;
declare const x: EagerTensor<'float64'>;
declare const n: EagerTensor<'int64'>;
declare const wide: EagerTensor;

export function compiles(y: Operand): void {
  runtime.variable(counts);
  runtime.variable(counts, { requiresGrad: false });
  runtime.variable(floats, { requiresGrad: true });
  runtime.variable([1, 2], { requiresGrad: true });
  runtime.variable(host, { requiresGrad: true });
  runtime.grad(y, x);
  runtime.grad(x, wide);
  runtime.vjp(x, x, 1);
  runtime.jvp(wide, wide, 1);
  runtime.backward(y);
  wide.backward();
  x.mul(n).sum().backward();
  grad(y, x);
  grad([y, x], [x, wide]);
}

export function refused(): void {
  // @ts-expect-error no gradient accumulates in an int32
  runtime.variable(counts, { requiresGrad: true });
  // @ts-expect-error nor in a bool
  runtime.variable(mask, { requiresGrad: true });
  // @ts-expect-error by an int64
  runtime.grad(x, n);
  // @ts-expect-error of an int64
  runtime.grad(n, x);
  // @ts-expect-error by an int64
  runtime.gradOptional(x, n);
  // @ts-expect-error by an int64
  runtime.vjp(x, n, 1);
  // @ts-expect-error of an int64
  runtime.jvp(n, x, 1);
  // @ts-expect-error by an int64
  runtime.hvp(x, n, 1);
  // @ts-expect-error of an int64
  runtime.backward(n);
  // @ts-expect-error of an int64
  n.backward();
  // @ts-expect-error by an int64
  grad(x, n);
}
