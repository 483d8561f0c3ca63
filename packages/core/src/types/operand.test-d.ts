/** Types only: `tsc -b` is the test. */
import type { Var, VarKind } from '../contract.ts';
import { add, mul, neg } from '../primitives/arithmetic.ts';
import { conj } from '../primitives/conjugate.ts';
import { equal, less } from '../primitives/compare.ts';
import { matmul } from '../primitives/contraction.ts';
import { convert } from '../primitives/convert.ts';
import { div } from '../primitives/division.ts';
import { exp } from '../primitives/functions.ts';
import { reshape } from '../primitives/movement.ts';
import { reduceMax, sum } from '../primitives/reduce.ts';
import { select } from '../primitives/select.ts';
import { concat } from '../primitives/slicing.ts';
import { full, zeros } from '../tensor/create.ts';
import type { HostKind, HostTensor } from '../tensor/host-tensor.ts';
import type { DType, FloatResult, Promote } from './dtype.ts';
import { isType, type Same } from './is-type.testing.ts';
import type { DTypeOf, JoinDType, JoinKind, Kind, KindOf, Of, Operand } from './operand.ts';

type Holds<T extends true> = T;

/** Promotion at compile time is the table of run time. */
export type Promotions = [
  Holds<Same<Promote<'float32', 'int64'>, 'float32'>>,
  Holds<Same<Promote<'complex64', 'float64'>, 'complex128'>>,
  Holds<Same<Promote<'bool', 'int32'>, 'int32'>>,
  Holds<Same<Promote<'int32', 'int64'>, 'int64'>>,
  Holds<Same<Promote<DType, 'complex128'>, 'complex128'>>,
  Holds<Same<FloatResult<'int32' | 'bool'>, 'float64'>>,
  Holds<Same<FloatResult<'complex64'>, 'complex64'>>,
  // @ts-expect-error int32 with float32 is float32
  Holds<Same<Promote<'int32', 'float32'>, 'float64'>>,
];

export type Kinds = [
  Holds<Same<Of<VarKind, 'int32'>, Var<'int32'>>>,
  Holds<Same<Of<HostKind, 'bool'>, HostTensor<'bool'>>>,
  Holds<Same<KindOf<Var<'int32'>>, VarKind>>,
  Holds<Same<DTypeOf<HostTensor<'float32'>>, 'float32'>>,
  Holds<Same<KindOf<number>, never>>,
  // A Var listens before a host tensor, whichever comes first, and any tensor before a number.
  Holds<Same<JoinKind<Var<'int32'>, HostTensor<'float64'>>, VarKind>>,
  Holds<Same<JoinKind<HostTensor<'float64'>, Var<'int32'>>, VarKind>>,
  Holds<Same<JoinKind<HostTensor, HostTensor>, HostKind>>,
  Holds<Same<JoinKind<HostTensor<'float64'>, number>, HostKind>>,
  Holds<Same<JoinKind<true, Var<'float64'>>, VarKind>>,
  Holds<Same<JoinDType<Var<'float32'>, number>, 'float32'>>,
  Holds<Same<JoinDType<boolean, HostTensor<'bool'>>, 'bool'>>,
];

declare const f64: Var<'float64'>;
declare const f32: Var<'float32'>;
declare const i32: Var<'int32'>;
declare const mask: Var<'bool'>;
declare const z: Var<'complex64'>;
declare const host: HostTensor<'float64'>;

export const functions = (): void => {
  isType<Var<'float64'>>()(exp(i32));
  isType<Var<'float32'>>()(exp(f32));
  isType<Var<'complex64'>>()(conj(z));
  isType<Var<'int32'>>()(neg(i32));
  isType<Var<'float32'>>()(sum(f32));
  isType<Var<'int32'>>()(reduceMax(reshape(i32, [2, -1]), { axes: 0 }));
  isType<Var<'int64'>>()(convert(f32, 'int64'));
  isType<HostTensor<'float64'>>()(exp(host));
};

export const joined = (): void => {
  isType<Var<'float64'>>()(add(f32, f64));
  isType<Var<'float32'>>()(mul(2, f32));
  isType<Var<'complex128'>>()(add(z, host));
  isType<Var<'float64'>>()(div(i32, i32));
  isType<Var<'float64'>>()(matmul(host, i32));
  isType<Var<'bool'>>()(less(i32, 2));
  isType<Var<'bool'>>()(equal(host, z));
  isType<Var<'float64'>>()(select(mask, f32, f64));
  isType<Var<'float64'>>()(select(mask, 0, f64));
  isType<Var<'float64'>>()(select(mask, host, 0));
};

export const listed = (some: readonly Var<'float32'>[], either: readonly (Var<'float32'> | HostTensor<'float64'>)[]): void => {
  isType<Var<'float64'>>()(concat([f32, host]));
  isType<Var<'float64'>>()(concat([host, f32], 0));
  isType<HostTensor<'float64'>>()(concat([host, host]));
  isType<Var<'complex128'>>()(concat([i32, z, f64]));
  isType<Var<'int32'>>()(concat([i32, mask]));
  isType<Var<'float32'>>()(concat(some));
  isType<Var<'float32' | 'int32'>>()(concat([...some, i32]));
  isType<Var<'float32'>>()(concat([f32, full([3], 1, { dtype: 'float32' })]));
  isType<Var<'float64'>>()(concat([f32, zeros([3])]));
  isType<Var<'float32' | 'float64'>>()(concat(either));
};

export const refused = (): void => {
  // @ts-expect-error concat takes tensors, and a number has no axis to be joined along
  concat([f64, 2]);
  // @ts-expect-error concat takes a list
  concat(f64, f64);
  // @ts-expect-error a condition is bool, not float64
  select(f64, f32, f32);
  // @ts-expect-error a condition is a tensor
  select(true, f32, f32);
  // @ts-expect-error an array is no operand
  add(f64, [1, 2]);
  // @ts-expect-error a string is no operand
  mul('2', f64);
  // @ts-expect-error a function takes a tensor
  exp(2);
  // @ts-expect-error exp of int32 is float64
  isType<Var<'int32'>>()(exp(i32));
  // @ts-expect-error there is no such dtype
  convert(f64, 'float16');
  // @ts-expect-error matmul takes tensors
  matmul(f64, 2);
};

/** A function over any kind keeps the kind. */
export function twice<K extends Kind, D extends 'float32' | 'float64'>(x: Operand<K, D>): Of<K, D> {
  return neg(x);
}
isType<HostTensor<'float64'>>()(twice(host));
isType<Var<'float32'>>()(twice(f32));
