/** Types only: `tsc -b` is the test. */
import type { Var } from '../contract.ts';
import { variance } from '../compositions/statistics.ts';
import { tensor } from '../tensor/create.ts';
import type { HostTensor } from '../tensor/host-tensor.ts';
import { isType } from '../types/is-type.testing.ts';
import { complex, imag, real } from './complex-parts.ts';
import { cast } from './convert.ts';
import { abs, angle, sign } from './magnitude.ts';

/** Parts and moduli of complex numbers are real, in the parts' precision. */
export function parts(c64: Var<'complex64'>, c128: Var<'complex128'>, f32: Var<'float32'>, i32: Var<'int32'>): void {
  isType<Var<'float32'>>()(real(c64));
  isType<Var<'float64'>>()(imag(c128));
  isType<Var<'float64'>>()(abs(c128));
  isType<Var<'int32'>>()(abs(i32));
  isType<Var<'float32'>>()(angle(c64));
  isType<Var<'float64'>>()(angle(i32));
  isType<Var<'complex64'>>()(sign(c64));
  isType<Var<'float64'>>()(variance(c128));
  isType<Var<'complex64'>>()(complex(f32, 1));
  isType<Var<'complex64'>>()(complex(f32, i32));
  isType<Var<'complex128'>>()(complex(i32, i32));
  isType<Var<'float32'>>()(cast(c128, 'float32'));
}

export function constants(): void {
  isType<HostTensor<'complex128'>>()(tensor([{ re: 1, im: 2 }]));
  isType<HostTensor<'complex64'>>()(tensor({ re: 1, im: 2 }, { dtype: 'complex64' }));
  isType<HostTensor<'float64'>>()(tensor([1, 2]));
}
