/** Types only: `tsc -b` is the test. */
import type { DType } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import { full, ones, tensor, type TensorValue, zeros } from './create.ts';
import type { HostKind, HostTensor } from './host-tensor.ts';
import type { ComplexNumber, Nested } from './values.ts';
import { isType } from '../types/is-type.testing.ts';

const f64 = tensor([1, 2]);
const f32 = tensor(new Float32Array(2));
const i32 = tensor(new Int32Array(2));
const mask = tensor([true, false]);
const c64 = tensor(new Float32Array(4), { dtype: 'complex64' });

isType<HostTensor<'float64'>>()(f64);
isType<HostTensor<'float32'>>()(f32);
isType<HostTensor<'int32'>>()(i32);
isType<HostTensor<'bool'>>()(mask);
isType<HostTensor<'complex64'>>()(c64);

export const made = (value: TensorValue): void => {
  isType<HostTensor<DType>>()(tensor(value));
  isType<HostTensor<'float64'>>()(tensor(2));
  isType<HostTensor<'int64'>>()(tensor([1n, 2n]));
  isType<HostTensor<'float64'>>()(tensor([[1, true]]));
  isType<HostTensor<'float64'>>()(tensor([]));
  isType<HostTensor<'int32'>>()(tensor([1, 2], { dtype: 'int32' }));
  isType<HostTensor<'float64'>>()(zeros([2]));
  isType<HostTensor<'float32'>>()(ones([2], { dtype: 'float32' }));
  isType<HostTensor<'bool'>>()(full([2], true));
  // @ts-expect-error the types differ
  isType<HostTensor<'float32'>>()(tensor([1]));
  // @ts-expect-error a string is no tensor value
  tensor('1, 2');
  // @ts-expect-error there is no such dtype
  tensor([1, 2], { dtype: 'float16' });
};

export const computed = (): void => {
  isType<HostTensor<'float64'>>()(i32.exp());
  isType<HostTensor<'float32'>>()(f32.exp());
  isType<HostTensor<'float64'>>()(f32.add(f64));
  isType<HostTensor<'float32'>>()(i32.mul(f32));
  isType<HostTensor<'complex128'>>()(c64.add(f64));
  isType<HostTensor<'int32'>>()(i32.add(1));
  isType<HostTensor<'float64'>>()(i32.div(i32));
  isType<HostTensor<'bool'>>()(f64.lt(i32));
  isType<HostTensor<'float32'>>()(f32.max());
  isType<HostTensor<'int64'>>()(f64.convert('int64'));
  isType<HostTensor<'float64'>>()(f32.matmul(f64));
  // @ts-expect-error a plain array is no operand
  f64.add([1, 2]);
  // @ts-expect-error float32 is not float64
  const wrong: HostTensor<'float64'> = f32.exp();
  void wrong;
};

export const read = async (): Promise<void> => {
  isType<Nested<number>>()(f64.toArray());
  isType<boolean>()(mask.item());
  isType<ComplexNumber>()(c64.item());
  isType<Int32Array>()(await i32.data());
};

/** A tensor of one dtype is a tensor of some dtype, and an operand. */
export const some: readonly [HostTensor, Operand, Operand<HostKind, 'float64'>, HostTensor<'float64' | 'float32'>] = [f64, mask, f64, f32];
