/** What the transforms become in StableHLO, which has them along the last axis, of every length. */
import { conj, mul, type Operand } from '@tf/core';
import type { StableHloFamily, StableHloSite, StableHloValue as Value, StableHloType as ValueType } from '@tf/export-stablehlo';
import { fftFamily } from '../family.ts';

/** Transforms as `fft`. XLA has them in float32 everywhere, in float64 on CPUs and GPUs. */
export const fftStableHlo: StableHloFamily = {
  family: fftFamily,
  operations: {
    dft: { becomes: 'fft', toStableHlo: dft },
    rdft: { becomes: 'fft of type RFFT', toStableHlo: (site) => [alongLast(site, (x, type) => transform(site, x, type, 'RFFT', x.shape.at(-1) as number))] },
    hdft: { becomes: 'fft of type IRFFT', toStableHlo: hdft },
  },
};

function transform({ writer }: StableHloSite, x: Value, type: ValueType, kind: 'FFT' | 'RFFT' | 'IRFFT', length: number): Value {
  return writer.other('fft', [x], type, `, type = ${kind}, length = [${length}]`);
}

/** The unnormalised inverse is the conjugate of the transform of the conjugate: no bit is lost to a division and its undoing. */
function dft(site: StableHloSite): readonly Value[] {
  const conjugate = (x: Value): Value => site.apply((z) => conj(z) as Operand, x)[0] as Value;
  const inverse = site.params['inverse'] === true;
  return [alongLast(site, (x, type) => {
    const y = transform(site, inverse ? conjugate(x) : x, type, 'FFT', x.shape.at(-1) as number);
    return inverse ? conjugate(y) : y;
  })];
}

/** StableHLO divides by the length. */
function hdft(site: StableHloSite): readonly Value[] {
  return [alongLast(site, (x, type) => {
    const n = type.shape.at(-1) as number;
    return site.apply((y) => mul(y, n) as Operand, transform(site, x, type, 'IRFFT', n))[0] as Value;
  })];
}

/** With the axis of the transform last, and back. */
function alongLast({ writer, params, operands: [x], outputs: [type] }: StableHloSite, f: (x: Value, type: ValueType) => Value): Value {
  const { element, shape } = type as ValueType;
  const at = shape.length + (params['axis'] as number);
  const others = shape.flatMap((_, axis) => (axis === at ? [] : [axis]));
  const order = [...others, at];
  const y = f(writer.transpose(x as Value, order), { element, shape: order.map((axis) => shape[axis] as number) });
  return writer.transpose(y, shape.map((_, axis) => order.indexOf(axis)));
}
